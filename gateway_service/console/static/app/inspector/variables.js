// Variables as they are now, each with what it was before; how they were extracted; and scopes that were left.

import { html, useState } from '../../vendor/preact.js';
import { KNOWN, scopeName, Support } from '../chat/bubbles.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem, Section } from '../lib/parts.js';
import { clock, show } from '../lib/text.js';

const MOST_OPERATIONS = 200;

/** How values came to be known besides a question for them: heard ahead, confirmed or passed over; the last counts. */
function marksOf(turns) {
  const found = new Map();
  for (const turn of turns.values()) {
    const names = turn.results.flatMap((result) => result.metadata?.gathered_ahead ?? []);
    for (const name of names) found.set(name, ['ahead']);
    for (const { answers, reason } of turn.skipped) {
      for (const one of answers ?? []) found.set(one.variable, ['ahead', KNOWN[reason]]);
    }
  }
  return found;
}

function Row({ variable, marks }) {
  const { t, term, language } = useWords();
  const earlier = variable.history ?? [];
  return html`<tr>
    <td class="lead"><strong>${variable.name}</strong>${variable.archived && html` <span class="pill">
      ${t('variables.archived')}</span>`}</td>
    <td class="lead">${show(variable.value)} <${Support} support=${variable.support} quote=${variable.quote}
      marks=${marks} />${earlier.length > 0 && html`<details class="small"><summary>
      ${t('bubble.history')} (${earlier.length})</summary>
      <ul>${earlier.map((one, i) => html`<li key=${i}>${show(one.value)} <${Support} support=${one.support}
        quote=${one.quote} /> <span class="soft">
        ${one.source} ${clock(one.lastUpdated, language)}</span></li>`)}</ul></details>`}</td>
    <td data-name=${t('bubble.scope')}>${scopeName(term, variable)}</td><td data-name=${t('bubble.source')}>
      ${variable.source}</td>
  </tr>`;
}

function Table({ heads, children }) {
  return html`<div class="table-frame cards"><table><thead><tr>${heads.map((head) => html`<th key=${head} scope="col">
    ${head}</th>`)}</tr></thead><tbody>${children}</tbody></table></div>`;
}

/** All about variables. */
export function VariablesTab({ room, picture, moved }) {
  const { t, term, language } = useWords();
  const id = room.live.sessionId;
  const [filter, setFilter] = useState('');
  const [variables, problem] = useLoaded(() => api.variables(id), [id, moved]);
  const [operations] = useLoaded(() => api.operations(id), [id, moved]);
  const [snapshots] = useLoaded(() => api.scopeSnapshots(id), [id, moved]);
  const shown = (variables ?? []).filter((variable) => variable.name.includes(filter.trim()));
  const marks = marksOf(picture.turns);
  const written = (operations ?? []).slice(-MOST_OPERATIONS).reverse();
  return html`<${Problem} problem=${problem} />
    ${(variables ?? []).length > 8 && html`<label><span class="hidden-text">${t('variables.filter')}</span>
      <input type="search" placeholder=${t('variables.filter')} value=${filter}
      onInput=${(event) => setFilter(event.target.value)} /></label>`}
    <${Section} title=${t('variables.now')} empty=${t('variables.none')}>
      ${shown.length > 0 && html`<${Table}
        heads=${[t('bubble.name'), t('bubble.value'), t('bubble.scope'), t('bubble.source')]}>
        ${shown.map((variable) => html`<${Row}
          key=${`${variable.scope}${variable.scopeId}${variable.name}${variable.archived}`} variable=${variable}
          marks=${marks.get(variable.name)} />`)}<//>`}
    <//>
    <${Section} title=${t('variables.operations')} empty=${t('variables.none')}>
      ${written.length > 0 && html`<${Table}
        heads=${[t('bubble.name'), t('bubble.value'), t('bubble.scope'), t('bubble.source'), t('variables.changed')]}>
        ${written.map((one, i) => html`<tr key=${i}>
          <td class="lead"><strong>${one.variableName}</strong></td><td class="lead">
            ${show(one.value)} <${Support} support=${one.support} quote=${one.quote} /></td>
          <td data-name=${t('bubble.scope')}>${scopeName(term, one)}</td><td data-name=${t('bubble.source')}>
            ${one.actionId} · ${term('operation', one.operation)}</td>
          <td class="when" data-name=${t('variables.changed')}>${clock(one.timestamp, language)}</td></tr>`)}<//>`}
    <//>
    <${Section} title=${t('variables.snapshots')} empty=${t('bubble.nothingCleaned')}>
      ${(snapshots ?? []).map((left, i) => html`<details key=${i} class="card"><summary>
        ${t('bubble.left', { scope: scopeName(term, left) })} <span class="soft small">
        ${clock(left.createTime, language)}</span></summary>
        <dl class="facts">${Object.entries(left.variables ?? {}).map(([name, value]) => html`<dt key=${name}>
          ${name}</dt><dd>${show(value)}</dd>`)}</dl></details>`)}
    <//>`;
}
