// The conversation, turn by turn, and the form that is open, at its end. Older turns are read when they are wanted.

import { html, useEffect, useLayoutEffect, useMemo, useRef } from '../../vendor/preact.js';
import { useWords } from '../lib/i18n.js';
import { useStore } from '../lib/store.js';
import { failureText } from '../lib/failures.js';
import { href } from '../lib/route.js';
import { clock } from '../lib/text.js';
import { schemaOf, transcript } from '../state/conversation.js';
import { anchorOf } from '../threads/reading.js';
import { ThreadsIn } from '../threads/threads.js';
import { Rounds } from '../author/rounds.js';
import { Bubbles } from './bubbles.js';
import { DraftView, MessageView } from './messages.js';
import { NoteAt } from './notes.js';

const NEAR_END_PX = 80;
const GAP_PX = 10; // between a form and the edge above it

function TurnHead({ group, number, room }) {
  const { t, language } = useWords();
  const { turn, turnId } = group;
  if (!turnId) return null;
  const merged = turn?.inputs.length ?? 0;
  const began = clock(turn?.begun ?? group.messages[0]?.createTime, language);
  const numbered = number ? t('turn.turn', { n: number }) : began;
  const name = turn && !turn.inputs.length ? t('turn.opening') : numbered;
  return html`<div class="turn-mark">
    <button class="quiet" aria-pressed=${room.chosen === turnId} title=${t('turn.inspect')}
      onClick=${() => room.choose(turnId)}>${name}</button>
    <a class="quiet" href=${href('sessions', room.live.sessionId, 'turns', turnId)} title=${t('turn.linkHint')}
      onClick=${() => room.choose(turnId)}>${t('turn.link')}</a>
    ${turn?.attempt > 1 && html`<span class="pill warn">${t('chat.retrying', { n: turn.attempt })}</span>`}
    ${merged > 1 && html`<span class="pill info">${t('turn.merged', { count: merged })}</span>`}
    <button class="quiet" title=${t('notes.hint')} onClick=${() => room.setNoting(turnId)}>${t('notes.write')}</button>
    ${turn?.end && html`<button class="quiet" onClick=${() => room.fork(turnId)}>${t('turn.fork')}</button>
      <button class="quiet" onClick=${() => room.snapshot(turnId)}>${t('turn.snapshot')}</button>`}
  </div>`;
}

function Turn({ group, number, room, status }) {
  const words = useWords();
  const { t } = words;
  const { turn, messages, drafts } = group;
  const isThinking = turn?.begun && !turn.end && !drafts.length;
  const failed = turn?.end?.outcome === 'failed';
  return html`<div class="turn" data-turn=${group.turnId}>
    <${TurnHead} group=${group} number=${number} room=${room} />
    <${NoteAt} room=${room} turnId=${group.turnId} />
    ${messages.map((message) => html`<${MessageView} key=${anchorOf(message)} message=${message} status=${status}
      schema=${schemaOf(room.live.picture.get(), message)}>
      <${ThreadsIn} message=${message} threads=${room.threads} /><//>`)}
    ${drafts.map((draft) => html`<${DraftView} key=${draft.messageId} draft=${draft} />`)}
    ${isThinking && turn.failure && html`<p class="notice bad">
      ${t('chat.failedBefore', { reason: failureText(words, turn.failure) })}</p>`}
    ${isThinking && html`<${DraftView} draft=${{ text: '' }} />`}
    ${failed && html`<p class="notice bad">${t('chat.failed', { reason: failureText(words, turn.end.problem) })}
      <button class="quiet" onClick=${room.retry}>${t('chat.retry')}</button></p>`}
    ${room.isAuthor && turn && html`<${Rounds} room=${room} turn=${turn} picture=${room.live.picture.get()} />`}
    ${!room.isAuthor && room.debug && turn && html`<${Bubbles} room=${room} turn=${turn} />`}
  </div>`;
}

/** How far down the log stands at its end: the last words in sight, or all of an open form that there is room for. */
function endOf(box) {
  const last = box.scrollHeight - box.clientHeight;
  const form = box.querySelector('.form');
  return form ? Math.min(last, form.offsetTop - GAP_PX) : last;
}

/** Where a log stands. */
const placeOf = (box) => ({ top: box.scrollTop, height: box.scrollHeight, room: box.clientHeight });

/** The turn that the address names, in sight: it is read if it is older than what was read, and shown once. */
function useTurnAt({ live, wanted }, { log, atEnd, seen }, groups, link) {
  const shown = useRef('');
  useLayoutEffect(() => {
    if (!wanted || shown.current === wanted || link.loading || link.status === 'connecting') return;
    const turn = log.current.querySelector(`[data-turn="${CSS.escape(wanted)}"]`);
    if (turn) {
      shown.current = wanted;
      atEnd.current = false;
      turn.scrollIntoView({ block: 'start' });
      seen.current = placeOf(log.current);
    } else if (link.oldest > 0) live.older();
  }, [wanted, groups, link]);
}

/**
 * The whole log of a session; `children` stand behind the last turn. It stays at its end until the reader scrolls away,
 * and returns there when a message is sent from here.
 */
export function Transcript({ room, children }) {
  const { t } = useWords();
  const picture = useStore(room.live.picture);
  const link = useStore(room.live.link);
  const groups = useMemo(() => transcript(picture), [picture]);
  const log = useRef(null);
  const content = useRef(null);
  const atEnd = useRef(true);
  const seen = useRef({});

  const toEnd = () => {
    if (!log.current) return;
    if (atEnd.current) log.current.scrollTop = endOf(log.current);
    seen.current = placeOf(log.current);
  };
  useLayoutEffect(() => { atEnd.current = true; }, [link.sent]);
  useLayoutEffect(toEnd, [groups, link.sent, room.debug, room.isAuthor, room.hidden, picture.request]);
  useTurnAt(room, { log, atEnd, seen }, groups, link);
  useEffect(() => {
    // Pictures, fonts and bubbles change heights after the groups were drawn.
    const sizes = new ResizeObserver(toEnd);
    sizes.observe(content.current);
    sizes.observe(log.current);
    return () => sizes.disconnect();
  }, []);
  useEffect(() => {
    const box = log.current;
    const look = () => {
      const before = seen.current;
      const now = placeOf(box);
      seen.current = now;
      // A box or a content of another size moves what is in sight without the reader, and so does this page.
      if (now.height !== before.height || now.room !== before.room || now.top === before.top) return;
      atEnd.current = Math.abs(endOf(box) - now.top) < NEAR_END_PX;
      if (now.top < NEAR_END_PX && link.oldest > 0) room.live.older();
    };
    box.addEventListener('scroll', look, { passive: true });
    return () => box.removeEventListener('scroll', look);
  }, [link.oldest]);

  let number = 0;
  return html`<div class="log" ref=${log} role="log" data-hidden=${room.hidden.join(' ')} aria-label=${t('chat.log')}
    tabindex="0"><div ref=${content}>
    ${link.oldest > 0 && html`<button class="quiet" disabled=${link.loading} onClick=${room.live.older}>
      ${t('chat.older')}</button>`}
    ${groups.map((group) => {
      if (group.turnId && (group.turn?.inputs.length ?? 1) > 0) number += 1;
      return html`<${Turn} key=${group.turnId || group.messages[0]?.messageId} group=${group}
        status=${picture.state?.status} number=${link.oldest > 0 ? 0 : number} room=${room} />`;
    })}
    ${children}
  </div></div>`;
}
