// What agents and operators decided: the verdict on each, its corrections side by side, what waits, and the workflows.

import { html, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem, Section } from '../lib/parts.js';
import { clock, show } from '../lib/text.js';
import { RunLine, runOf, useRuns } from '../runs/runs.js';
import { TurnLink } from './turn.js';

const TONES = {
  done: 'good', rejected: 'bad', held: 'warn', queued: 'warn', interrupted: 'warn', running: 'info', ready: 'good',
  failed: 'bad',
};
const OPEN = new Set(['queued', 'held', 'running', 'interrupted']);

/** The decisions whose effect is not done, in order, and the others, newest first. */
export function arranged(decisions) {
  const isOpen = (one) => OPEN.has(one.state);
  return { waiting: decisions.filter(isOpen), over: decisions.filter((one) => !isOpen(one)).reverse() };
}

const SUBJECTS = ['response', 'question', 'thought', 'name', 'node_name', 'node_id', 'workflow_id', 'subagent_type'];

/** A few words that tell one decision from another: what is said, or what it is about. */
export function subjectOf(payload) {
  const name = SUBJECTS.find((one) => typeof payload?.[one] === 'string');
  const words = name ? payload[name].trim() : '';
  return words.length > 60 ? `${words.slice(0, 60)}…` : words;
}

/** A payload without the name of its type, laid out. */
export function payloadText(payload) {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return JSON.stringify(payload ?? null);
  const { action_type: _, ...rest } = payload;
  return JSON.stringify(rest, null, 2);
}

function Corrections({ corrections }) {
  const { t } = useWords();
  if (!corrections.length) return null;
  const heads = ['decisions.path', 'decisions.before', 'decisions.after'].map((name) => html`<th key=${name}
    scope="col">${t(name)}</th>`);
  const rows = corrections.map((one, i) => html`<tr key=${i}><td class="lead"><code>${one.path}</code></td>
    <td data-name=${t('decisions.before')}>${show(one.before)}</td><td data-name=${t('decisions.after')}>
    ${one.isRemoved ? html`<em>${t('decisions.removed')}</em>` : show(one.after)}</td></tr>`);
  return html`<h3>${t('decisions.corrections')}</h3><div class="table-frame cards"><table class="small"><thead><tr>
    ${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function Errors({ errors }) {
  const { t, term } = useWords();
  if (!errors.length) return null;
  return html`<h3>${t('decisions.errors')}</h3><ul class="stack">${errors.map((one, i) => html`<li key=${i}>
    ${one.message}
    <div class="soft small">${[term('gate', one.code), one.path, one.rule].filter(Boolean).join(' · ')}</div></li>`)}
    </ul>`;
}

function Decision({ room, decision, run, open }) {
  const { t, term, language } = useWords();
  const { verdict } = decision;
  const subject = subjectOf(decision.payload);
  return html`<details class="card" open=${open}>
    <summary><strong>${term('decisionType', decision.decisionType) || decision.writtenType}</strong>${' '}
      <span class=${`pill ${TONES[decision.state] ?? ''}`}>${term('decisionState', decision.state)}</span>${' '}
      <span class="soft small">${term('author', decision.author)} · ${clock(decision.createTime, language)}</span>
      ${subject && html`<span class="under">${subject}</span>`}</summary>
    <div class="stack">
      ${run && html`<${RunLine} sessionId=${room.live.sessionId} run=${run} />`}
      ${verdict ? html`<${Errors} errors=${verdict.errors} />
        <${Corrections} corrections=${verdict.corrections} />` : html`<p class="small soft">
        ${t('decisions.unjudged')}</p>`}
      <details><summary>${t('decisions.payload')}</summary><pre tabindex="0">
        ${payloadText(decision.payload)}</pre></details>
      ${verdict?.corrections.length > 0 && html`<details><summary>${t('decisions.effective')}</summary>
        <pre tabindex="0">${payloadText(verdict.payload)}</pre></details>`}
      ${decision.turnId ? html`<p class="small">${t('decisions.turn')} <${TurnLink} room=${room}
        turnId=${decision.turnId} /></p>`
        : html`<p class="small soft">${t('decisions.between')}</p>`}
    </div></details>`;
}

function Definition({ id, workflow }) {
  const { workflowId, revision } = workflow;
  const [read, problem] = useLoaded(() => api.workflow(id, workflowId, revision), [id, workflowId, revision]);
  return html`<${Problem} problem=${problem} />${read && html`<pre tabindex="0">
    ${JSON.stringify(read.definition, null, 2)}</pre>`}`;
}

function Workflow({ id, workflow }) {
  const { t, term } = useWords();
  const [open, setOpen] = useState(false);
  return html`<details class="card" onToggle=${(event) => setOpen(event.target.open)}>
    <summary><strong>${workflow.name || workflow.workflowId}
      </strong> ${t('decisions.revision', { n: workflow.revision })}${' '}
      <span class=${`pill ${TONES[workflow.status] ?? ''}`}>${term('workflowStatus', workflow.status)}</span></summary>
    ${open && html`<${Definition} id=${id} workflow=${workflow} />`}</details>`;
}

/** The decisions and workflows of a session. */
export function DecisionsTab({ room, turn, picture }) {
  const { t } = useWords();
  const id = room.live.sessionId;
  const [decisions, problem] = useLoaded(() => api.decisions(id), [id, picture.decisionChanges]);
  const [runs] = useRuns(id, picture);
  const [workflows] = useLoaded(() => api.workflows(id), [id, picture.decisionChanges]);
  const { waiting, over } = arranged(decisions ?? []);
  const card = (one) => html`<${Decision} key=${one.decisionId} room=${room} decision=${one} run=${runOf(one, runs)}
    open=${Boolean(turn) && one.turnId === turn.turnId} />`;
  return html`<${Problem} problem=${problem} />
    ${waiting.length > 0 && html`<${Section} title=${t('decisions.waiting')}>${waiting.map(card)}<//>`}
    ${(over.length > 0 || !waiting.length) && html`<${Section}
      title=${t(waiting.length ? 'decisions.over' : 'tab.decisions')} empty=${t('decisions.none')}>
      ${over.map(card)}<//>`}
    ${(workflows ?? []).length > 0 && html`<${Section} title=${t('decisions.workflows')}>
      ${workflows.map((one) => html`<${Workflow} key=${one.workflowId} id=${id} workflow=${one} />`)}<//>`}`;
}
