// Where a session stands: phases and topics of the script, the actions of the topic's plan, and the plan's edits.

import { html, useEffect, useState } from '../../vendor/preact.js';
import { Facts } from '../chat/bubbles.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { nameIn } from '../author/reading.js';
import { useStore } from '../lib/store.js';

const MARKS = { pending: '○', running: '●', completed: '✓', skipped: '–' };

/** How far a place before, at or after another is. */
export function progress(index, current, finished) {
  if (finished || index < current) return 'completed';
  return index === current ? 'running' : 'pending';
}

function Node({ state, current, name, note, children }) {
  const { term } = useWords();
  return html`<div class=${`node ${state === 'completed' ? 'done' : ''}`} aria-current=${current ? 'step' : null}>
    <span class="mark" role="img" aria-label=${term('state', state)}>${MARKS[state] ?? '○'}</span>
    <span class=${`grow ${state === 'skipped' ? 'struck' : ''}`}>${name}</span>${note}${children}</div>`;
}

function ActionNode({ entry, position, known, room, children }) {
  const words = useWords();
  const { t } = words;
  const name = room.isAuthor ? nameIn(words, room.names(words), entry) : entry.actionId;
  const current = entry.actionInstanceId === position?.actionInstanceId && entry.state === 'running';
  const round = current && position.currentRound > 0
    ? html`<span class="pill good">
      ${t('tree.round', { n: position.currentRound, max: position.maxRounds })}</span>` : null;
  return html`<li>
    <${Node} state=${entry.state} current=${current} name=${name} note=${round}>
      ${entry.inserted && html`<span class="pill violet">${t('tree.inserted')}</span>`}
      ${entry.mandatory && html`<span class="pill">${t('tree.mandatory')}</span>`}
      ${known && entry.state !== 'pending' && html`<button class="quiet" title=${t('tree.edit')}
        aria-label=${`${t('tree.edit')}: ${entry.actionId}`} onClick=${() => room.editAction(known)}>✎</button>`}
    <//>${children}</li>`;
}

/** Entries inside a skill stand under it. */
function ActionList({ entries, parent = '', position, topic, phase, room }) {
  const own = entries.filter((entry) => (entry.parentInstanceId ?? '') === parent);
  if (!own.length) return null;
  return html`<ul>${own.map((entry) => {
    const written = parent ? null : topic?.actions.find((action) => action.actionId === entry.actionId);
    const known = written && { phaseId: phase.phaseId, topicId: topic.topicId, ...written };
    return html`<${ActionNode} key=${entry.actionInstanceId} entry=${entry} position=${position} known=${known}
      room=${room}>
      <${ActionList} entries=${entries} parent=${entry.actionInstanceId} position=${position} room=${room} /><//>`;
  })}</ul>`;
}

function EditView({ edit, latest, room }) {
  const { t, term } = useWords();
  const [problem, setProblem] = useState('');
  const kind = edit.undoes ? 'undo' : edit.plan?.action;
  const added = edit.plan?.newAction;
  const tone = { applied: 'good', rejected: 'bad', pending: 'info' }[edit.state] ?? '';
  const queue = (entries) => (entries ?? []).map((entry) => entry.actionId).join(' → ');
  return html`<li class="card stack">
    <div class="row"><strong>${term('edit', kind)}</strong><span class=${`pill ${tone}`}>
      ${term('editState', edit.state)}</span></div>
    <${Facts} rows=${[
      [t('bubble.reason'), edit.plan?.reason], ['', added && `${added.actionType} ${added.actionId}`],
      [t('edit.rule'), term('code', edit.rule)], ['', edit.problem],
      [t('edit.before'), queue(edit.before)], [t('edit.after'), queue(edit.after)],
    ]} />
    ${latest && html`<div><button
      onClick=${() => api.undoEdit(room.live.sessionId, edit.editId).catch((error) => setProblem(error.message))}>
      ${t('tree.undo')}</button></div>`}
    ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
  </li>`;
}

/** The left pane. */
export function PositionTree({ room }) {
  const { t } = useWords();
  const picture = useStore(room.live.picture);
  const { position, status } = picture.state ?? {};
  const { outline } = room;
  const [plan, setPlan] = useState(null);
  const [edits, setEdits] = useState([]);
  const revision = picture.state?.planRevision ?? 0;
  const id = room.live.sessionId;
  const { sequence } = picture.state ?? {};
  useEffect(() => { api.plan(id).then(setPlan, () => setPlan(null)); }, [id, revision, sequence, status]);
  useEffect(() => { api.planEdits(id).then(setEdits, () => setEdits([])); }, [id, picture.edits.size, revision]);
  const finished = status === 'completed';
  const lastApplied = edits.filter((edit) => edit.state === 'applied' && !edit.undoes).at(-1);
  return html`<nav class="tree scroll grow" tabindex="0" aria-label=${t('tree.label')}>
    <ol>${(outline?.phases ?? []).map((phase, p) => {
      const here = p === position?.currentPhaseIdx;
      const state = progress(p, position?.currentPhaseIdx ?? 0, finished);
      return html`<li key=${phase.phaseId}><${Node} state=${state} name=${phase.phaseName || phase.phaseId}
        note=${html`<span class="small soft">${t('tree.phase')}</span>`} />
        <ul>${phase.topics.map((topic, i) => {
          const now = here && i === position?.currentTopicIdx && !finished;
          const topicState = here ? progress(i, position.currentTopicIdx, finished) : state;
          return html`<li key=${topic.topicId}><${Node} state=${topicState} name=${topic.topicName || topic.topicId}
            note=${html`<span class="small soft">${t('tree.topic')}</span>`} />
            ${now && plan && html`<${ActionList} entries=${plan.actions} position=${position} topic=${topic}
              phase=${phase} room=${room} />`}</li>`;
        })}</ul></li>`;
    })}</ol>
    ${edits.length > 0 && html`<h2 class="row">${t('tree.edits')}</h2>
      <ul class="stack">${edits.map((edit) => html`<${EditView} key=${edit.editId} edit=${edit}
        latest=${edit === lastApplied} room=${room} />`)}</ul>`}
  </nav>`;
}
