// Small parts that every view uses.

import { html, useRef } from '../../vendor/preact.js';
import { useWords } from './i18n.js';

/** What went wrong, said once and plainly. */
export function Problem({ problem }) {
  const { t } = useWords();
  if (!problem) return null;
  return html`<p class="notice bad" role="alert">${problem.status === 0 ? t('app.unreachable') : problem.message}</p>`;
}

/** A list of names and values; empty values are left out. */
export function Facts({ rows }) {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return html`<dl class="facts">${shown.map(([name, value]) => html`<dt key=${name}>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Tabs with arrow keys; `tabs` are [id, name] pairs, `children` the chosen panel. */
export function Tabs({ tabs, chosen, onChoose, label, children }) {
  const list = useRef(null);
  function onKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex(([id]) => id === chosen);
    const next = (at + step + tabs.length) % tabs.length;
    onChoose(tabs[next][0]);
    list.current.children[next].focus();
  }
  return html`<div class="tabs" role="tablist" aria-label=${label} ref=${list} onKeyDown=${onKey}>
      ${tabs.map(([id, name]) => html`<button key=${id} role="tab" id=${`tab-${id}`} aria-selected=${id === chosen} aria-controls="tab-panel"
        tabindex=${id === chosen ? 0 : -1} onClick=${() => onChoose(id)}>${name}</button>`)}
    </div>
    <div class="panel" role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${chosen}`} tabindex="0">${children}</div>`;
}

/** A heading with what stands under it, or the sentence that there is nothing. */
export function Section({ title, empty, children }) {
  const some = Array.isArray(children) ? children.some((child) => (Array.isArray(child) ? child.length : child)) : Boolean(children);
  return html`<section class="stack"><h3>${title}</h3>${some ? children : html`<p class="empty">${empty}</p>`}</section>`;
}
