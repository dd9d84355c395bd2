// Where two sessions part: turn by turn each action with the decision on it, and what is asked next.

import { html } from '../../vendor/preact.js';
import { nameIn } from '../author/reading.js';
import { useWords } from '../lib/i18n.js';
import { useKept } from '../lib/store.js';

/** How a turn is called by its number; the opening has none. */
const nameOf = (t, number) => (number ? t('turn.turn', { n: number }) : t('turn.opening'));

function Course({ side, called }) {
  const words = useWords();
  const { t, term } = words;
  const name = (actionId) => html`${nameIn(words, called, { actionId })} <code class="small soft">${actionId}</code>`;
  if (!side) return html`<span class="soft">—</span>`;
  const asks = side.outcome === 'waiting' && side.asks;
  const verdict = ({ exits, reason }) => {
    if (exits === null) return '';
    return exits ? [t('bubble.exitYes'), term('reason', reason)].filter(Boolean).join(' · ') : t('bubble.exitNo');
  };
  return html`<ul class="course">${side.actions.map((one) => html`<li key=${`${one.actionId}${one.round}`}>
      ${name(one.actionId)} ${t('compare.round', { n: one.round })} ${verdict(one)}</li>`)}
    <li class="soft">${asks ? html`${t('compare.asks')} ${name(asks)}` : term('outcome', side.outcome)}</li></ul>`;
}

function Pair({ pair, called, onShow }) {
  const { t } = useWords();
  const { number, left, right, isMissing, isOtherCourse, isOtherWords } = pair;
  const isOther = left && right && left.said !== right.said;
  const marks = [
    isMissing && ['', 'compare.missing'], isOtherCourse && ['warn', 'compare.otherCourse'],
    isOtherWords && ['info', 'compare.otherWords'],
  ];
  const mark = marks.find(Boolean);
  return html`<tr class=${isOtherCourse ? 'parted' : ''}>
    <td><button class="quiet" onClick=${() => onShow(pair)}>${nameOf(t, number)}</button>
      <div>${mark && html`<span class=${`pill ${mark[0]}`}>${t(mark[1])}</span>`}</div></td>
    <td class="said">${(left ?? right).said}${isOther && html`<br /><span class="soft">${right.said}</span>`}</td>
    <td><${Course} side=${left} called=${called[0]} /></td>
    <td><${Course} side=${right} called=${called[1]} /></td></tr>`;
}

/**
 * The table of both courses; `names` are those of the columns, `called` those of each side's actions, `onShow(pair)` is
 * told which turn to show.
 */
export function Differences({ pairs, isWhole, names, called, onShow }) {
  const { t } = useWords();
  const [isOpen, setOpen] = useKept('differences', matchMedia('(min-width: 1021px)').matches);
  const parted = pairs.filter((pair) => pair.isOtherCourse);
  const first = parted.length && nameOf(t, parted[0].number);
  const told = first ? t('compare.parted', { count: parted.length, first }) : t('compare.same');
  return html`<details class="differences" open=${isOpen} onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary><span role="status">${isWhole ? told : t('app.loading')}</span></summary>
    <div class="table-frame" tabindex="0" role="region" aria-label=${t('compare.title')}><table>
      <thead><tr><th scope="col">${t('compare.turn')}</th><th scope="col">${t('chat.you')}</th>
        ${names.map((name) => html`<th scope="col" key=${name}>${t(name)}</th>`)}</tr></thead>
      <tbody>${pairs.map((pair) => html`<${Pair} key=${pair.number} pair=${pair} called=${called}
        onShow=${onShow} />`)}</tbody>
    </table></div>
  </details>`;
}
