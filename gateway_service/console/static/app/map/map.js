// A script as a map, before anything runs: phases, topics, actions with conditions, branches, skills, what each reads
// and writes, what the check found at its place; and where sessions went, as soon as there are some.

import { html } from '../../vendor/preact.js';
import { ScriptHead } from '../analytics/analytics.js';
import { byPlace, countOf, roundsEach, share } from '../analytics/figures.js';
import { actionName } from '../author/reading.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { href } from '../lib/route.js';
import { decidedBy, fieldsOf, findingsBy, textOf } from './places.js';

const EXITS = ['exit_criteria_met', 'max_rounds_reached', 'user_blocked', 'off_topic'];

function Names({ name, names }) {
  if (!names?.length) return null;
  return html`<span class="map-names"><span class="soft">${name}</span>
    ${names.map((one) => html` <code key=${one}>${one}</code>`)}</span>`;
}

function Condition({ text }) {
  const { t } = useWords();
  return text ? html`<p class="map-if"><span class="soft">${t('map.if')}</span> <code>${text}</code></p>` : null;
}

function Findings({ findings }) {
  const { term } = useWords();
  const tone = { error: 'bad', warning: 'warn' };
  return findings.map((one, i) => html`<p key=${i} class="small"><span class=${`pill ${tone[one.severity] ?? 'info'}`}>
    ${term('finding', one.severity)}</span> ${one.message}</p>`);
}

/** What happened there, in one line. */
function Went({ figures, whole }) {
  const { t, term, language } = useWords();
  if (!figures) return whole ? html`<p class="small soft">${t('map.never')}</p>` : null;
  const rounds = roundsEach(figures);
  const average = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const parts = [
    t('map.reached', { n: figures.sessions, part: share(figures.sessions, whole) ?? 0 }),
    rounds ? t('map.rounds', { n: average.format(rounds) }) : '',
    ...EXITS.map((reason) => [reason, countOf(figures.exits, 'exitReason', reason)])
      .filter(([, n]) => n).map(([reason, n]) => `${term('reason', reason)} ${n}`),
    figures.skipped ? t('map.skipped', { count: figures.skipped }) : '',
  ];
  return html`<p class="small map-went">${parts.filter(Boolean).join(' · ')}
    ${figures.stopped > 0 && html` <span class="pill warn">${t('map.stopped', { n: figures.stopped })}</span>`}</p>`;
}

function Action({ action, about, place }) {
  const words = useWords();
  const { t } = words;
  const fields = fieldsOf(action.config);
  const decides = decidedBy(about.outline, action, (one) => actionName(words, one));
  const technique = action.techniqueId && about.techniques.get(action.techniqueId);
  return html`<li class="map-action"><div class="row">
      <a href=${href('scripts', about.scriptId, 'at', action.file, String(action.line))}>
        ${actionName(words, action)}</a>
      <code class="small soft">${action.actionId}</code> <span class="pill">${action.actionType}</span></div>
    <p class="small map-text">${textOf(action.config)}</p>
    <${Condition} text=${action.condition} />
    ${fields.length > 0 && html`<ul class="small plain">${fields.map(([name, label, options]) => html`<li key=${name}>
      ${label || name}${options.length > 0 && html` <span class="soft">${options.join(' / ')}</span>`}</li>`)}</ul>`}
    <p class="small"><${Names} name=${t('map.reads')} names=${action.reads} />
      <${Names} name=${t('map.writes')} names=${action.writes} />
      <${Names} name=${t('map.decides')} names=${decides} /></p>
    <${Findings} findings=${about.findings(action)} />
    <${Went} figures=${about.figures({ ...place, actionId: action.actionId })} whole=${about.sessions} />
    ${technique && !place.techniqueId && html`<details>
      <summary>${t('map.skill', { name: technique.techniqueName || technique.techniqueId })}</summary>
      <ol>${technique.topic.actions.map((one) => html`<${Action} key=${one.actionId} action=${one} about=${about}
        place=${{ ...place, techniqueId: technique.techniqueId }} />`)}</ol></details>`}</li>`;
}

function Outline({ outline, about }) {
  const { t } = useWords();
  return html`<ol class="map">${outline.phases.map((phase) => html`<li key=${phase.phaseId}>
    <h2>${phase.phaseName || phase.phaseId} <span class="soft small">${t('tree.phase')}</span></h2>
    <${Condition} text=${phase.entryCondition} />
    <ol>${phase.topics.map((topic) => html`<li key=${topic.topicId} class="card">
      <h3>${topic.topicName || topic.topicId} <span class="soft small">${t('tree.topic')}</span></h3>
      <ol>${topic.actions.map((action) => html`<${Action} key=${action.actionId} action=${action} about=${about}
        place=${{ phaseId: phase.phaseId, topicId: topic.topicId }} />`)}</ol></li>`)}</ol></li>`)}</ol>`;
}

/** The page. */
export function ScriptMap({ scriptId, version = '' }) {
  const { t, language } = useWords();
  const [versions] = useLoaded(() => api.versions(scriptId), [scriptId]);
  const [outline, problem] = useLoaded(() => api.scriptOutline(scriptId, version), [scriptId, version]);
  const [figures] = useLoaded(() => api.figures(scriptId, version), [scriptId, version]);
  const [findings] = useLoaded(async () => {
    const { files, assets, script } = await api.script(scriptId, version);
    return (await api.check({ files, mainPath: script.mainPath, assets: assets ?? {} })).findings;
  }, [scriptId, version, language]);
  const [placed, elsewhere] = findingsBy(outline, findings ?? []);
  const about = {
    scriptId, outline, figures: byPlace(figures), sessions: figures?.sessions ?? 0, findings: placed,
    techniques: new Map((outline?.techniques ?? []).map((one) => [one.techniqueId, one])),
  };
  return html`<div class="scroll"><div class="page stack">
    <${ScriptHead} here="map" scriptId=${scriptId} version=${version} versions=${versions} />
    <p class="small soft">${t('map.hint')}
      ${figures?.sessions > 0 && ` ${t('map.counted', { count: figures.sessions })}`}</p>
    <${Problem} problem=${problem} />
    ${elsewhere.length > 0 && html`<div class="card"><${Findings} findings=${elsewhere} /></div>`}
    ${outline && html`<${Outline} outline=${outline} about=${about} />`}
  </div></div>`;
}
