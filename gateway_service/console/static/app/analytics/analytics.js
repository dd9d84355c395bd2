// How the sessions of one version of a script went: started, finished, stopped where, advice, strategies, tokens.

import { html, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem, Section } from '../lib/parts.js';
import { go, href } from '../lib/route.js';
import { moment } from '../lib/text.js';
import { filterText } from '../sessions/filter.js';
import { adviceTotals, countOf, inOrder, roundsEach, share } from './figures.js';

const EXITS = ['exit_criteria_met', 'max_rounds_reached', 'user_blocked', 'off_topic'];
const PROGRESS = ['continue_needed', 'completed', 'blocked', 'off_topic'];

/** A number with a bar as long as its part of the whole; the bar says nothing that the words do not. */
export function Bar({ name, count, whole, tone = '' }) {
  const part = share(count, whole);
  return html`<div class="figure-bar"><span>${name}</span>
    <meter class=${tone} min="0" max="100" value=${part ?? 0} aria-label=${name}>${part}%</meter>
    <span class="figure">${count}${part !== null && html` <span class="soft">${part}%</span>`}</span></div>`;
}

/** The version that is shown; another is another address. */
export function VersionChoice({ place, scriptId, version, versions }) {
  const { t } = useWords();
  if ((versions ?? []).length < 2) return null;
  return html`<label class="row small">${t('scripts.version')}
    <select value=${version || versions[0].version} onChange=${(event) => go(place, scriptId, event.target.value)}>
      ${versions.map((one) => html`<option key=${one.version} value=${one.version}>${one.number}</option>`)}
    </select></label>`;
}

/** Head of the pages about a script: its name, its version, and the ways to the others. */
export function ScriptHead({ here, scriptId, version, versions }) {
  const { t } = useWords();
  const newest = versions?.[0];
  return html`<div class="row spread"><div><h1>${newest?.sessionName || scriptId}</h1></div>
    <nav class="row" aria-label=${t('about.script')}>
      ${[['map', t('map.title')], ['analytics', t('analytics.title')]].map(([place, name]) => html`<a key=${place}
        class="button" href=${href(place, scriptId, ...(version ? [version] : []))}
        aria-current=${place === here ? 'page' : null}>${name}</a>`)}
      <a class="button" href=${href('scripts', scriptId)}>${t('scripts.edit')}</a>
      <${VersionChoice} place=${here} scriptId=${scriptId} version=${version} versions=${versions} /></nav></div>`;
}

function Ends({ figures }) {
  const { t } = useWords();
  const open = figures.sessions - figures.finished - figures.idle;
  return html`<${Section} title=${t('analytics.sessions')}><div class="card">
    ${[['started', figures.started], ['finished', figures.finished, 'good'], ['idle', figures.idle], ['open', open],
      ['failed', figures.failed, 'bad']].map(([name, count, tone]) => html`<${Bar} key=${name}
        name=${t(`analytics.${name}`)} count=${count} whole=${figures.sessions} tone=${tone} />`)}</div><//>`;
}

function Actions({ figures, outline }) {
  const { t, term, language } = useWords();
  const rows = inOrder(figures, outline);
  const average = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const head = ['action', 'reached', 'stopped', 'rounds', 'exits', 'advice'];
  const cell = (name, content) => html`<td data-name=${t(`analytics.${name}`)}>${content}</td>`;
  return html`<${Section} title=${t('analytics.actions')} empty=${t('analytics.noActions')}>
    ${rows.length > 0 && html`<div class="table-frame cards"><table class="figures">
      <thead><tr>${head.map((name) => html`<th scope="col" key=${name}>${t(`analytics.${name}`)}</th>`)}</tr></thead>
      <tbody>${rows.map((one) => {
        const rounds = roundsEach(one);
        const exits = EXITS.map((reason) => [reason, countOf(one.exits, 'exitReason', reason)]).filter(([, n]) => n);
        const used = countOf(one.advice, 'state', 'consumed');
        const made = (one.advice ?? []).reduce((sum, { count }) => sum + count, 0);
        return html`<tr key=${`${one.phaseId}/${one.topicId}/${one.techniqueId}/${one.actionId}`}>
          <td class="lead"><strong>${one.actionId}</strong>
            <div class="small soft"><bdi>${one.techniqueId || one.topicId} · ${one.actionType}</bdi></div></td>
          ${cell('reached', html`${`${one.sessions} `}
            <span class="soft small">${share(one.sessions, figures.sessions)}%</span>`)}
          ${cell('stopped', one.stopped ? html`<span class="pill warn">${one.stopped}</span>` : '0')}
          ${cell('rounds', rounds === null ? '—' : average.format(rounds))}
          ${cell('exits', exits.length ? html`<ul class="plain">${exits.map(([reason, n]) => html`<li key=${reason}>
            ${term('reason', reason)} ${n}</li>`)}</ul>` : '—')}
          ${cell('advice', made ? t('analytics.adviceOf', { made, used }) : '—')}</tr>`;
      })}</tbody></table></div>`}<//>`;
}

function Advice({ figures }) {
  const { t } = useWords();
  const totals = adviceTotals(figures);
  if (!totals.made) return null;
  return html`<${Section} title=${t('analytics.adviceTitle')}><div class="card">
    ${['consumed', 'expired', 'superseded', 'pending'].map((state) => html`<${Bar} key=${state}
      name=${t(`adviceState.${state}`)} count=${totals[state]} whole=${totals.made} />`)}
    <p class="small soft">${t('analytics.made', { n: totals.made })}</p></div><//>`;
}

/** What clients did before and after a strategy, side by side. */
function Strategies({ figures }) {
  const { t, term } = useWords();
  const rows = figures.strategies ?? [];
  if (!rows.length) return null;
  const total = (counts) => (counts ?? []).reduce((sum, { count }) => sum + count, 0);
  const side = (counts, name) => html`<div class="grow"><h4>${t(`analytics.${name}`, { n: total(counts) })}</h4>
    ${PROGRESS.map((word) => html`<${Bar} key=${word} name=${term('suggestion', word)} whole=${total(counts)}
      count=${countOf(counts, 'progressSuggestion', word)} tone=${word === 'blocked' ? 'bad' : ''} />`)}</div>`;
  const name = (one) => (one.recommended ? t('analytics.recommended') : one.suggestion
    ? term('factValue', one.suggestion) : t('analytics.otherAdvice'));
  return html`<${Section} title=${t('analytics.strategies')}><p class="small soft">${t('analytics.strategiesHint')}</p>
    ${rows.map((one) => html`<article class="card stack" key=${`${one.recommended}${one.suggestion}`}>
      <h3>${name(one)} <span class="soft small">${t('analytics.used', { count: one.used })}</span></h3>
      <div class="two-sides">${side(one.before, 'before')}${side(one.after, 'after')}</div></article>`)}<//>`;
}

function Models({ figures }) {
  const { t, term, language } = useWords();
  const number = new Intl.NumberFormat(language);
  const rows = figures.models ?? [];
  const each = (one) => Math.round((one.promptTokens + one.completionTokens) / figures.sessions);
  const { currency } = figures;
  const money = new Intl.NumberFormat(language, { style: 'currency', currency: currency || 'USD',
    maximumFractionDigits: 4 });
  const head = ['purpose', 'model', 'calls', 'tokensIn', 'tokensOut', 'tokensEach', ...(currency ? ['cost'] : [])];
  const cell = (name, content) => html`<td class="figure" data-name=${t(`analytics.${name}`)}>${content}</td>`;
  if (!rows.length) return null;
  return html`<${Section} title=${t('analytics.tokens')}><div class="table-frame cards"><table class="figures">
    <thead><tr>${head.map((name) => html`<th scope="col" key=${name}>${t(`analytics.${name}`)}</th>`)}</tr></thead>
    <tbody>${rows.map((one) => html`<tr key=${`${one.purpose}/${one.provider}/${one.model}`}>
      <td class="lead"><strong>${term('purpose', one.purpose)}</strong></td>
      <td data-name=${t('analytics.model')}><bdi>${one.model}</bdi></td>
      ${cell('calls', html`${number.format(one.calls)}${one.failed > 0 && html` <span class="pill bad">
        ${t('analytics.failedCalls', { n: one.failed })}</span>`}`)}
      ${cell('tokensIn', number.format(one.promptTokens))}${cell('tokensOut', number.format(one.completionTokens))}
      ${cell('tokensEach', number.format(each(one)))}
      ${currency && cell('cost', one.cost ? money.format(Number(one.cost)) : '—')}</tr>`)}
    </tbody></table></div><//>`;
}

/** The sessions in which a strategy may have been used, each with its own comparison. */
function Examples({ scriptId, version }) {
  const { t, language } = useWords();
  const [shown, setShown] = useState(false);
  const filter = filterText({ scriptId, version, advice: 'true', label: '' });
  const [page] = useLoaded(
    () => (shown ? api.sessions({ filter, pageSize: 20 }) : Promise.resolve(null)), [shown, filter],
  );
  if (!shown) return html`<div><button onClick=${() => setShown(true)}>${t('analytics.examples')}</button></div>`;
  const sessions = page?.sessions ?? [];
  return html`<${Section} title=${t('analytics.examples')} empty=${t('analytics.noExamples')}>
    ${sessions.length > 0 && html`<ul>${sessions.map((one) => html`<li key=${one.sessionId}>
      <a href=${href('effects', one.sessionId)}>${one.title || one.scriptId} · ${moment(one.createTime, language)}</a>
      </li>`)}</ul>`}<//>`;
}

/** The page. */
export function Analytics({ scriptId, version = '' }) {
  const { t } = useWords();
  const [versions] = useLoaded(() => api.versions(scriptId), [scriptId]);
  const [figures, problem] = useLoaded(() => api.figures(scriptId, version), [scriptId, version]);
  const [outline] = useLoaded(() => api.scriptOutline(scriptId, version), [scriptId, version]);
  return html`<div class="scroll"><div class="page stack">
    <${ScriptHead} here="analytics" scriptId=${scriptId} version=${version} versions=${versions} />
    <${Problem} problem=${problem} />
    ${figures && (figures.sessions === 0 ? html`<p class="empty">${t('analytics.none')}</p>` : html`
      <p class="soft small">
        ${t(figures.hasMore ? 'analytics.newest' : 'analytics.all', { count: figures.sessions })}</p>
      <${Ends} figures=${figures} /><${Actions} figures=${figures} outline=${outline} /><${Advice} figures=${figures} />
      <${Strategies} figures=${figures} /><${Examples} scriptId=${scriptId} version=${figures.scriptVersion} />
      <${Models} figures=${figures} />`)}
  </div></div>`;
}
