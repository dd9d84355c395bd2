// The published versions of a script: which is the newest, how another differs from what is written, and back to it.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { moment } from '../lib/text.js';

/** Paths at which two bundles differ, with both texts; of a picture the hash stands for it. */
export function differing(before, after) {
  const all = (bundle) => ({ ...bundle.assets, ...bundle.files });
  const [old, now] = [all(before), all(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].sort().filter((path) => old[path] !== now[path])
    .map((path) => ({ path, before: old[path] ?? '', after: now[path] ?? '' }));
}

/**
 * The list; `open(version)` edits one, `compare(version)` shows its differences, `publishAgain(version)` makes it the
 * newest.
 */
export function Versions({ versions, shown, open, compare, publishAgain }) {
  const { t, language } = useWords();
  if (!versions?.length) return html`<p class="empty">${t('versions.none')}</p>`;
  const current = ({ version }) => (version === shown ? 'true' : null);
  return html`<ul class="versions">${versions.map((one, i) => html`<li key=${one.version} class="card stack"
      aria-current=${current(one)}>
    <div class="row"><strong>${t('versions.number', { n: one.number })}</strong>
      ${i === 0 && html`<span class="pill good">${t('versions.newest')}</span>`}
      ${one.version === shown && html`<span class="pill info">${t('versions.open')}</span>`}
      <span class="small soft grow when">${moment(one.createTime, language)}</span></div>
    <div class="row"><button class="quiet" onClick=${() => compare(one)}>${t('versions.compare')}</button>
      ${one.version !== shown && html`<button class="quiet" onClick=${() => open(i === 0 ? '' : one.version)}>
        ${t('versions.edit')}</button>`}
      ${i > 0 && html`<button class="quiet" onClick=${() => publishAgain(one)}>
        ${t('versions.publishAgain')}</button>`}</div></li>`)}</ul>`;
}

/** In the place of the editor: how a version (`before`) differs from what is written (`after`), file by file. */
export function VersionDifference({ version, after, onClose }) {
  const { t, term } = useWords();
  const host = useRef(null);
  const [before, setBefore] = useState(null);
  const [problem, setProblem] = useState('');
  const [chosen, setChosen] = useState('');
  useEffect(() => {
    let wanted = true;
    api.script(version.scriptId, version.version).then(
      (found) => wanted && setBefore(found), (error) => wanted && setProblem(error.message),
    );
    return () => { wanted = false; };
  }, [version]);
  const changes = before ? differing(before, after) : [];
  const change = changes.find((one) => one.path === chosen) ?? changes[0];
  useEffect(() => {
    if (!change) return undefined;
    /** @type {{close: () => void} | undefined} */
    let opened;
    let wanted = true;
    import('./difference.js').then(({ openDifference }) => {
      const given = { host: host.current, label: t('versions.difference'), phrase: (words) => term('editor', words) };
      if (wanted) opened = openDifference({ ...given, ...change });
    });
    return () => { wanted = false; opened?.close(); };
  }, [change?.path, change?.before, change?.after]);
  const compared = before ? t('versions.compared', { n: version.number, count: changes.length }) : t('app.loading');
  const choose = (event) => setChosen(event.target.value);
  return html`<div class="row difference-head"><span class="grow" role="status">${problem || compared}</span>
      ${changes.length > 1 && html`<label class="row small">${t('scripts.file')}
        <select value=${change.path} onChange=${choose}>
        ${changes.map(({ path }) => html`<option key=${path} value=${path}>${path}</option>`)}</select></label>`}
      <button onClick=${onClose}>${t('versions.back')}</button></div>
    ${change && html`<div class="editor" key=${change.path} ref=${host}></div>`}`;
}
