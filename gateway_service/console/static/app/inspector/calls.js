// Model calls of a turn: the prompt as sent, the reply as it came, tokens, time, and how it was read.

import { html } from '../../vendor/preact.js';
import { Block, Facts, ParseFacts } from '../chat/bubbles.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { span } from '../lib/text.js';
import { around, messagesOf } from './prompts.js';

const CONTEXT = 240;

/** A text with one piece of it marked, and little of what surrounds it. */
function Marked({ text, piece }) {
  const cut = around(text, piece);
  if (!cut) return html`<pre tabindex="0">${text}</pre>`;
  const [before, found, after] = cut;
  return html`<pre tabindex="0">${before.length > CONTEXT ? `… ${before.slice(-CONTEXT)}` : before}<mark>${found}</mark>
    ${after.length > CONTEXT ? `${after.slice(0, CONTEXT)} …` : after}</pre>`;
}

/** The messages of a call; with a piece to mark, those that hold it stand open and the others wait. */
function Prompt({ call, piece }) {
  const { t } = useWords();
  const messages = messagesOf(call.input);
  const holding = piece ? messages.filter((message) => message.content.includes(piece)) : [];
  const show = (message, i) => html`<div key=${i}><span class="pill">${message.role}</span>
    <${Marked} text=${message.content} piece=${piece} /></div>`;
  return html`${holding.map(show)}
    <details><summary>${t('calls.prompt')}</summary>${messages.map((message, i) => html`<div key=${i}>
      <span class="pill">${message.role}</span><pre tabindex="0">${message.content}</pre></div>`)}</details>`;
}

/** One call. `piece` is a text to mark in its prompt, such as an advice that entered it. */
export function Call({ call, piece, open = false }) {
  const { t, term } = useWords();
  const title = [term('purpose', call.purpose), call.promptType, call.model].filter(Boolean).join(' · ');
  const tokens = t('calls.tokens', { prompt: call.promptTokens ?? 0, completion: call.completionTokens ?? 0 });
  const { strategy, retryCount = 0 } = call.parse ?? {};
  const parsed = [strategy, retryCount > 1 && `${retryCount}/3`];
  return html`<details class="card call" open=${open}>
    <summary>${title} ${call.error && html`<span class="pill bad">${term('code', call.error)}</span>`}<br />
      <span class="soft small">
      ${tokens} · ${span(call.latencyMs)} · ${t('calls.first')} ${span(call.firstTokenMs)}</span></summary>
    <div class="stack">
      <${Prompt} call=${call} piece=${piece} />
      <details><summary>${t('calls.response')}</summary><${Block} text=${call.output} /></details>
      ${call.parse && html`<${Facts} rows=${[
        [t('calls.parse'), parsed.filter(Boolean).join(' ')],
        [term('fact', 'repairs'), (call.parse.repairs ?? []).join(', ')],
        [term('fact', 'warnings'), (call.parse.warnings ?? []).join('; ')],
        [t('calls.config'), call.config && Object.keys(call.config).length ? JSON.stringify(call.config) : ''],
      ]} />`}
      ${call.parse?.parseError && html`<div class="notice bad"><${ParseFacts} error=${call.parse.parseError} /></div>`}
    </div>
  </details>`;
}

/** The calls of the chosen turn. */
export function CallsTab({ room, turn, moved }) {
  const { t } = useWords();
  const id = room.live.sessionId;
  const [calls, problem] = useLoaded(
    () => (turn ? room.callsOf(turn.turnId) : Promise.resolve([])), [id, turn?.turnId, moved],
  );
  return html`<${Problem} problem=${problem} />
    ${calls && !calls.length && html`<p class="empty">${t('calls.none')}</p>`}
    ${(calls ?? []).map((call) => html`<${Call} key=${call.callId} call=${call} />`)}`;
}
