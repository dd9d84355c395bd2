// Where one session is on the crisis path, what was found in it, and how an operator leads out of it.

import { html, useRef, useState } from '../../vendor/preact.js';
import { Facts } from '../chat/bubbles.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { useStore } from '../lib/store.js';
import { moment } from '../lib/text.js';
import { Delivery, OperatorName, toneOf, useOperator } from './alerts.js';

function Hit({ event }) {
  const { t, term, language } = useWords();
  return html`<li class="stack hit"><div class="row"><span class=${`pill ${toneOf(event.level)}`}>
    ${term('level', event.level)}</span>
      <span class="small soft">${moment(event.createTime, language)} · ${term('safetySource', event.source)}</span>
        <${Delivery} event=${event} /></div>
    <${Facts} rows=${[
      [t('safety.rules'), event.rules.join(' · ')], [t('safety.seenBy'), event.acknowledgedBy],
      [t('safety.note'), event.note],
    ]} /></li>`;
}

function Closing({ sessionId, onClosed }) {
  const { t } = useWords();
  const dialog = useRef(null);
  const [operator, setOperator] = useOperator();
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState(null);
  async function close(event) {
    event.preventDefault();
    try {
      await api.closeSafety(sessionId, { operator, note });
      dialog.current.close();
      onClosed();
    } catch (error) {
      setProblem(error);
    }
  }
  return html`<div><button onClick=${() => dialog.current.showModal()}>${t('safety.close')}</button></div>
    <dialog ref=${dialog} aria-labelledby="close-safety"><form class="stack" onSubmit=${close}>
      <h2 id="close-safety">${t('safety.closeTitle')}</h2><p class="soft">${t('safety.closeHint')}</p>
      <${OperatorName} operator=${operator} onName=${setOperator} />
      <label><span class="name">${t('safety.note')}</span><textarea rows="3" maxlength="2000" value=${note}
        onInput=${(event) => setNote(event.target.value)}></textarea></label>
      <${Problem} problem=${problem} />
      <div class="row"><button class="primary" disabled=${!operator.trim()}>${t('safety.closeRun')}</button>
        <button type="button" onClick=${() => dialog.current.close()}>${t('app.cancel')}</button></div>
    </form></dialog>`;
}

/** A line under the session's head, where there is something to say. */
export function SafetyLine({ live }) {
  const { t, term } = useWords();
  const picture = useStore(live.picture);
  // A turn may change the state without a word of it to watchers; an operator may without a turn.
  const ended = [...picture.turns.values()].filter((turn) => turn.end).length;
  const id = live.sessionId;
  const [state, problem, again] = useLoaded(() => api.safety(id), [id, ended, picture.safetyChanges]);
  const [hits] = useLoaded(() => api.hits(live.sessionId), [live.sessionId, ended, picture.safetyChanges]);
  const level = state?.level ?? 'none';
  if (problem || !state || (level === 'none' && !state.optOut && !hits?.length)) return null;
  return html`<details class=${`safety-line ${level === 'none' ? '' : toneOf(level)}`}><summary>
      <strong>${t('safety.title')}</strong> <span class=${`pill ${toneOf(level)}`}>${term('level', level)}</span>
      ${state.frozen && html`<span class="pill">${t('safety.frozen')}</span>`}
      ${state.optOut && html`<span class="pill warn">${t('safety.off')}</span><span class="small">
        ${state.optOut}</span>`}</summary>
    <div class="inside stack">
      ${level !== 'none' && html`<${Facts}
        rows=${[
          [t('safety.step'), term('safetyStep', state.step)], [t('safety.denials'), state.denials],
          [t('safety.quiet'), state.quietTurns],
        ]} />
        <${Closing} sessionId=${live.sessionId} onClosed=${again} />`}
      ${hits?.length > 0 && html`<ul class="stack">${hits.map((event) => html`<${Hit} key=${event.safetyEventId}
        event=${event} />`)}</ul>`}
    </div></details>`;
}
