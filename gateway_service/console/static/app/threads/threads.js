// Threads folded into the message they are nested in: who works in one, how far it is, and what is said there.

import { html, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useFollowed } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { useStore } from '../lib/store.js';
import { CancelButton } from '../runs/cancel.js';
import { RunState } from '../runs/marks.js';
import { isMasked, nestedIn } from './reading.js';

/** All threads of a session in the order of their opening, followed: `{live, list, problem, again}`. */
export function useThreads(live) {
  const changes = useStore(live.picture, (picture) => picture.threadChanges);
  const isLive = useStore(live.link, (link) => link.status === 'live');
  const read = () => api.threads(live.sessionId);
  const [list, problem, again] = useFollowed(read, [changes, isLive], [live.sessionId]);
  return { live, list: list ?? [], problem, again };
}

function Fold({ title, value }) {
  if (!Object.keys(value ?? {}).length) return null;
  return html`<details><summary>${title}</summary>
    <pre tabindex="0">${JSON.stringify(value, null, 2)}</pre></details>`;
}

function Said({ message, threads }) {
  const { t, term } = useWords();
  const unit = message.unit > 0 && t('thread.unit', { n: message.unit });
  return html`<li class=${`thread-message ${message.role}`}>
    <p class="small soft">${[term('threadRole', message.role), unit].filter(Boolean).join(' · ')}
      ${message.phase && html` · <bdi>${message.phase}</bdi>`}
      ${message.isPlaceholder && html` · ${t('chat.placeholder')}`}</p>
    <div class="text" dir="auto">${message.text}</div>
    <${ThreadsIn} message=${message} threads=${threads} /></li>`;
}

/** What is said in a thread, read while it is unfolded and again whenever the session tells more of it. */
function Inside({ thread, threads }) {
  const { t } = useWords();
  const { live } = threads;
  const { threadId, runId, state } = thread;
  const told = useStore(live.picture, (picture) => picture.threads.get(threadId) ?? 0);
  const isLive = useStore(live.link, (link) => link.status === 'live');
  const [reveal, setReveal] = useState(false);
  const read = () => api.thread(live.sessionId, threadId, reveal || undefined);
  const [found, problem] = useFollowed(read, [told, isLive], [live.sessionId, threadId, reveal]);
  const messages = found?.messages ?? [];
  return html`<div class="inside">
    <${Problem} problem=${problem} />
    ${!found && !problem && html`<p class="empty" role="status">${t('app.loading')}</p>`}
    ${isMasked(messages) && html`<div class="notice warn row"><span class="grow">${t('thread.masked')}</span>
      <button onClick=${() => setReveal(true)}>${t('run.reveal')}</button></div>`}
    <${Fold} title=${t('thread.request')} value=${found?.thread.request} />
    ${found && !messages.length && html`<p class="empty">${t('thread.silent')}</p>`}
    <ol>${messages.map((one) => html`<${Said} key=${one.number} message=${one} threads=${threads} />`)}</ol>
    <${Fold} title=${t('thread.values')} value=${found?.thread.values} />
    ${thread.depth === 1 && state === 'running' && html`<div class="row"><${CancelButton} sessionId=${live.sessionId}
      runId=${runId} name=${t('thread.cancel')} sure=${t('thread.sureCancel')}
        onDone=${threads.again} /></div>`}</div>`;
}

/** One thread, folded: its agent, what it does or its phase, its state, and why it failed. */
function Thread({ thread, threads }) {
  const { term } = useWords();
  const [isOpen, setOpen] = useState(false);
  const label = useStore(threads.live.picture, (picture) => picture.labels.get(thread.anchorMessageId)?.label);
  const phase = (thread.state === 'running' && label) || thread.phase;
  return html`<details class="thread" onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary><bdi class="agent">${thread.agent}</bdi>${phase && html` · <bdi>${phase}</bdi>`}${' '}
      <${RunState} state=${thread.state} />${thread.failureCode
        && html` <span class="small">${term('runCode', thread.failureCode.toLowerCase())}</span>`}</summary>
    ${isOpen && html`<${Inside} thread=${thread} threads=${threads} />`}</details>`;
}

/** The threads of a list, each folded. */
export function ThreadFolds({ list, threads }) {
  return list.map((one) => html`<${Thread} key=${one.threadId} thread=${one} threads=${threads} />`);
}

/** The threads nested in a message of the conversation, or of a thread. */
export function ThreadsIn({ message, threads }) {
  return html`<${ThreadFolds} list=${nestedIn(message, threads.list)} threads=${threads} />`;
}
