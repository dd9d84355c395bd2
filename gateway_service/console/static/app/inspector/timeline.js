// A turn in time: main line and monitor on one scale, and what each changed in the other.

import { html } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { span } from '../lib/text.js';
import { RunLine, useRuns } from '../runs/runs.js';
import { threadSpans } from '../threads/reading.js';
import { ThreadFolds } from '../threads/threads.js';
import { TurnLink } from './turn.js';

const WIDTH = 1000;
const LEAST = 4;

/** Milliseconds of a duration as the gateway writes it: `1.5s`. */
const milliseconds = (duration) => 1000 * (Number.parseFloat(duration) || 0);

/**
 * Spans with their place on a scale of 0 to WIDTH, in order of their beginning. `beside` are spans that may go on after
 * the turn; their bars end with the scale.
 */
export function placed(timeline, beside = []) {
  const own = timeline.spans ?? [];
  const spans = [...own, ...beside].map((one) => ({ ...one, durationMs: milliseconds(one.duration) }));
  const starts = spans.map((one) => Date.parse(one.startTime));
  const from = Math.min(...starts);
  const ends = spans.map((one, i) => starts[i] + one.durationMs);
  const whole = Math.max(1, ...ends.slice(0, own.length).map((end) => end - from));
  const placeOf = (ms) => Math.min(WIDTH - LEAST, (ms / whole) * WIDTH);
  return spans
    .map((one, i) => {
      const x = placeOf(starts[i] - from);
      const width = Math.min(WIDTH - x, (one.durationMs / whole) * WIDTH);
      return { ...one, offsetMs: starts[i] - from, wholeMs: whole, x, width: Math.max(LEAST, width) };
    })
    .sort((a, b) => a.offsetMs - b.offsetMs);
}

/** Times of round figures, four to eight of them, from the beginning to the end of `wholeMs`. */
export function ticks(wholeMs) {
  const steps = [1, 2, 5].map((factor) => factor * 10 ** Math.floor(Math.log10(Math.max(1, wholeMs / 5))));
  const step = steps.find((one) => wholeMs / one <= 8) ?? 10 * steps[0];
  return Array.from({ length: Math.floor(wholeMs / step) + 1 }, (_, i) => i * step);
}

const TRIVIAL = new Set(['recorded_as', 'tells']);

/** A span by its kind and its name; the whole turn has no other. */
export function nameOf(one, term) {
  const kind = term('kind', one.kind);
  return one.kind === 'turn' ? kind : `${kind} ${one.name.replace(/^(attempt|step) (?=\d)/, '')}`;
}

function Bar({ one }) {
  const { term } = useWords();
  const kind = one.lane !== 'main' ? one.lane : one.kind === 'model_call' || one.kind === 'strategy' ? 'model' : 'main';
  const name = nameOf(one, term);
  const figures = one.durationMs ? span(one.durationMs) : `+${span(one.offsetMs)}`;
  return html`<span class="lane-step" id=${`span-${one.spanId}`} tabindex="-1" title=${name}>${name}</span>
    <div class="track"><svg viewBox=${`0 0 ${WIDTH} 20`} preserveAspectRatio="none" role="img"
      aria-label=${`${name} ${figures}`}>
      <rect class=${kind} x=${one.x} y="4" width=${one.width} height="12" rx="3"></rect></svg></div>
    <span class="lane-figure">${figures}</span>`;
}

/** The scale: times of round figures, each at its place. */
function Axis({ wholeMs }) {
  return html`<span></span><div class="axis" aria-hidden="true">
    ${ticks(wholeMs).map((ms) => html`<span key=${ms} style=${{ left: `${(100 * ms) / wholeMs}%` }}>
    ${span(ms)}</span>`)}</div><span></span>`;
}

/** What a link leads to, as a button that goes there. */
function Target({ link, spans, room, openTab }) {
  const { t, term } = useWords();
  const button = (name, go) => html`<button class="quiet" onClick=${go}>${name}</button>`;
  const there = spans.find((one) => one.spanId === link.spanId);
  if (there) return button(nameOf(there, term), () => document.getElementById(`span-${there.spanId}`)?.focus());
  if (link.turnId) return html`<${TurnLink} room=${room} turnId=${link.turnId} />`;
  if (link.adviceId) return button(term('kind', 'advice'), () => openTab('advice'));
  if (link.callId) return button(term('kind', 'model_call'), () => openTab('calls'));
  if (link.decisionId) return button(term('kind', 'decision'), () => openTab('decisions'));
  if (link.workflowId) return button(t('run.workflow'), () => openTab('decisions'));
  const message = `[data-message="${CSS.escape(link.messageId ?? '')}"]`;
  if (link.messageId) return button(term('kind', 'message'), () => document.querySelector(message)?.scrollIntoView());
  return html`<code>${link.spanId}</code>`;
}

function Links({ spans, room, openTab }) {
  const { t, term } = useWords();
  const linksOf = (one) => (one.links ?? []).filter((link) => !TRIVIAL.has(link.relation));
  const rows = spans.flatMap((one) => linksOf(one).map((link) => ({ from: nameOf(one, term), link })));
  if (!rows.length) return null;
  return html`<h2>${t('timeline.links')}</h2><ul>${rows.map(({ from, link }, i) => html`<li key=${i}>
    ${from} — ${term('relation', link.relation)} →${' '}
    <${Target} link=${link} spans=${spans} room=${room} openTab=${openTab} /></li>`)}</ul>`;
}

/** The runs that the turn began; they may go on long after it. */
function Runs({ sessionId, runs }) {
  const { t } = useWords();
  if (!runs.length) return null;
  const lines = runs.map((run) => html`<li key=${run.runId}><${RunLine} sessionId=${sessionId} run=${run} /></li>`);
  return html`<h2>${t('timeline.runs')}</h2><ul class="stack">${lines}</ul>`;
}

/** The threads that the turn opened, folded; what is nested in one is inside it. */
function Threads({ list, threads }) {
  const { t } = useWords();
  if (!list.length) return null;
  return html`<h2>${t('timeline.opened')}</h2><${ThreadFolds} list=${list} threads=${threads} />`;
}

/** The time line of the chosen turn. */
export function TimelineTab({ room, turn, picture, moved, openTab }) {
  const { t, term } = useWords();
  const id = room.live.sessionId;
  const [timeline, problem] = useLoaded(
    () => (turn ? api.timeline(id, turn.turnId) : Promise.resolve(null)), [id, turn?.turnId, moved],
  );
  const [all] = useRuns(id, picture);
  const runs = all.filter((run) => !run.agent && run.turnId && run.turnId === turn?.turnId);
  const nested = room.threads.list.filter((one) => one.turnId && one.turnId === turn?.turnId);
  if (!timeline?.spans?.length) return problem ? html`<${Problem} problem=${problem} />` : html`<p class="empty">
    ${t('timeline.none')}</p>`;
  const spans = placed(timeline, threadSpans(nested, Date.now()));
  const { wholeMs } = spans[0];
  const lanes = [['main', t('timeline.main')], ['monitor', t('timeline.monitor')]];
  if (nested.length) lanes.push(['threads', t('timeline.threads')]);
  return html`<p class="small soft">${t('timeline.hint')}</p>
    <div class="lanes">${lanes.map(([lane, name]) => html`<div class="lane-name" key=${lane}>${name}</div>
      ${spans.some((one) => one.lane === lane) ? null : html`<span class="soft lane-none">
        ${t('timeline.quiet')}</span>`}
      ${spans.filter((one) => one.lane === lane).map((one) => html`<${Bar} key=${one.spanId} one=${one} />`)}`)}
        <${Axis} wholeMs=${wholeMs} /></div>
    <${Threads} list=${nested.filter((one) => one.depth === 1)} threads=${room.threads} />
    <${Runs} sessionId=${id} runs=${runs} />
    <${Links} spans=${spans} room=${room} openTab=${openTab} />
    <details><summary>${t('timeline.table')}</summary><div class="table-frame"><table><thead><tr><th scope="col">
      ${t('timeline.what')}</th><th scope="col">${t('timeline.from')}</th><th scope="col">
      ${t('timeline.took')}</th></tr></thead>
      <tbody>${spans.map((one) => html`<tr key=${one.spanId}><td>${nameOf(one, term)}</td><td class="when">
        ${span(one.offsetMs)}</td><td class="when">
        ${span(one.durationMs)}</td></tr>`)}</tbody></table></div></details>`;
}
