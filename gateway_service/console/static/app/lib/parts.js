// Small parts that every view uses.

import { html, useEffect, useLayoutEffect, useRef, useState } from '../../vendor/preact.js';
import { useWords } from './i18n.js';

/**
 * What went wrong, said once and plainly.
 * @param {{problem?: any}} props
 */
export function Problem({ problem }) {
  const { t } = useWords();
  if (!problem) return null;
  return html`<p class="notice bad" role="alert">${problem.status === 0 ? t('app.unreachable') : problem.message}</p>`;
}

/**
 * A list of names and values; empty values are left out.
 * @param {{rows: any[][]}} props
 */
export function Facts({ rows }) {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return html`<dl class="facts">${shown.map(([name, value]) => html`<dt key=${name}>${name}</dt><dd>
    ${value}</dd>`)}</dl>`;
}

/**
 * Which of some widths stand in a room of so many pixels, the chosen one always; the others go behind `more`.
 * @param {number[]} widths
 * @param {number} chosen
 * @param {number} room
 * @param {number} more
 */
export function fitting(widths, chosen, room, more) {
  const all = widths.map((_, i) => i);
  if (widths.reduce((sum, width) => sum + width, 0) <= room) return all;
  let left = room - more - widths[chosen];
  const shown = new Set([chosen]);
  for (const i of all) {
    if (i === chosen) continue;
    left -= widths[i];
    if (left < 0) break;
    shown.add(i);
  }
  return all.filter((i) => shown.has(i));
}

const MORE_PX = 84; // what the list of further tabs takes
const GAP_PX = 2; // between tabs
const PADDING_PX = 16; // left and right of them

/**
 * Places of the tabs that fit: all of them until they were measured in the box that `ref` stands in.
 * @param {{current: any}} list
 * @param {string} names
 * @param {number} chosen
 */
function useFitting(list, names, chosen) {
  const [room, setRoom] = useState(0);
  const widths = useRef(/** @type {number[]} */ ([]));
  const [measured, setMeasured] = useState('');
  useLayoutEffect(() => {
    const sizes = new ResizeObserver(() => setRoom(list.current.parentElement.clientWidth));
    sizes.observe(list.current.parentElement);
    return () => sizes.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (measured === names || !list.current.offsetWidth) return;
    widths.current = [...list.current.children].map((tab) => tab.offsetWidth + GAP_PX);
    setMeasured(names);
  }, [names, measured, room]);
  if (measured !== names || !room) return null;
  return fitting(widths.current, chosen, room - PADDING_PX, MORE_PX);
}

/**
 * Tabs with arrow keys, those that find no room in a list behind them; `tabs` are [id, name] pairs, `children` the
 * chosen panel.
 * @param {{
 *   tabs: [string, string][], chosen: string, onChoose: (id: string) => void, label: string, children?: any,
 * }} props
 */
export function Tabs({ tabs, chosen, onChoose, label, children }) {
  const { t } = useWords();
  const list = useRef(/** @type {any} */ (null));
  const place = tabs.findIndex(([id]) => id === chosen);
  const fits = useFitting(list, tabs.map(([, name]) => name).join('\n'), place);
  const shown = fits ? fits.map((i) => tabs[i]) : tabs;
  const others = tabs.filter((tab) => !shown.includes(tab));
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[/** @type {'ArrowRight'} */ (event.key)];
    if (!step) return;
    event.preventDefault();
    onChoose(tabs[(place + step + tabs.length) % tabs.length][0]);
  }
  useEffect(() => {
    if (list.current.contains(document.activeElement)) list.current.querySelector('[aria-selected="true"]').focus();
  }, [chosen, fits?.join()]);
  return html`<div class="tabs">
      <div role="tablist" aria-label=${label} ref=${list} onKeyDown=${onKey}>
        ${shown.map(([id, name]) => html`<button key=${id} role="tab" id=${`tab-${id}`} aria-selected=${id === chosen}
          aria-controls="tab-panel"
          tabindex=${id === chosen ? 0 : -1} onClick=${() => onChoose(id)}>${name}</button>`)}
      </div>
      ${others.length > 0 && html`<label class="more-tabs"><span class="hidden-text">${t('tab.more')}</span>
        <select value="" onChange=${(/** @type {any} */ event) => onChoose(event.target.value)}>
          <option value="" disabled hidden>${t('app.more')}</option>
          ${others.map(([id, name]) => html`<option key=${id} value=${id}>${name}</option>`)}</select></label>`}
    </div>
    <div class="panel" role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${chosen}`} tabindex="0">
      ${children}</div>`;
}

/**
 * A heading with what stands under it, or the sentence that there is nothing.
 * @param {{title: any, empty?: any, children?: any}} props
 */
export function Section({ title, empty, children }) {
  const some = [children].flat(2).some(Boolean);
  return html`<section class="stack"><h2>${title}</h2>${some ? children : html`<p class="empty">
    ${empty}</p>`}</section>`;
}
