// What the colours of the bubbles mean, and which of them are shown.

import { html } from '../../vendor/preact.js';
import { useWords } from '../lib/i18n.js';

/** Each kind of bubble, in the order in which they stand under a turn. */
export const KINDS = ['error', 'advice', 'exit', 'metrics', 'variable', 'strategy', 'skipped'];

/** A legend that is a filter: a kind that is not ticked is not shown. */
export function Legend({ hidden, onHide }) {
  const { t } = useWords();
  const turned = (kind) => (hidden.includes(kind) ? hidden.filter((one) => one !== kind) : [...hidden, kind]);
  const cut = hidden.length > 0 && ` (${KINDS.length - hidden.length}/${KINDS.length})`;
  return html`<details class="legend"><summary class="small">${t('legend.title')}${cut}</summary>
    <fieldset class="row"><legend class="hidden-text">${t('legend.title')}</legend>
      ${KINDS.map((kind) => html`<label key=${kind} class=${`kind ${kind}`}><input type="checkbox"
        checked=${!hidden.includes(kind)} onChange=${() => onHide(turned(kind))} />${t(`legend.${kind}`)}</label>`)}
    </fieldset></details>`;
}
