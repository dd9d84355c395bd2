// The pictures of a script: those it has, another one from this computer, and one less.

import { html, useState } from '../../vendor/preact.js';
import { api, pictureAt } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { Problem } from '../lib/parts.js';

const KINDS = 'image/png,image/jpeg,image/gif,image/webp';

/** The path of a picture in a script, by the name of its file: what a path may not hold becomes a line. */
export const pathOf = (name) => `assets/${name.replace(/[\s/\\\\:{}"',#\]\u0000-\u001f]+/g, '_')}`;

/** `assets` are hashes by path; `onChange` is given those that shall stand. */
export function Pictures({ assets, onChange }) {
  const { t } = useWords();
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  async function upload(event) {
    const [file] = event.target.files;
    event.target.value = '';
    if (!file) return;
    setBusy(true);
    setProblem(null);
    try {
      onChange({ ...assets, [pathOf(file.name)]: (await api.upload(file)).sha256 });
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  }
  const remove = (path) => onChange(Object.fromEntries(Object.entries(assets).filter(([name]) => name !== path)));
  return html`<section class="stack pictures"><h2>${t('pictures.title')}</h2>
    <ul class="stack">${Object.entries(assets).map(([path, sha256]) => html`<li key=${path} class="row">
      <img src=${pictureAt(sha256)} alt="" width="48" height="48" loading="lazy" /><code class="grow">${path}</code>
      <button class="quiet" onClick=${() => remove(path)}>${t('pictures.remove')}
        <span class="hidden-text"> ${path}</span></button></li>`)}</ul>
    <${Problem} problem=${problem} />
    <div><label class="button">${busy ? t('app.loading') : t('pictures.add')}
      <input class="hidden-text" type="file" accept=${KINDS} disabled=${busy} onChange=${upload} /></label></div>
    <p class="small soft">${t('pictures.hint')}</p></section>`;
}
