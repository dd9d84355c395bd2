// One session: position, conversation, inspector. On a small screen one of them at a time.

import { html, useEffect, useMemo, useState } from '../../vendor/preact.js';
import { AuthorPane } from '../author/pane.js';
import { namesOf } from '../author/reading.js';
import { Composer, useSending } from '../chat/composer.js';
import { FormCard } from '../chat/form.js';
import { Legend } from '../chat/legend.js';
import { Transcript } from '../chat/transcript.js';
import { Inspector } from '../inspector/inspector.js';
import { api } from '../lib/api.js';
import { useAsk } from '../lib/ask.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { go, href } from '../lib/route.js';
import { useKept, useStore } from '../lib/store.js';
import { openSession } from '../state/live.js';
import { useThreads } from '../threads/threads.js';
import { ForkDialog } from './fork.js';
import { SafetyLine } from './safety.js';
import { keepSnapshot } from './snapshots.js';
import { SessionTools } from './tools.js';
import { PositionTree } from './tree.js';

/** An open session, closed when the view is left. */
export function useLive(sessionId) {
  const live = useMemo(() => openSession(sessionId), [sessionId]);
  useEffect(() => live.close, [live]);
  return live;
}

/** The model calls of a turn, each turn read once until something new came. */
function useCallsOf(live, ...moved) {
  const read = useMemo(() => new Map(), [live, ...moved]);
  return (turnId) => {
    if (!read.has(turnId)) read.set(turnId, api.calls(live.sessionId, turnId));
    return read.get(turnId);
  };
}

/** The names of an outline's actions in a reader's language, made once for each. */
function useNames(outline) {
  const made = useMemo(() => new Map(), [outline]);
  return (words) => {
    if (!made.has(words)) made.set(words, namesOf(words, outline));
    return made.get(words);
  };
}

/** How the reader looks at a session; the choices are kept in the browser. */
function useSettings(notices) {
  const [debug, setDebug] = useKept('debug', true);
  const [view, setView] = useKept('view', 'author');
  const [hidden, setHidden] = useKept('bubbles.hidden', []);
  return { debug, setDebug, isAuthor: view !== 'developer', setView, hidden, setHidden, notices };
}

/** What every part of the room may do. */
function useRoom(live, settings) {
  const { t } = useWords();
  const [chosen, choose] = useState(null);
  const [edited, editAction] = useState(null);
  const [noting, setNoting] = useState('');
  const [question, ask] = useAsk();
  const [problem, setProblem] = useState(null);
  const picture = useStore(live.picture);
  const turns = [...picture.turns.values()];
  const ended = turns.filter((turn) => turn.end).length;
  const written = turns.at(-1)?.variables.length;
  const [variables] = useLoaded(() => api.variables(live.sessionId), [live.sessionId, ended, written]);
  const histories = useMemo(() => new Map((variables ?? []).map((one) => [one.name, one.history ?? []])), [variables]);
  const attempt = (work) => work().catch(setProblem);
  const callsOf = useCallsOf(live, ended, picture.analyses.size);
  const threads = useThreads(live);
  const [outline] = useLoaded(() => api.outline(live.sessionId), [live.sessionId]);
  const names = useNames(outline);
  return {
    live, chosen, choose, edited, editAction, noting, setNoting, problem,
    histories, callsOf, threads, question, ...settings,
    outline, names, variables: variables ?? [],
    fork: (fromTurnId) => attempt(async () => {
      const { session } = await api.fork(live.sessionId, { fromTurnId });
      go('sessions', session.sessionId);
    }),
    retry: () => attempt(() => api.retry(live.sessionId, {})),
    snapshot: async (turnId) => {
      const session = live.link.get().session;
      const name = await ask({
        title: t('turn.snapshot'), field: t('turn.snapshotName'), value: session?.title || session?.scriptId || '',
        yes: t('app.keep'),
      });
      const made = new Date().toISOString();
      if (name) keepSnapshot({ sessionId: live.sessionId, turnId, name, title: session?.title ?? '', made });
    },
  };
}

function Head({ room }) {
  const { t, term } = useWords();
  const link = useStore(room.live.link);
  const picture = useStore(room.live.picture);
  const tone = { live: 'good', broken: 'warn', failed: 'bad' }[link.status] ?? 'info';
  return html`<div class="pane-head"><h1 class="grow">${link.session?.title || link.session?.scriptId || '…'}</h1>
    ${(link.session?.replacements ?? []).map((one) => html`<span class="pill violet" key=${one.actionId}>
      ${t('sessions.changed', { action: one.actionId })}</span>`)}
    ${picture.state && html`<span class="pill">${term('status', picture.state.status)}</span>`}
    <span class=${`pill ${tone}`} role="status">${t(`link.${link.status}`)}</span>
    <${SessionTools} live=${room.live} />
    <a class="small" href=${href('sessions', room.live.sessionId, 'lines')}>${t('lines.open')}</a>
    <${ViewChoice} room=${room} /></div>`;
}

/** Author or developer; the developer also chooses bubbles. */
function ViewChoice({ room }) {
  const { t } = useWords();
  const button = (view) => html`<button key=${view} aria-pressed=${(view === 'author') === room.isAuthor}
    onClick=${() => room.setView(view)}>${t(`view.${view}`)}</button>`;
  return html`<div class="view-choice" role="group" aria-label=${t('view.title')}>
    ${['author', 'developer'].map(button)}</div>
    ${!room.isAuthor && html`<label class="row small"><input type="checkbox" checked=${room.debug}
      onChange=${(event) => room.setDebug(event.target.checked)} />${t('chat.debug')}</label>`}
    ${!room.isAuthor && room.debug && html`<${Legend} hidden=${room.hidden} onHide=${room.setHidden} />`}`;
}

/** The conversation, by itself or as one side of a comparison; its head and log appear together, so that none moves. */
export function Conversation({ live, room }) {
  const { t } = useWords();
  const link = useStore(live.link);
  const request = useStore(live.picture, (picture) => picture.request);
  const post = useSending(room);
  const isNew = !link.session && link.status === 'connecting';
  // What is written is kept, and help is shown, where the session cannot be read either.
  return html`${!isNew && html`<${Head} room=${room} />`}<${SafetyLine} live=${live} />
    <${Problem} problem=${room.problem || link.problem || (link.status === 'live' && room.threads.problem)} />
    ${isNew ? html`<div class="log"><p class="empty" role="status">${t('app.loading')}</p></div>` : html`<${Transcript}
      room=${room}>${request && html`<${FormCard} key=${request.inputRequestId} request=${request}
      busy=${post.sending} onSubmit=${post.send} />`}<//>`}
    <${Composer} room=${room} post=${post} />`;
}

/** A conversation for a comparison. */
export function LoneConversation({ live, notices }) {
  const room = useRoom(live, useSettings(notices));
  useBeginning(live);
  return html`<${Conversation} live=${live} room=${room} /><${ForkDialog} room=${room} />${room.question}`;
}

/** A session that has not begun is begun by whoever opens it. */
function useBeginning(live) {
  const picture = useStore(live.picture);
  const { status, position } = picture.state ?? {};
  const fresh = status === 'running' && !position?.phaseId && picture.turns.size === 0;
  useEffect(() => { if (fresh) api.initialize(live.sessionId).catch(() => {}); }, [fresh]);
}

/** The whole room. */
export function Room({ sessionId, notices, turnId = '' }) {
  const { t } = useWords();
  const live = useLive(sessionId);
  const [pane, setPane] = useState('chat');
  const room = useRoom(live, useSettings(notices));
  useEffect(() => { if (turnId) room.choose(turnId); }, [turnId]);
  useBeginning(live);
  const away = (name) => (pane === name ? null : '');
  const choose = (turnId) => { room.choose(turnId); if (turnId) setPane('inspector'); };
  const shared = { ...room, choose, wanted: turnId };
  const paneName = (name) => t(name === 'inspector' && room.isAuthor ? 'pane.author' : `pane.${name}`);
  const name = useStore(live.link, (link) => link.session?.title || link.session?.scriptId || '…');
  return html`<div class="room">
    ${pane !== 'chat' && html`<h1 class="hidden-text room-name">${name}</h1>`}
    <div class="tabs room-tabs" role="group">${['position', 'chat', 'inspector'].map((name) => html`<button key=${name}
      aria-pressed=${pane === name} onClick=${() => setPane(name)}>${paneName(name)}</button>`)}</div>
    <section aria-label=${t('pane.position')} data-away=${away('position')}><${PositionTree} room=${shared} /></section>
    <section aria-label=${t('pane.chat')} data-away=${away('chat')}>
      <${Conversation} live=${live} room=${shared} /></section>
    <section aria-label=${paneName('inspector')} data-away=${away('inspector')}>
      <${room.isAuthor ? AuthorPane : Inspector} room=${shared} /></section>
    <${ForkDialog} room=${shared} />${room.question}
  </div>`;
}
