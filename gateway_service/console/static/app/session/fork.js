// The author's loop: another config for one action, a new session that stands just before it, and the client's answers
// again.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { Problem } from '../lib/parts.js';
import { useStore } from '../lib/store.js';
import { go, href } from '../lib/route.js';
import { keepReplay } from './replay.js';

/** The dialog for the action that `room.edited` names. */
export function ForkDialog({ room }) {
  const { t } = useWords();
  const action = room.edited;
  const script = useStore(room.live.link, (link) => link.session?.scriptId ?? '');
  const dialog = useRef(null);
  const [text, setText] = useState('');
  const [again, setAgain] = useState(true);
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!action) return;
    setText(JSON.stringify(action.config ?? {}, null, 2));
    setProblem(null);
    dialog.current.showModal();
  }, [action]);
  const close = () => { dialog.current.close(); room.editAction(null); };
  async function run(event) {
    event.preventDefault();
    let config;
    try {
      config = JSON.parse(text);
    } catch (error) {
      setProblem(new Error(t('fork.bad', { reason: error.message })));
      return;
    }
    setBusy(true);
    try {
      const { phaseId, topicId, actionId } = action;
      const { session } = await api.fork(room.live.sessionId, { replacement: { phaseId, topicId, actionId, config } });
      close();
      if (again) {
        const source = room.live.sessionId;
        keepReplay(session.sessionId, { source, after: session.forkedFromTurnId ?? '', running: true });
        go('compare', room.live.sessionId, session.sessionId);
      } else go('sessions', session.sessionId);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  }
  return html`<dialog ref=${dialog} aria-labelledby="fork-title" onClose=${() => room.editAction(null)}>
    <form class="stack" onSubmit=${run}>
      <h2 id="fork-title">${t('fork.title')}</h2><p class="soft">
        ${t('fork.hint')} <a href=${href('scripts', script, 'session', room.live.sessionId)}>${t('fork.whole')}</a></p>
      <p>${t('fork.action')}: <code>${action?.actionId}</code> (${action?.actionType})</p>
      <label><span class="name">${t('fork.config')}</span><textarea rows="12" value=${text} spellcheck=${false}
        onInput=${(event) => setText(event.target.value)}></textarea></label>
      <${Problem} problem=${problem} />
      ${(problem?.violations ?? []).map((one, i) => html`<p key=${i} class="small"><code>
        ${one.field}</code> ${one.description}</p>`)}
      <label class="row"><input type="checkbox" checked=${again}
        onChange=${(event) => setAgain(event.target.checked)} />${t('fork.again')}</label>
      <div class="row"><button class="primary" disabled=${busy}>${t('fork.run')}</button>
        <button type="button" onClick=${close}>${t('app.cancel')}</button></div>
    </form></dialog>`;
}
