// Under a turn, for the author: one sentence for each round, and what was learned.

import { html, useMemo } from '../../vendor/preact.js';
import { failureText } from '../lib/failures.js';
import { useWords } from '../lib/i18n.js';
import { show } from '../lib/text.js';
import { learnedIn, sentencesOf } from './reading.js';

/** The sentences of a turn; nothing for one that is not decided yet. Streamed pieces of another turn change none. */
export function Rounds({ room, turn, picture }) {
  const words = useWords();
  const names = room.names(words);
  return useMemo(() => {
    const sentences = sentencesOf(words, names, picture, turn);
    const learned = [...learnedIn(turn)];
    if (!sentences.length && !learned.length) return null;
    return html`<div class="rounds">
      ${sentences.map((text, i) => html`<p key=${i}>${text}</p>`)}
      ${learned.length > 0 && html`<p class="learned">${words.t('author.learned')}
        ${learned.map(([name, value]) => html` <span key=${name}><b>${name}</b> ${show(value)}</span>`)}</p>`}
    </div>`;
  }, [words, names, picture.advice, turn]);
}

/** What went wrong in a turn, for people. */
export function Failure({ turn }) {
  const words = useWords();
  if (turn.end?.outcome !== 'failed') return null;
  return html`<p class="notice bad">${words.t('chat.failed', { reason: failureText(words, turn.end.problem) })}</p>`;
}
