// What the list of sessions is filtered and ordered by, as fields a person fills in; the server reads it as one text.

import { html } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';

export const NO_FILTER = {
  scriptId: '', version: '', status: '', label: '', from: '', to: '', advice: '', failure: '', order: '',
};
const STATUSES = ['running', 'waiting_input', 'completed', 'error'];
const ORDERS = ['create_time', 'update_time desc'];
const NAMED = /^\s*([^=:：＝]+?)\s*(?:[=:：＝]\s*(.*?)\s*)?$/u;

/** A value as a filter has it; whatever is in it stays data. */
const quoted = (text) => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/** `study` asks for the label, `study: autumn` for its value. */
function labelAsked(text) {
  const [, name, value] = NAMED.exec(text) ?? [];
  if (!name) return '';
  return value ? `labels.${name} = ${quoted(value)}` : `labels:${name}`;
}

/** The moment at which a day of the reader's clock begins, so many days later. */
function dayBegins(day, later) {
  const [year, month, date] = day.split('-').map(Number);
  return quoted(new Date(year, month - 1, date + later).toISOString());
}

/** The filter of the request. */
export function filterText(asked) {
  return [
    asked.scriptId && `script_id = ${quoted(asked.scriptId)}`,
    asked.scriptId && asked.version && `script_version = ${quoted(asked.version)}`,
    asked.status && `status = ${asked.status}`,
    labelAsked(asked.label),
    asked.from && `create_time >= ${dayBegins(asked.from, 0)}`,
    asked.to && `create_time < ${dayBegins(asked.to, 1)}`,
    asked.advice && `had_advice = ${asked.advice}`,
    asked.failure && `had_failure = ${asked.failure}`,
  ].filter(Boolean).join(' AND ');
}

function Choice({ name, value, choices, onChange, any }) {
  return html`<label><span class="name">${name}</span>
    <select value=${value} onChange=${(event) => onChange(event.target.value)}>
      <option value="">${any}</option>
      ${choices.map(([id, words]) => html`<option key=${id} value=${id}>${words}</option>`)}</select></label>`;
}

/** The fields; `onChange` is told the whole filter. */
export function Filter({ asked, scripts, onChange }) {
  const { t, term } = useWords();
  const [versions] = useLoaded(
    () => (asked.scriptId ? api.versions(asked.scriptId) : Promise.resolve([])), [asked.scriptId],
  );
  const set = (part) => onChange({ ...asked, ...part });
  const field = (name, type) => html`<label><span class="name">${t(`filter.${name}`)}</span>
    <input type=${type} value=${asked[name]} maxlength="320"
      onChange=${(event) => set({ [name]: event.target.value })} /></label>`;
  const choice = (name, choices, any = t('filter.any')) => html`<${Choice} name=${t(`filter.${name}`)} any=${any}
    value=${asked[name]} choices=${choices} onChange=${(value) => set({ [name]: value })} />`;
  const yesNo = [['true', t('filter.yes')], ['false', t('filter.no')]];
  const many = Object.entries(asked).filter(([name, value]) => value && name !== 'order').length;
  return html`<details class="card session-filter" open=${many > 0}>
    <summary>${t('filter.title')}
      ${many > 0 && html` <span class="pill info">${t('filter.count', { n: many })}</span>`}</summary>
    <form onSubmit=${(event) => event.preventDefault()}>
      <${Choice} name=${t('filter.script')} any=${t('filter.any')} value=${asked.scriptId}
        choices=${scripts.map((one) => [one.scriptId, one.sessionName || one.scriptId])}
        onChange=${(scriptId) => set({ scriptId, version: '' })} />
      ${asked.scriptId && choice('version', (versions ?? []).map((one) => [one.version, one.number]))}
      ${choice('status', STATUSES.map((name) => [name, term('status', name)]))}
      ${field('label', 'search')}${field('from', 'date')}${field('to', 'date')}
      ${choice('advice', yesNo)}${choice('failure', yesNo)}
      ${choice('order', ORDERS.map((name) => [name, t(`order.${name}`)]), t('order.newest'))}
      ${many > 0 && html`<button type="button" onClick=${() => onChange({ ...NO_FILTER, order: asked.order })}>
        ${t('filter.clear')}</button>`}
    </form></details>`;
}
