// The list of published scripts, each with what a check finds in it.

import { html } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useAgainWhile, useLoaded } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { href } from '../lib/route.js';
import { moment } from '../lib/text.js';

const TONES = { error: 'bad', warning: 'warn' };

/** How many findings of each kind, in words. */
export function summary(findings, t) {
  const count = (kind) => findings.filter((one) => one.severity === kind).length;
  const told = ['error', 'warning', 'note'].filter(count).map((kind) => t(`scripts.${kind}s`, { count: count(kind) }));
  return told.join('，') || t('scripts.clean');
}

function CheckOf({ script }) {
  const { t, language } = useWords();
  const [findings] = useLoaded(async () => {
    const { files, assets } = await api.script(script.scriptId, script.version);
    return (await api.check({ files, mainPath: script.mainPath, assets: assets ?? {} })).findings;
  }, [script.version, language]);
  if (!findings) return html`<span class="soft">…</span>`;
  const worst = Object.keys(TONES).find((kind) => findings.some((one) => one.severity === kind));
  const [first] = findings;
  const place = first && html` <span class="small soft">
    ${first.file}:${first.line}:${first.column} ${first.message}</span>`;
  return html`<span class=${`pill ${TONES[worst] ?? 'good'}`}>${summary(findings, t)}</span>${place}`;
}

/** The page of scripts. */
export function Scripts() {
  const { t, language } = useWords();
  const [scripts, problem, again] = useLoaded(() => api.scripts(), []);
  useAgainWhile(!scripts?.length && Boolean(scripts ?? problem), problem ?? scripts, again);
  return html`<div class="scroll"><div class="page stack"><div class="row spread"><h1>${t('scripts.title')}</h1>
    <a class="button" href=${href('scripts', '+')}>${t('scripts.new')}</a></div>
    <${Problem} problem=${problem} />
    ${scripts && !scripts.length && html`<p class="empty">${t('scripts.none')}</p>`}
    ${scripts?.length > 0 && html`<div class="table-frame cards"><table><thead><tr><th scope="col">
      ${t('scripts.name')}</th><th scope="col">${t('scripts.version')}</th><th scope="col">${t('sessions.updated')}</th>
      <th scope="col">${t('scripts.findings')}</th></tr></thead>
      <tbody>${scripts.map((one) => html`<tr key=${one.scriptId}><td class="lead">
        <a href=${href('scripts', one.scriptId)}>${one.sessionName || one.scriptId}</a><br /><span class="small soft">
        ${one.scriptId}</span>
        <div class="row small"><a href=${href('map', one.scriptId)}>${t('map.title')}</a>
          <a href=${href('analytics', one.scriptId)}>${t('analytics.title')}</a></div></td>
        <td data-name=${t('scripts.version')}>${one.number}</td>
          <td class="small when" data-name=${t('sessions.updated')}>${moment(one.createTime, language)}</td>
          <td data-name=${t('scripts.findings')}><${CheckOf} script=${one} /></td></tr>`)}</tbody></table></div>`}
  </div></div>`;
}
