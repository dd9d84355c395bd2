// One turn in full: what came in, what was decided each round, what was kept.

import { html } from '../../vendor/preact.js';
import { Bubbles, Facts } from '../chat/bubbles.js';
import { useWords } from '../lib/i18n.js';
import { clock, moment, span, textOf } from '../lib/text.js';
import { standing } from '../state/conversation.js';

/** A button that chooses a turn, by the time at which it began. */
export function TurnLink({ room, turnId }) {
  const { t, language } = useWords();
  const begun = room.live.picture.get().turns.get(turnId)?.begun;
  return html`<button class="quiet" title=${turnId} onClick=${() => room.choose(turnId)}>
    ${begun ? t('turn.at', { time: clock(begun, language) }) : t('turn.inspect')}</button>`;
}

/** The chosen turn, or the latest. */
export function TurnTab({ room, turn, picture }) {
  const { t, term, language } = useWords();
  if (!turn) return html`<p class="empty">${t('turnTab.none')}</p>`;
  const said = standing(picture).filter((message) => message.turnId === turn.turnId);
  const took = turn.begun && turn.ended ? span(Date.parse(turn.ended) - Date.parse(turn.begun)) : '';
  return html`<div class="row spread"><h2>${room.chosen ? t('turnTab.chosen') : t('turnTab.latest')}</h2>
      ${room.chosen && html`<button class="quiet" onClick=${() => room.choose(null)}>
        ${t('turnTab.follow')}</button>`}</div>
    <${Facts} rows=${[
      [t('timeline.from'), moment(turn.begun, language)], [t('timeline.took'), took],
      [t('turnTab.outcome'), term('outcome', turn.end?.outcome) || t('turn.running')],
      [t('chat.you'), said.filter((message) => message.role === 'client').map(textOf).join(' / ')],
      [t('chat.assistant'), said.filter((message) => message.role !== 'client').map(textOf).join(' / ')],
    ]} />
    <${Bubbles} room=${room} turn=${turn} />
    <details class="small soft"><summary>ID</summary><code>${turn.turnId}</code></details>`;
}
