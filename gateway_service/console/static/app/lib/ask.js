// A question in a dialog of the page, in the place of the browser's own boxes.

import { html, useLayoutEffect, useRef, useState } from '../../vendor/preact.js';
import { useWords } from './i18n.js';

/**
 * The dialog of one question; `onAnswer` is told once: what was given, or null where it was closed.
 * @param {{question: Asked, onAnswer: (given: any) => void}} props
 */
function Question({ question, onAnswer }) {
  const { t } = useWords();
  const { title, text, yes, no, isGrave = false, field } = question;
  const dialog = useRef(/** @type {any} */ (null));
  const given = useRef(null);
  const [value, setValue] = useState(question.value ?? '');
  useLayoutEffect(() => { dialog.current.showModal(); }, []);
  const answer = (/** @type {any} */ what) => {
    given.current = what;
    dialog.current.close();
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    answer(field ? value.trim() : true);
  };
  return html`<dialog ref=${dialog} aria-labelledby="question" onClose=${() => onAnswer(given.current)}>
    <form class="stack" onSubmit=${submit}>
      <h2 id="question">${title}</h2>${text && html`<p class="soft">${text}</p>`}
      ${field && html`<label><span class="name">${field}</span><input value=${value} maxlength="200" autofocus
        onInput=${(/** @type {any} */ event) => setValue(event.target.value)} /></label>`}
      <div class="row"><button class=${isGrave ? 'primary grave' : 'primary'} disabled=${field && !value.trim()}>
        ${yes}</button>
        <button type="button" onClick=${() => answer(field ? null : false)}>${no ?? t('app.cancel')}</button></div>
    </form></dialog>`;
}

/**
 * `[view, ask]`: draw the view somewhere; `ask({title, text, yes, no, isGrave, field, value})` opens the dialog and
 * resolves to true or false, with a `field` to what was written in it, and to null where it was closed.
 * @returns {[any, (question: Asked) => Promise<any>]}
 */
export function useAsk() {
  const [asked, setAsked] = useState(/** @type {any} */ (null));
  const ask = (/** @type {Asked} */ question) => new Promise((answer) => { setAsked({ question, answer }); });
  const told = (/** @type {any} */ given) => {
    setAsked(null);
    asked.answer(given);
  };
  return [asked && html`<${Question} question=${asked.question} onAnswer=${told} />`, ask];
}
