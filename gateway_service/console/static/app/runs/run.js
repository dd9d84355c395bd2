// The page of a run: how far it is, its plan as a drawing and as a table, what each node was given and gave; cancel.

import { html, useState } from '../../vendor/preact.js';
import { Facts } from '../chat/bubbles.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useFollowed } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { href } from '../lib/route.js';
import { keep, useStore } from '../lib/store.js';
import { moment, span } from '../lib/text.js';
import { useLive } from '../session/room.js';
import { ThreadFolds, useThreads } from '../threads/threads.js';
import { CancelButton } from './cancel.js';
import { RunGraph } from './graph.js';
import { Failure, RunState } from './marks.js';
import { FileLine, NodePanel } from './node.js';
import { isMasked, isOver, nodesOf, tookMs, troubled } from './reading.js';
import { RunTable } from './table.js';

/** A link into the run's session, with a tab of its inspector open. */
function ToSession({ sessionId, tab, children }) {
  return html`<a href=${href('sessions', sessionId)} onClick=${() => keep('inspector.tab', tab)}>${children}</a>`;
}

/** What is said where the run could not be read. */
function Unread({ sessionId, runId, problem }) {
  const { t } = useWords();
  if (!problem) return html`<p class="empty" role="status">${t('app.loading')}</p>`;
  if (problem.reason !== 'RUN_NOT_FOUND') {
    return html`<${Problem} problem=${problem} /><p><a href=${href('sessions')}>${t('nav.sessions')}</a></p>`;
  }
  return html`<h1>${t('run.missing')}</h1><p class="notice bad" role="alert">${t('run.missingWhy', { run: runId })}</p>
    <p><${ToSession} sessionId=${sessionId} tab="runs">${t('run.others')}<//></p>`;
}

function About({ sessionId, run }) {
  const { t, term, language } = useWords();
  const took = tookMs(run);
  const when = (time) => moment(time, language);
  const ahead = (time) => (isOver(run) ? '' : when(time));
  const workflow = !run.agent && html`<code>${run.workflowId}</code> ${t('decisions.revision', { n: run.revision })}`;
  const decision = html`<${ToSession} sessionId=${sessionId} tab="decisions"><code>${run.decisionId}</code><//>`;
  const other = html`<a href=${href('sessions', sessionId, 'runs', run.replaces)}><code>${run.replaces}</code></a>`;
  return html`<${Facts} rows=${[
    ['ID', html`<code>${run.runId}</code>`], [t('run.workflow'), workflow || ''], [t('thread.agent'), run.agent],
    [t('run.queued'), when(run.createTime)], [t('run.began'), when(run.beginTime)], [t('run.ended'), when(run.endTime)],
    [t('timeline.took'), took === null ? '' : span(took)],
    [t('run.wakes'), ahead(run.wakeTime)], [t('run.deadline'), ahead(run.deadline)],
    [t('run.begunBy'), decision], [t('decisions.turn'), run.turnId && html`<code>${run.turnId}</code>`],
    [t('run.replaces'), run.replaces && other], [t('run.landing'), term('runLanding', run.landing)],
    [t('run.note'), run.isTakenBack ? t('run.takenBack') : ''], [t('run.note'), run.isTrimmed ? t('run.trimmed') : ''],
  ]} />`;
}

/** What was given to the run, and all files of its nodes. */
function Beside({ found, at }) {
  const { t } = useWords();
  const { inputs = {}, artifacts } = found;
  const files = artifacts.map((file) => html`<li key=${`${file.path} ${file.name}`}><code>${file.path}</code>${' '}
    <${FileLine} file=${file} at=${at} /></li>`);
  return html`${files.length > 0 && html`<section class="stack"><h2>${t('run.files')}</h2>
      <ul class="stack">${files}</ul></section>`}
    ${Object.keys(inputs).length > 0 && html`<section class="stack"><h2>${t('run.given')}</h2>
      <pre tabindex="0">${JSON.stringify(inputs, null, 2)}</pre></section>`}`;
}

function Head({ sessionId, found, masked, onReveal, again }) {
  const { t } = useWords();
  const { run, definition } = found;
  return html`<header class="stack">
    <div class="row"><h1 class="grow">${run.agent || definition.name || run.workflowId}</h1>
      <${RunState} state=${run.state} role="status" />
      <${CancelButton} sessionId=${sessionId} runId=${run.runId} name=${t('run.cancel')} sure=${t('run.sureCancel')}
        isOver=${isOver(run)} onDone=${again} /></div>
    ${run.state === 'waiting_decision' && html`<p class="notice warn">${t('run.waits')}${' '}
      <${ToSession} sessionId=${sessionId} tab="decisions">${t('tab.decisions')}<//></p>`}
    <${Failure} failure=${run.failure} />
    ${masked && html`<div class="notice warn row"><span class="grow">${t('run.masked')}</span>
      <button onClick=${onReveal}>${t('run.reveal')}</button></div>`}
    <div class="run-about card"><${About} sessionId=${sessionId} run=${run} /></div></header>`;
}

/** The plan, the chosen node or the one in trouble, and the table. */
function Nodes({ found, masked, at }) {
  const { t } = useWords();
  const [chosen, choose] = useState(null);
  const nodes = nodesOf(found);
  const node = nodes.find((each) => each.key === chosen) ?? troubled(nodes);
  return html`<div class="run-body">
    ${!masked && html`<section class="run-plan stack"><h2>${t('run.graph')}</h2>
      <${RunGraph} definition=${found.definition} nodes=${nodes} chosen=${node?.key} onChoose=${choose} /></section>`}
    <aside class="run-node-panel panel" aria-label=${t('run.chosen')}>
      ${node ? html`<${NodePanel} node=${node} at=${at} isPressed=${chosen === node.key} />`
        : html`<p class="empty">${t('run.choose')}</p>`}</aside>
    <section class="run-rows stack"><h2>${t('run.table')}</h2>
      <${RunTable} nodes=${nodes} chosen=${node?.key} onChoose=${choose} />
      ${found.nextPageToken && html`<p class="notice warn">${t('run.cut', { n: found.attempts.length })}</p>`}
      <${Beside} found=${found} at=${at} /></section></div>`;
}

/** The thread in which an agent works, folded, in place of a plan. */
function OfAgent({ live, run }) {
  const { t } = useWords();
  const threads = useThreads(live);
  const list = threads.list.filter((one) => one.threadId === run.threadId);
  return html`<section class="stack"><h2>${t('thread.title')}</h2><${Problem} problem=${threads.problem} />
    <${ThreadFolds} list=${list} threads=${threads} /></section>`;
}

/** Whatever was read of the run. `at` says where its files are, and whether they can be read. */
function Whole({ found, live, reveal, onReveal, again }) {
  const { run, definition } = found;
  const { sessionId } = live;
  const masked = isMasked(definition);
  const at = { sessionId, runId: run.runId, isClosed: masked || run.isTrimmed, shown: reveal ? { reveal } : {} };
  return html`<${Head} sessionId=${sessionId} found=${found} masked=${masked} onReveal=${onReveal} again=${again} />
    ${run.agent ? html`<${OfAgent} live=${live} run=${run} />`
      : html`<${Nodes} found=${found} masked=${masked} at=${at} />`}`;
}

/** The page. What the session tells of the run has it read again; so does a line that is back. */
export function RunPage({ sessionId, runId }) {
  const { t } = useWords();
  const live = useLive(sessionId);
  const link = useStore(live.link);
  const told = useStore(live.picture, (picture) => picture.runs.get(runId) ?? 0);
  const [reveal, setReveal] = useState(false);
  const read = () => api.run(sessionId, runId, reveal || undefined);
  const [found, problem, again] = useFollowed(read, [told, link.status === 'live'], [sessionId, runId, reveal]);
  const name = link.session?.title || link.session?.scriptId || sessionId;
  const tone = { live: 'good', broken: 'warn', failed: 'bad' }[link.status] ?? 'info';
  return html`<div class="scroll"><div class="page run-page stack">
    <nav class="row" aria-label=${t('run.back')}>
      <span class="grow"><${ToSession} sessionId=${sessionId} tab="runs">← ${name}<//></span>
      ${found && html`<span class=${`pill ${tone}`} role="status">${t(`link.${link.status}`)}</span>`}</nav>
    ${found ? html`<${Problem} problem=${problem} />
        <${Whole} found=${found} live=${live} reveal=${reveal} again=${again}
          onReveal=${() => setReveal(true)} />`
      : html`<${Unread} sessionId=${sessionId} runId=${runId} problem=${problem} />`}
  </div></div>`;
}
