// Both lines over the whole session, on one axis: drawn, and as a table of what is in sight.

import { html, useMemo, useState } from '../../vendor/preact.js';
import { adviceWords, nameIn, namesOf } from '../author/reading.js';
import { api } from '../lib/api.js';
import { failureText } from '../lib/failures.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { href } from '../lib/route.js';
import { useStore } from '../lib/store.js';
import { moment, span as lasting } from '../lib/text.js';
import { useRuns } from '../runs/runs.js';
import { useWhole } from '../session/replay_bar.js';
import { useLive } from '../session/room.js';
import { Plot } from './plot.js';
import { LANES, moved, rangeOf, rangeOfTurn, spansOf, within } from './reading.js';

const MOST_ROWS = 200;

/** What a span is, in words. */
function wordsOf(span, { names, numbers, words }) {
  const { t, term } = words;
  const { turn, call, advice, analysis, run, thread } = span;
  if (span.lane === 'turns') {
    const round = (one) => (one.exitDecision ? ` ${t('author.round', { n: one.round })}` : '');
    const name = turn.inputs.length ? t('turn.turn', { n: numbers.get(turn.turnId) }) : t('turn.opening');
    return [name, ...turn.results.map((one) => nameIn(words, names, one) + round(one))].join(' · ');
  }
  if (turn) return t('chat.failed', { reason: failureText(words, turn.end.problem) });
  if (call) return [term('purpose', call.purpose), call.model, term('code', call.error)].filter(Boolean).join(' · ');
  if (advice) return [adviceWords(words, advice), term('adviceFate', advice.state)].join(' · ');
  if (analysis) {
    const ended = [term('result', analysis.result), term('code', analysis.reason)];
    return [t('lines.analysis'), ...ended].filter(Boolean).join(' · ');
  }
  if (run) return [run.name, term('runState', run.state)].join(' · ');
  return [thread.agent, term('runState', thread.state)].filter(Boolean).join(' · ');
}

/** Ranges by button, for those who draw none with a mouse. */
function Zoom({ range, whole, onRange, turns, chosen, onTurn }) {
  const { t } = useWords();
  const button = (name, next, sign) => html`<button key=${name} aria-label=${t(`lines.${name}`)}
    title=${t(`lines.${name}`)} onClick=${() => onRange(next)}>${sign}</button>`;
  const options = turns.map(([id, name]) => html`<option key=${id} value=${id}>${name}</option>`);
  return html`<div class="row lines-zoom" role="group" aria-label=${t('lines.range')}>
    <button onClick=${() => onRange(whole)}>${t('lines.whole')}</button>
    ${button('closer', moved(range, { factor: 0.5 }), '＋')}${button('wider', moved(range, { factor: 2 }), '－')}
    ${button('earlier', moved(range, { by: -0.5 }), '←')}${button('later', moved(range, { by: 0.5 }), '→')}
    <label class="row small">${t('lines.turn')}
      <select value=${chosen} onChange=${(event) => onTurn(event.target.value)}>
        <option value="">—</option>${options}</select></label>
  </div>`;
}

function Table({ sessionId, spans, told, onTurn }) {
  const { t, language } = useWords();
  const heads = ['timeline.from', 'lines.lane', 'timeline.what', 'timeline.took', 'lines.place'];
  const rows = spans.slice(0, MOST_ROWS);
  const cut = spans.length > MOST_ROWS;
  return html`<div class="table-frame cards"><table><caption class="hidden-text">${t('lines.table')}</caption>
      <thead><tr>${heads.map((head) => html`<th key=${head} scope="col">${t(head)}</th>`)}</tr></thead>
      <tbody>${rows.map((one) => html`<tr key=${one.id} class=${one.isBad ? 'bad' : ''}>
        <td class="when">${moment(one.from, language)}</td>
        <td><span class=${`lane ${one.lane}`}>${t(`lane.${one.lane}`)}</span></td>
        <td class="lead">${wordsOf(one, told)}</td>
        <td class="when">${one.to > one.from ? lasting(one.to - one.from) : ''}</td>
        <td>${one.turnId && html`<button class="quiet" onClick=${() => onTurn(one.turnId)}>${t('lines.zoomIn')}</button>
          <a href=${href('sessions', sessionId, 'turns', one.turnId)}>${t('lines.inSession')}</a>`}
          ${one.run && html` <a href=${href('sessions', sessionId, 'runs', one.run.runId)}>${t('lines.runPage')}</a>`}
        </td></tr>`)}
      </tbody></table></div>
    ${cut && html`<p class="small soft">${t('lines.cut', { n: MOST_ROWS, all: spans.length })}</p>`}`;
}

/** The names of the turns, in order: the opening, then by number. */
function turnNames(picture, t) {
  const numbers = new Map();
  for (const turn of picture.turns.values()) if (turn.inputs.length) numbers.set(turn.turnId, numbers.size + 1);
  const name = ({ turnId }) => (numbers.has(turnId) ? t('turn.turn', { n: numbers.get(turnId) }) : t('turn.opening'));
  const begun = [...picture.turns.values()].filter((turn) => turn.begun);
  return { numbers, turns: begun.map((turn) => [turn.turnId, name(turn)]) };
}

/** All that the lines show, read again when a turn ends, an analysis is made, or a run or thread changes. */
function useSpans(live) {
  const id = live.sessionId;
  const picture = useStore(live.picture);
  const isWhole = useWhole(live);
  const ended = [...picture.turns.values()].filter((turn) => turn.end).length;
  const moved = isWhole && `${ended}/${picture.analyses.size}`;
  const whole = (read) => () => (isWhole ? read(id) : Promise.resolve(null));
  const [calls, problem] = useLoaded(whole(api.callTimes), [id, moved]);
  const [feedback] = useLoaded(whole(api.feedback), [id, moved]);
  const [threads] = useLoaded(() => api.threads(id), [id, picture.threadChanges]);
  const [runs] = useRuns(id, picture);
  const spans = useMemo(
    () => spansOf({ picture, calls: calls ?? [], feedback: feedback ?? [], runs, threads: threads ?? [] }, Date.now()),
    [picture, calls, feedback, runs, threads],
  );
  return { spans, picture, problem, isRead: isWhole && calls !== null };
}

/** The page; `turnId` is the turn that it begins with, the whole session otherwise. */
export function Lines({ sessionId, turnId = '' }) {
  const words = useWords();
  const { t, language } = words;
  const live = useLive(sessionId);
  const link = useStore(live.link);
  const { spans, picture, problem, isRead } = useSpans(live);
  const [outline] = useLoaded(() => api.outline(sessionId), [sessionId]);
  const [chosen, setChosen] = useState(turnId);
  const [drawn, setDrawn] = useState(null); // the range that was asked for; null: the chosen turn, or everything
  const { numbers, turns } = useMemo(() => turnNames(picture, t), [picture, t]);
  const names = useMemo(() => namesOf(words, outline), [words, outline]);
  const whole = useMemo(() => (spans.length ? rangeOf(spans) : [0, 1000]), [spans]);
  const shown = drawn ?? ((chosen && rangeOfTurn(spans, chosen)) || whole);
  const choose = (id) => { setChosen(id); setDrawn(null); };
  const show = (next) => { setChosen(''); setDrawn(next === whole ? null : next); };
  const inSight = within(spans, shown);
  const told = { names, numbers, words };
  const name = link.session?.title || link.session?.scriptId || '…';
  return html`<div class="page lines stack"><div class="row spread"><h1>${t('lines.title', { name })}</h1>
      <a href=${href('sessions', sessionId)}>${t('run.back')}</a></div>
    <${Problem} problem=${problem || link.problem} />
    <p class="soft small">${t('lines.hint')}</p>
    ${!isRead && html`<p class="notice" role="status">${t('lines.reading', { n: turns.length })}</p>`}
    ${isRead && !spans.length && html`<p class="empty">${t('timeline.none')}</p>`}
    ${isRead && spans.length > 0 && html`
      <${Zoom} range=${shown} whole=${whole} onRange=${show} turns=${turns} chosen=${chosen} onTurn=${choose} />
      <div class="card"><${Plot} spans=${spans} range=${shown} lanes=${LANES.map((lane) => t(`lane.${lane}`))}
        language=${language} label=${t('lines.drawing')} onRange=${show} /></div>
      <h2>${t('lines.inSight', { n: inSight.length })}</h2>
      <${Table} sessionId=${sessionId} spans=${inSight} told=${told} onTurn=${choose} />`}
  </div>`;
}
