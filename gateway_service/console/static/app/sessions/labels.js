// The labels of a session: shown as chips, set and removed one by one.

import { html, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { Problem } from '../lib/parts.js';

const words = ([name, value]) => (value ? `${name}: ${value}` : name);

/** The labels, to be read. */
export function Labels({ labels }) {
  return Object.entries(labels ?? {}).map((label) => html`<span class="pill info label" key=${label[0]}><bdi>
    ${words(label)}</bdi></span>`);
}

/** The labels, to be changed; `onChange` is given the session as it is then. */
export function LabelEditor({ session, onChange }) {
  const { t } = useWords();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState(null);
  const done = (now) => { setProblem(null); setName(''); setValue(''); onChange(now); };
  const put = (labels, changed) => api.updateSession(session.sessionId, { labels, updateMask: `labels.${changed}` })
    .then(done, setProblem);
  const add = (event) => {
    event.preventDefault();
    put({ [name.trim()]: value.trim() }, name.trim());
  };
  return html`<div class="stack label-editor"><div class="row" role="group" aria-label=${t('labels.title')}>
      ${Object.entries(session.labels ?? {}).map((label) => html`<span class="pill info label" key=${label[0]}>
        <bdi>${words(label)}</bdi><button class="quiet" aria-label=${t('labels.remove', { name: label[0] })}
          onClick=${() => put({}, label[0])}>×</button></span>`)}</div>
    <form class="row" onSubmit=${add}>
      <label><span class="name">${t('labels.name')}</span>
        <input value=${name} maxlength="63" required onInput=${(event) => setName(event.target.value)} /></label>
      <label><span class="name">${t('labels.value')}</span>
        <input value=${value} maxlength="200" onInput=${(event) => setValue(event.target.value)} /></label>
      <button>${t('labels.add')}</button></form>
    <${Problem} problem=${problem} /></div>`;
}
