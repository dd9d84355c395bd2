// Two sessions side by side, so that two prompts or two scripts can be told apart by what they do; where the second is
// given the answers of the first, it is done here.

import { html, useEffect, useMemo, useRef } from '../../vendor/preact.js';
import { namesOf } from '../author/reading.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { useStore } from '../lib/store.js';
import { Differences } from './differences.js';
import { firstDifference, pairsOf } from './replay.js';
import { ReplayBar, useReplay, useWhole } from './replay_bar.js';
import { LoneConversation, useLive } from './room.js';

/** Put a turn at the upper edge of each conversation that has it. */
function showTurns(room, pair) {
  const logs = room.querySelectorAll('.log');
  [pair.left, pair.right].forEach((side, i) => {
    const turn = side && logs[i]?.querySelector(`[data-turn="${CSS.escape(side.turnId)}"]`);
    turn?.scrollIntoView({ block: 'start' });
  });
}

/** The names of a session's actions by their ids. */
function useNamesIn(sessionId) {
  const words = useWords();
  const [outline] = useLoaded(() => api.outline(sessionId), [sessionId]);
  return useMemo(() => namesOf(words, outline), [words, outline]);
}

/** Both conversations, each with its own input, and above them where they part. */
export function Compare({ left, right, notices }) {
  const { t } = useWords();
  const room = useRef(null);
  const source = useLive(left);
  const target = useLive(right);
  const [ours, theirs] = [useStore(source.picture), useStore(target.picture)];
  const isWhole = [useWhole(source), useWhole(target)].every(Boolean);
  const playing = useReplay(source, target, isWhole);
  const pairs = useMemo(() => pairsOf(ours, theirs), [ours, theirs]);
  const first = firstDifference(pairs);
  const isStill = isWhole && !playing.plan?.running;
  useEffect(() => {
    if (!isStill || !first) return undefined;
    const frame = requestAnimationFrame(() => showTurns(room.current, first));
    return () => cancelAnimationFrame(frame);
  }, [isStill]);
  const called = [useNamesIn(left), useNamesIn(right)];
  const names = playing.plan ? ['compare.source', 'compare.changed'] : ['compare.left', 'compare.right'];
  return html`<div class="compare"><h1 class="hidden-text">${t('compare.title')}</h1>
    <${ReplayBar} ...${playing} />
    <${Differences} pairs=${pairs} isWhole=${isWhole} names=${names} called=${called}
      onShow=${(pair) => showTurns(room.current, pair)} />
    <div class="side-by-side" ref=${room}>
      ${[source, target].map((live, i) => html`<section key=${live.sessionId}
          aria-label=${t(i ? 'compare.right' : 'compare.left')}>
        <p class="side-name">${t(names[i])}</p><${LoneConversation} live=${live} notices=${notices} /></section>`)}
    </div></div>`;
}
