// One script under the author's hands: editor, findings at their lines, publish, and a session started from it.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useAsk } from '../lib/ask.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { go } from '../lib/route.js';
import { moment } from '../lib/text.js';
import { draftOf, forgetDraft, isSame, keepDraft } from './drafts.js';
import { Pictures } from './pictures.js';
import { summary } from './scripts.js';

const PAUSE_MS = 350;

/** A script to begin with, in the language of the page. */
const starter = (t) => `session:
  session_id: my_script
  session_name: ${t('starter.name')}
  phases:
    - phase_id: phase_1
      topics:
        - topic_id: topic_1
          actions:
            - action_type: ai_ask
              action_id: ask_name
              config:
                content: ${t('starter.question')}
                output:
                  - get: ${t('starter.variable')}
                max_rounds: 3
            - action_type: ai_say
              action_id: say_goodbye
              config:
                content: ${t('starter.goodbye', { name: `{${t('starter.variable')}}` })}
                require_acknowledgment: false
`;

/** The bundle to edit: that of a script, or a new one. */
async function bundleOf(scriptId, version, t) {
  if (scriptId === '+') return { files: { 'main.yaml': starter(t) }, assets: {}, script: { mainPath: 'main.yaml' } };
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
      const { files, mainPath, assets } = bundle;
      api.check({ files, mainPath, assets }).then(
        ({ findings }) => wanted && setTold({ findings, problem: null }),
        (problem) => wanted && setTold((before) => ({ ...before, problem })),
      );
    }, PAUSE_MS);
    return () => { wanted = false; clearTimeout(timer); };
  }, [bundle, language]);
  return told;
}

/** The editor, whose code is read when it is needed first. */
function CodePane({ file, text, label, schema, findings, place, onChange }) {
  const { term } = useWords();
  const host = useRef(null);
  const [editor, setEditor] = useState(null);
  const given = useRef({});
  given.current = { text, onChange };
  useEffect(() => {
    let opened = null;
    let wanted = true;
    import('./editor.js').then(({ openEditor }) => {
      if (!wanted) return;
      opened = openEditor({
        host: host.current, text: given.current.text, label, schema: () => schema.current ?? {},
        phrase: (words) => term('editor', words), onChange: (now) => given.current.onChange(now),
      });
      setEditor(opened);
    });
    return () => { wanted = false; opened?.close(); setEditor(null); };
  }, [file, label]);
  useEffect(() => { editor?.mark(findings); }, [editor, findings]);
  useEffect(() => { if (place) editor?.show(place.line, place.column); }, [editor, place]);
  return html`<div class="editor" ref=${host}></div>`;
}

/** What was written and not published: `[keep, forget, question]`. Where a draft is found, a dialog asks what shall become of it. */
function useDraft(scriptId, loaded, onRestore) {
  const { t, language } = useWords();
  const [question, ask] = useAsk();
  const [lost, setLost] = useState(false); // this browser keeps nothing
  const forget = () => { forgetDraft(scriptId); setLost(false); };
  useEffect(() => {
    const draft = loaded && draftOf(scriptId);
    if (!draft || isSame(draft, loaded)) return;
    const newer = draft.version !== loaded.script.version && t('drafts.otherVersion');
    const text = [t('drafts.found', { time: moment(draft.made, language) }), newer].filter(Boolean).join(' ');
    ask({ title: t('drafts.title'), text, yes: t('drafts.restore'), no: t('drafts.discard') })
      .then((answer) => (answer === false ? forget() : onRestore(draft)));
  }, [loaded]);
  useEffect(() => {
    const warn = (event) => event.preventDefault();
    if (lost) addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [lost]);
  const keep = (bundle) => {
    if (isSame(bundle, loaded)) forget();
    else setLost(!keepDraft(scriptId, bundle, loaded.script.version));
  };
  return [keep, forget, question];
}

/** The workbench of one script. */
export function Editor({ scriptId, at = null }) {
  const { t } = useWords();
  const [version, setVersion] = useState('');
  const [loaded, problem] = useLoaded(() => bundleOf(scriptId, version, t), [scriptId, version]);
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
  const restore = (draft) => setBundle((now) => ({ ...now, files: draft.files, assets: draft.assets, restored: draft.made }));
  const [keep, forget, question] = useDraft(scriptId, loaded, restore);
  useEffect(() => { if (loaded && at && at.file in loaded.files) { setFile(at.file); setPlace(at); } }, [loaded]);
  const { findings, problem: unchecked } = useFindings(bundle);
  if (!bundle) return html`<div class="page">${problem ? html`<${Problem} problem=${problem} />` : html`<p class="empty">${t('app.loading')}</p>`}</div>`;
  const errors = (findings ?? []).filter((one) => one.severity === 'error');
  const dirty = !published || !isSame(bundle, loaded);
  const change = (part) => {
    const next = { ...bundle, ...part };
    keep(next);
    setBundle(next);
  };
  async function publish() {
    setFailed(null);
    try {
      const { files, mainPath, assets } = bundle;
      const { script } = await api.publish({ files, mainPath, assets });
      Object.assign(loaded, { files: bundle.files, assets: bundle.assets, script });
      forget();
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
      <section aria-label=${t('scripts.editor')}><${CodePane} key=${`${version}${file}${bundle.restored ?? ''}`} file=${file} text=${bundle.files[file] ?? ''} label=${t('scripts.editor')} schema=${schema} place=${place}
        findings=${(findings ?? []).filter((one) => one.file === file)} onChange=${(text) => change({ files: { ...bundle.files, [file]: text } })} /></section>
      <section aria-label=${t('scripts.findings')}><div class="panel">
        <p class="small soft">${t('scripts.completion')}</p>
        <${Problem} problem=${failed || unchecked} />
        ${(failed?.violations ?? []).map((one, i) => html`<p key=${i} class="small"><code>${one.field}</code> ${one.description}</p>`)}
        <div role="status"><h2>${findings ? summary(findings, t) : t('scripts.checking')}</h2></div>
        <ul>${(findings ?? []).map((finding, i) => html`<${Finding} key=${i} finding=${finding} onShow=${() => show(finding)} />`)}</ul>
        <${Pictures} assets=${bundle.assets} onChange=${(assets) => change({ assets })} />
      </div></section>
    </div>${question}`;
}
