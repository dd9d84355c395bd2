// Two sessions side by side, so that two prompts can be told apart by what they do.

import { html } from '../../vendor/preact.js';
import { useWords } from '../lib/i18n.js';
import { LoneConversation } from './room.js';

/** Both conversations, each with its own input. */
export function Compare({ left, right, notices }) {
  const { t } = useWords();
  return html`<div class="side-by-side">
    <section aria-label=${t('compare.left')}><${LoneConversation} key=${left} sessionId=${left} notices=${notices} /></section>
    <section aria-label=${t('compare.right')}><${LoneConversation} key=${right} sessionId=${right} notices=${notices} /></section>
  </div>`;
}
