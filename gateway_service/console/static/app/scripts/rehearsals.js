// The conversations that lie beside a script, played on the server without a model; what differs stands at its line.

import { html, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { Problem } from '../lib/parts.js';

const FOLDER = 'rehearsals/';

/** Paths of the conversations in a bundle. */
export const rehearsalsIn = (files) => Object.keys(files).sort()
  .filter((path) => path.startsWith(FOLDER) && /\.ya?ml$/.test(path));

/** `{results, problem, isPlaying, play}`; results are forgotten once the bundle is another. */
export function useRehearsals(bundle) {
  const [told, setTold] = useState(/** @type {any} */ ({ of: null, results: null, problem: null }));
  const [isPlaying, setPlaying] = useState(false);
  async function play() {
    setPlaying(true);
    const { files, mainPath, assets } = bundle;
    const found = await api.rehearse({ files, mainPath, assets }).then(
      ({ conversations }) => ({ results: new Map((conversations ?? []).map((one) => [one.path, one])) }),
      (problem) => ({ problem }),
    );
    setTold({ of: bundle, results: null, problem: null, ...found });
    setPlaying(false);
  }
  const now = told.of && bundle && told.of.files === bundle.files && told.of.assets === bundle.assets;
  const results = now ? told.results : null;
  const findings = [...results?.values() ?? []].flatMap((one) => one.findings ?? []);
  return { results, findings, problem: now ? told.problem : null, isPlaying, play };
}

function Result({ path, result, onShow, children }) {
  const { t } = useWords();
  const findings = result?.findings ?? [];
  const show = () => onShow({ file: path, line: 1, column: 1 });
  const told = findings.length ? t('rehearse.differs') : t('rehearse.holds', { count: result?.turns ?? 0 });
  return html`<li class="card stack"><div class="row">
      <button class="quiet grow name" onClick=${show}>${result?.title || path.slice(FOLDER.length)}</button>
      ${result && html`<span class=${`pill ${findings.length ? 'bad' : 'good'}`}>${told}</span>`}</div>
    ${findings.length > 0 && html`<ul>${findings.map(children)}</ul>`}</li>`;
}

/** The panel; `children(finding)` draws one finding, `onShow(place)` goes to its line. */
export function Rehearsals({ paths, playing, hasErrors, onShow, children }) {
  const { t } = useWords();
  if (!paths.length) return html`<p class="empty">${t('rehearse.none')}</p>`;
  const { results, problem, isPlaying, play } = playing;
  return html`<div><button class="primary" disabled=${isPlaying || hasErrors} onClick=${play}>
      ${t(isPlaying ? 'rehearse.playing' : 'rehearse.play')}</button></div>
    <${Problem} problem=${problem} />
    <ul class="stack rehearsals" aria-live="polite">${paths.map((path) => html`<${Result} key=${path} path=${path}
      result=${results?.get(path)} onShow=${onShow}>${children}<//>`)}</ul>`;
}
