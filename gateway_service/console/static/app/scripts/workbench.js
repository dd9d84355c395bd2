// One script under the author's hands: editor, findings at their lines, publish, and a session started from it.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem, Tabs } from '../lib/parts.js';
import { go, href } from '../lib/route.js';
import { keepReplay } from '../session/replay.js';
import { CodePane } from './code_pane.js';
import { isSame } from './drafts.js';
import { Pictures } from './pictures.js';
import { Rehearsals, rehearsalsIn, useRehearsals } from './rehearsals.js';
import { summary } from './scripts.js';
import { bundleOf } from './starter.js';
import { VersionDifference, Versions } from './versions.js';
import { useDraft, useFindings } from './writing.js';

function Finding({ finding, onShow }) {
  const { t, term } = useWords();
  const tone = { error: 'bad', warning: 'warn' }[finding.severity] ?? 'info';
  return html`<li><button class="finding" onClick=${onShow}><span class="where">
    ${finding.file}:${finding.line}:${finding.column}</span>
    <span class=${`pill ${tone}`}>${term('finding', finding.severity)}</span>
      <span class="grow" title=${t('scripts.line', finding)}>${finding.message}</span></button></li>`;
}

/** The files in the order of a reader: the script, then the others. */
const inOrder = ({ files, mainPath }) => [mainPath, ...Object.keys(files).filter((path) => path !== mainPath).sort()];

/** What stands above editor and panel. */
function Head({ desk }) {
  const { t } = useWords();
  const { bundle, file, setFile, published, dirty, hasErrors, sessionId } = desk;
  const names = inOrder(bundle);
  return html`<div class="pane-head"><h1 class="grow">
    ${published?.sessionName || published?.scriptId || t('scripts.new')}</h1>
    ${names.length > 1 && html`<label class="row small">${t('scripts.file')}
      <select value=${file} onChange=${(event) => setFile(event.target.value)}>
        ${names.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select></label>`}
    ${dirty && html`<span class="pill warn">${t('scripts.unsaved')}</span>`}
    ${dirty && published && html`<button class="quiet" onClick=${desk.discard}>${t('drafts.discard')}</button>`}
    ${published && html`<a class="button" href=${href('scripts', '+', 'from', published.scriptId)}>
      ${t('scripts.copy')}</a>`}
    ${sessionId && html`<button disabled=${hasErrors} title=${t('scripts.againHint')} onClick=${desk.runAgain}>
      ${t('scripts.again')}</button>`}
    <button class="primary" disabled=${!dirty || hasErrors} onClick=${desk.publish}>${t('scripts.publish')}</button>
    <button disabled=${dirty} title=${dirty ? t('scripts.publishFirst') : ''} onClick=${desk.start}>
      ${t('scripts.start')}</button></div>`;
}

function Checked({ desk }) {
  const { t } = useWords();
  const { findings, failed, unchecked, bundle, change, show } = desk;
  return html`<p class="small soft">${t('scripts.completion')}</p>
    <${Problem} problem=${failed || unchecked} />
    ${(failed?.violations ?? []).map((one, i) => html`<p key=${i} class="small"><code>
      ${one.field}</code> ${one.description}</p>`)}
    <div role="status"><h2>${findings ? summary(findings, t) : t('scripts.checking')}</h2></div>
    <ul>${(findings ?? []).map((finding, i) => html`<${Finding} key=${i} finding=${finding}
      onShow=${() => show(finding)} />`)}</ul>
    <${Pictures} assets=${bundle.assets} onChange=${(assets) => change({ assets })} />`;
}

/** What stands beside the editor: what a check finds, the rehearsals, the versions. */
function Beside({ desk }) {
  const { t } = useWords();
  const [tab, setTab] = useState('findings');
  const { versions, rehearsals, playing, show } = desk;
  const tabs = [
    ['findings', t('scripts.findings')], ['rehearsals', t('rehearse.tab')], ['versions', t('scripts.versions')],
  ];
  const finding = (one, i) => html`<${Finding} key=${i} finding=${one} onShow=${() => show(one)} />`;
  return html`<${Tabs} tabs=${tabs} chosen=${tab} onChoose=${setTab} label=${t('scripts.findings')}>
    ${tab === 'findings' && html`<${Checked} desk=${desk} />`}
    ${tab === 'rehearsals' && html`<${Rehearsals} paths=${rehearsals} playing=${playing} hasErrors=${desk.hasErrors}
      onShow=${show}>${finding}<//>`}
    ${tab === 'versions' && html`<${Problem} problem=${desk.failed} />
      <${Versions} versions=${versions} shown=${desk.published?.version} ...${desk.ofVersions} />`}<//>`;
}

/** What can be done with what is written. */
function useDeeds({ scriptId, sessionId, bundle, published, dirty, setFailed, onPublished }) {
  const attempt = (work) => () => {
    setFailed(null);
    return work().catch(setFailed);
  };
  const { files, mainPath, assets } = bundle ?? {};
  return {
    publish: attempt(async () => {
      const { script } = await api.publish({ files, mainPath, assets });
      onPublished(script);
      if (script.scriptId !== scriptId) go('scripts', script.scriptId, ...(sessionId ? ['session', sessionId] : []));
    }),
    start: attempt(async () => {
      const wanted = { scriptId: published.scriptId, scriptVersion: published.version };
      go('sessions', (await api.startSession(wanted)).sessionId);
    }),
    runAgain: attempt(async () => {
      const script = dirty ? (await api.publish({ files, mainPath, assets, trial: true })).script : published;
      const { locale, timeZone, labels, strategyEngine } = await api.session(sessionId);
      const { sessionId: made } = await api.startSession({
        scriptId: script.scriptId, scriptVersion: script.version, locale, timeZone,
        labels: labels ?? {}, strategyEngine: strategyEngine ?? null,
      });
      keepReplay(made, { source: sessionId, after: '', running: true });
      go('compare', sessionId, made);
    }),
  };
}

/** The workbench of one script; opened from a session, it can give the client's answers to what is written. */
export function Editor({ scriptId, sessionId = '', from = '', at = /** @type {Answer} */ (null) }) {
  const { t } = useWords();
  const [version, setVersion] = useState('');
  const [loaded, problem, loadAgain] = useLoaded(() => bundleOf(scriptId, version, t, from), [scriptId, version]);
  const list = () => (scriptId === '+' ? Promise.resolve([]) : api.versions(scriptId));
  const [versions, , listAgain] = useLoaded(list, [scriptId]);
  const [bundle, setBundle] = useState(null);
  const [file, setFile] = useState('');
  const [place, setPlace] = useState(null);
  const [published, setPublished] = useState(null);
  const [failed, setFailed] = useState(null);
  const [compared, setCompared] = useState(null);
  const schema = useRef(null);
  useEffect(() => { api.schema().then((found) => { schema.current = found; }, () => {}); }, []);
  const take = ({ files, assets = {} }) => {
    setBundle({ files, mainPath: loaded.script.mainPath, assets, stamp: Date.now() });
  };
  useEffect(() => {
    if (!loaded) return;
    take(loaded);
    setFile((now) => (now in loaded.files ? now : loaded.script.mainPath));
    setPublished(scriptId === '+' ? null : loaded.script);
  }, [loaded]);
  const [keep, forget, question] = useDraft(`${scriptId}${from}`, loaded, take, Boolean(sessionId));
  useEffect(() => { if (loaded && at && at.file in loaded.files) { setFile(at.file); setPlace(at); } }, [loaded]);
  const { findings, problem: unchecked } = useFindings(bundle);
  const playing = useRehearsals(bundle);
  const dirty = Boolean(bundle) && (!published || !isSame(bundle, loaded));
  const onPublished = (script) => {
    Object.assign(loaded, { files: bundle.files, assets: bundle.assets, script });
    forget();
    setPublished(script);
    listAgain();
  };
  const deeds = useDeeds({ scriptId, sessionId, bundle, published, dirty, setFailed, onPublished });
  if (!bundle) return html`<div class="page">${problem ? html`<${Problem} problem=${problem} />` : html`<p
    class="empty">${t('app.loading')}</p>`}</div>`;
  const change = (part) => {
    const next = { ...bundle, ...part };
    keep(next);
    setBundle(next);
  };
  const openVersion = (one) => (one === version ? loadAgain() : setVersion(one));
  const publishAgain = (one) => api.publishAgain(scriptId, one.version).then(() => {
    setVersion('');
    listAgain();
    loadAgain();
  }, setFailed);
  const desk = {
    ...deeds, bundle, file, setFile, published, dirty, sessionId, findings, unchecked, failed, versions, playing,
    change,
    hasErrors: !findings || findings.some((one) => one.severity === 'error'),
    rehearsals: rehearsalsIn(bundle.files),
    discard: () => { forget(); take(loaded); },
    show: (finding) => { setCompared(null); setFile(finding.file); setPlace({ ...finding }); },
    ofVersions: { open: openVersion, compare: setCompared, publishAgain },
  };
  const here = [...(findings ?? []), ...playing.findings].filter((one) => one.file === file);
  return html`<${Head} desk=${desk} />
    <div class="workbench">
      <section aria-label=${t('scripts.editor')}>${compared
        ? html`<${VersionDifference} version=${compared} after=${bundle} onClose=${() => setCompared(null)} />`
        : html`<${CodePane} key=${`${file}${bundle.stamp}`} file=${file} text=${bundle.files[file] ?? ''}
          label=${t('scripts.editor')} schema=${schema} place=${place} findings=${here}
          onChange=${(text) => change({ files: { ...bundle.files, [file]: text } })} />`}</section>
      <section aria-label=${t('scripts.findings')}><${Beside} desk=${desk} /></section>
    </div>${question}`;
}
