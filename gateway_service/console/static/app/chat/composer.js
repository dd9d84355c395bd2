// Where a person speaks: words, or a form. An input keeps its id until the server has it, so that a repeat is no
// double.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { failureText } from '../lib/failures.js';
import { useWords } from '../lib/i18n.js';
import { OfflineCard, SafetyCard } from '../lib/safety_notice.js';
import { useStore } from '../lib/store.js';
import { length } from '../lib/text.js';
import { quickReplies } from '../state/conversation.js';

const NEAR_LIMIT = 0.9; // of the characters that one message may have

const newId = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`;

/**
 * Send with the same id until the server answers; a line that is down for a moment costs nothing. `onMissed` is told of
 * each miss.
 */
export async function sendSurely(sessionId, input, onMissed = () => {}, tries = 4) {
  for (let wait = 400; ; wait *= 2) {
    try {
      return await api.say(sessionId, input);
    } catch (error) {
      tries -= 1;
      if (error.status === 0 || error.status >= 500) onMissed();
      if (tries <= 0 || ![0, 502, 503, 504].includes(error.status)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/**
 * How long a text is, once it comes near its limit. A longer one can be sent: the server says what to do, and where
 * help is.
 */
function Length({ text, most }) {
  const { t } = useWords();
  const written = length(text);
  if (!most || written < most * NEAR_LIMIT) return null;
  return html`<p class=${`notice ${written > most ? 'bad' : ''}`} role="status">
    ${t('chat.length', { n: written, most })}</p>`;
}

/** What is sent from here, by the composer or by a form, and what became of the last of it. */
export function useSending(room) {
  const { t } = useWords();
  const [problem, setProblem] = useState('');
  const [sending, setSending] = useState(false);
  const [card, setCard] = useState(null); // what a person in danger is shown in place of an answer
  const [unsent, setUnsent] = useState(false); // the server did not get what was said
  async function send(input) {
    setSending(true);
    setProblem('');
    setCard(null);
    const clientMessageId = newId();
    room.live.link.send({ sent: clientMessageId });
    try {
      await sendSurely(room.live.sessionId, { clientMessageId, ...input }, () => setUnsent(true));
      setUnsent(false);
      return true;
    } catch (error) {
      setProblem(error.status ? error.message : t('app.unreachable'));
      setCard(error.problem?.safetyFallback?.card ?? null);
      return false;
    } finally {
      setSending(false);
    }
  }
  return { send, sending, problem, setProblem, card, unsent };
}

/** The lower end of the conversation. */
export function Composer({ room, post }) {
  const words = useWords();
  const { t } = words;
  const { send, sending, problem, setProblem, card, unsent } = post;
  const picture = useStore(room.live.picture);
  const [text, setText] = useState('');
  const box = useRef(null);
  const status = picture.state?.status;
  const replies = quickReplies(picture);
  const running = [...picture.turns.values()].filter((turn) => turn.begun && !turn.end).at(-1);

  useEffect(() => {
    const area = box.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight + 2, 160)}px`;
  }, [text]);

  async function sayText() {
    const said = text.trim();
    if (!said || sending) return;
    setText('');
    if (!(await send({ text: said }))) setText((now) => now || said);
    box.current?.focus();
  }
  function onKey(event) {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    sayText();
  }
  const stop = () => api.interrupt(room.live.sessionId, { turnId: running.turnId })
    .catch((error) => setProblem(error.message));
  const rejected = picture.rejected?.problem;
  const shown = card ?? picture.rejected?.fallback?.card;
  return html`<div>
    ${!shown && (problem || rejected) && html`<p class="notice bad" role="alert">
      ${t('chat.rejected', { reason: problem || failureText(words, rejected) })}</p>`}
    ${shown ? html`<${SafetyCard} card=${shown} />` : unsent && html`<${OfflineCard} notices=${room.notices} />`}
    ${status === 'completed' && html`<p class="notice" role="status">${t('chat.ended')}</p>`}
    ${picture.goingAway && html`<p class="notice warn" role="status">${t('chat.goingAway')}</p>`}
    ${replies.length > 0 && html`<div class="replies" role="group" aria-label=${t('chat.replies')}>
      ${replies.map((reply) => html`<button key=${reply} disabled=${sending} onClick=${() => send({ text: reply })}>
        ${reply}</button>`)}</div>`}
    <${Length} text=${text.trim()} most=${picture.maxInputChars} />
    <form class="composer" onSubmit=${(event) => { event.preventDefault(); sayText(); }}>
      <label class="grow"><span class="hidden-text">${t('chat.say')}</span>
        <textarea ref=${box} rows="1" value=${text} placeholder=${t('chat.say')} title=${t('chat.hint')}
          onInput=${(event) => setText(event.target.value)} onKeyDown=${onKey}></textarea></label>
      ${running && html`<button type="button"
        onClick=${stop}>${t('chat.stop')}</button>`}
      <button class="primary" disabled=${sending || !text.trim()}>${t('chat.send')}</button>
    </form>
  </div>`;
}
