// One script under the author's hands: editor, findings at their lines, publish, and a session started from it.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { go } from '../lib/route.js';
import { openEditor } from './editor.js';
import { summary } from './scripts.js';

const PAUSE_MS = 350;
const FIRST = `session:
  session_id: my_script
  session_name: 我的脚本
  phases:
    - phase_id: phase_1
      topics:
        - topic_id: topic_1
          actions:
            - action_type: ai_ask
              action_id: ask_name
              config:
                content: 询问来访者怎么称呼
                output:
                  - get: 称呼
                max_rounds: 3
`;

/** The bundle to edit: that of a script, or a new one. */
async function bundleOf(scriptId, version) {
  if (scriptId === '+') return { files: { 'main.yaml': FIRST }, assets: {}, script: { mainPath: 'main.yaml' } };
  return api.script(scriptId, version);
}

function Finding({ finding, onShow }) {
  const { t, term } = useWords();
  const tone = { error: 'bad', warning: 'warn' }[finding.severity] ?? 'info';
  return html`<li><button class="finding" onClick=${onShow}><span class="where">${finding.file}:${finding.line}:${finding.column}</span>
    <span class=${`pill ${tone}`}>${term('finding', finding.severity)}</span><span class="grow" title=${t('scripts.line', finding)}>${finding.message}</span></button></li>`;
}

/** Findings of what is being written, a moment after the last key. */
function useFindings(bundle) {
  const { language } = useWords();
  const [told, setTold] = useState({ findings: null, problem: null });
  useEffect(() => {
    if (!bundle) return undefined;
    let wanted = true;
    const timer = setTimeout(() => {
      api.check(bundle).then(
        ({ findings }) => wanted && setTold({ findings, problem: null }),
        (problem) => wanted && setTold((before) => ({ ...before, problem })),
      );
    }, PAUSE_MS);
    return () => { wanted = false; clearTimeout(timer); };
  }, [bundle, language]);
  return told;
}

function CodePane({ file, text, label, schema, findings, place, onChange }) {
  const host = useRef(null);
  const editor = useRef(null);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    editor.current = openEditor({ host: host.current, text, label, schema: () => schema.current ?? {}, onChange: (now) => change.current(now) });
    return () => editor.current.close();
  }, [file]);
  useEffect(() => { editor.current?.mark(findings); }, [findings, file]);
  useEffect(() => { if (place) editor.current?.show(place.line, place.column); }, [place]);
  return html`<div class="editor" ref=${host}></div>`;
}

/** The workbench of one script. */
export function Editor({ scriptId }) {
  const { t } = useWords();
  const [version, setVersion] = useState('');
  const [loaded, problem] = useLoaded(() => bundleOf(scriptId, version), [scriptId, version]);
  const [versions] = useLoaded(() => (scriptId === '+' ? Promise.resolve([]) : api.versions(scriptId)), [scriptId]);
  const [bundle, setBundle] = useState(null);
  const [file, setFile] = useState('');
  const [place, setPlace] = useState(null);
  const [published, setPublished] = useState(null);
  const [failed, setFailed] = useState(null);
  const schema = useRef(null);
  useEffect(() => { api.schema().then((found) => { schema.current = found; }, () => {}); }, []);
  useEffect(() => {
    if (!loaded) return;
    setBundle({ files: loaded.files, mainPath: loaded.script.mainPath, assets: loaded.assets ?? {} });
    setFile(loaded.script.mainPath);
    setPublished(scriptId === '+' ? null : loaded.script);
  }, [loaded]);
  const { findings, problem: unchecked } = useFindings(bundle);
  if (!bundle) return html`<div class="page">${problem ? html`<${Problem} problem=${problem} />` : html`<p class="empty">${t('app.loading')}</p>`}</div>`;
  const errors = (findings ?? []).filter((one) => one.severity === 'error');
  const dirty = !published || Object.entries(bundle.files).some(([name, text]) => loaded.files[name] !== text);
  async function publish() {
    setFailed(null);
    try {
      const { script } = await api.publish(bundle);
      loaded.files = bundle.files;
      setPublished(script);
      if (script.scriptId !== scriptId) go('scripts', script.scriptId);
    } catch (error) {
      setFailed(error);
    }
  }
  async function start() {
    try {
      go('sessions', (await api.startSession({ scriptId: published.scriptId, scriptVersion: published.version })).sessionId);
    } catch (error) {
      setFailed(error);
    }
  }
  const show = (finding) => { setFile(finding.file); setPlace({ ...finding }); };
  return html`<div class="pane-head"><h1 class="grow">${published?.sessionName || published?.scriptId || t('scripts.new')}</h1>
      ${(versions ?? []).length > 1 && html`<label class="row small">${t('scripts.versions')}<select value=${version} onChange=${(event) => setVersion(event.target.value)}><option value="">${t('scripts.current')}</option>
        ${versions.map((one) => html`<option key=${one.version} value=${one.version}>${one.number}</option>`)}</select></label>`}
      ${Object.keys(bundle.files).length > 1 && html`<label class="row small">${t('scripts.file')}<select value=${file} onChange=${(event) => setFile(event.target.value)}>${Object.keys(bundle.files).map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select></label>`}
      ${dirty && html`<span class="pill warn">${t('scripts.unsaved')}</span>`}
      <button class="primary" disabled=${!dirty || errors.length > 0 || !findings} onClick=${publish}>${t('scripts.publish')}</button>
      <button disabled=${dirty} title=${dirty ? t('scripts.publishFirst') : ''} onClick=${start}>${t('scripts.start')}</button></div>
    <div class="workbench">
      <section aria-label=${t('scripts.editor')}><${CodePane} key=${`${version}${file}`} file=${file} text=${bundle.files[file] ?? ''} label=${t('scripts.editor')} schema=${schema} place=${place}
        findings=${(findings ?? []).filter((one) => one.file === file)} onChange=${(text) => setBundle((now) => ({ ...now, files: { ...now.files, [file]: text } }))} /></section>
      <section aria-label=${t('scripts.findings')}><div class="panel">
        <p class="small soft">${t('scripts.completion')}</p>
        <${Problem} problem=${failed || unchecked} />
        ${(failed?.violations ?? []).map((one, i) => html`<p key=${i} class="small"><code>${one.field}</code> ${one.description}</p>`)}
        <h2 role="status">${findings ? summary(findings, t) : t('scripts.checking')}</h2>
        <ul>${(findings ?? []).map((finding, i) => html`<${Finding} key=${i} finding=${finding} onShow=${() => show(finding)} />`)}</ul>
      </div></section>
    </div>`;
}
