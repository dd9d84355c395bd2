// What an operator noted at a turn: shown below its heading, written in its place.

import { html, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { Problem } from '../lib/parts.js';
import { useStore } from '../lib/store.js';

const LONGEST = 2000;

function NoteForm({ room, turnId, text }) {
  const { t } = useWords();
  const [written, setWritten] = useState(text);
  const [problem, setProblem] = useState(null);
  const done = (session) => { room.live.link.send({ session }); room.setNoting(''); };
  const save = (event) => {
    event.preventDefault();
    const notes = { [turnId]: written.trim() };
    api.updateSession(room.live.sessionId, { notes, updateMask: `notes.${turnId}` }).then(done, setProblem);
  };
  return html`<form class="note stack" onSubmit=${save}>
    <label><span class="name">${t('notes.field')}</span>
      <textarea rows="3" maxlength=${LONGEST} autofocus value=${written} dir="auto"
        onInput=${(event) => setWritten(event.target.value)} /></label>
    <div class="row"><button class="primary">${t('app.keep')}</button>
      <button type="button" onClick=${() => room.setNoting('')}>${t('app.cancel')}</button></div>
    <${Problem} problem=${problem} /></form>`;
}

/** The note at a turn, or the form in which it is written; nothing where there is none. */
export function NoteAt({ room, turnId }) {
  const { t } = useWords();
  const text = useStore(room.live.link, (link) => link.session?.notes?.[turnId] ?? '');
  if (!turnId) return null;
  if (room.noting === turnId) return html`<${NoteForm} room=${room} turnId=${turnId} text=${text} />`;
  return text && html`<div class="note" role="note" aria-label=${t('notes.title')}>
    <span class="small soft">${t('notes.title')}</span><p class="text" dir="auto">${text}</p></div>`;
}
