// Two sessions side by side, so that two prompts can be told apart by what they do.

import { html } from '../../vendor/preact.js';
import { useWords } from '../lib/i18n.js';
import { LoneConversation } from './room.js';

/** Both conversations, each with its own input. */
export function Compare({ left, right }) {
  const { t } = useWords();
  return html`<div class="side-by-side">
    <section aria-label=${t('compare.left')}><${LoneConversation} key=${left} sessionId=${left} /></section>
    <section aria-label=${t('compare.right')}><${LoneConversation} key=${right} sessionId=${right} /></section>
  </div>`;
}
