// What the page keeps of the crisis path: where help is, for a network that is gone, and whether its texts were
// reviewed.

import { html, useEffect } from '../../vendor/preact.js';
import { api } from './api.js';
import { useWords } from './i18n.js';
import { useKept } from './store.js';

/** The notices of a language, read when the page opens and kept in this browser. */
export function useSafetyNotices() {
  const { language } = useWords();
  const [kept, keep] = useKept(`safety.${language}`, null);
  useEffect(() => {
    api.safetyTexts(language === 'zh' ? 'zh-CN' : 'en-US').then(keep, () => {});
  }, [language]);
  return kept;
}

/**
 * Whether the fixed texts still need a reader, or name a number nobody has checked for long.
 * @param {{notices: Answer}} props
 */
export function TextsNotice({ notices }) {
  const { t } = useWords();
  if (!notices?.unreviewed.length && !notices?.outdated.length) return null;
  return html`<div class="notice warn stack" role="note">
    ${notices.unreviewed.length > 0 && html`<details><summary>
      ${t('safety.unreviewed', { count: notices.unreviewed.length })}</summary><p class="small">
      ${notices.unreviewed.join(' · ')}</p></details>`}
    ${notices.outdated.length > 0 && html`<details open><summary>
      ${t('safety.outdated', { count: notices.outdated.length })}</summary><ul class="small">
      ${notices.outdated.map((/** @type {string} */ one) => html`<li key=${one}>${one}</li>`)}</ul></details>`}
  </div>`;
}

/** @type {Record<string, string>} */
const LINKS = { phone: 'tel:', text: 'sms:' };

/** @param {{resource: Answer}} props */
function Resource({ resource }) {
  const scheme = LINKS[resource.kind];
  const link = scheme ? scheme + resource.number.replace(/[^0-9+*#]/g, '') : resource.number;
  const number = resource.number && (LINKS[resource.kind] || /^https:\/\//.test(link)
    ? html`<a href=${link} rel="noreferrer">${resource.number}</a>` : resource.number);
  return html`<li><strong>${resource.name}</strong>${number && html` ${number}`}${resource.hours && html` <span
    class="small">${resource.hours}</span>`}</li>`;
}

/**
 * Where help is, for somebody whose words did not get out.
 * @param {{notices: Answer}} props
 */
export function OfflineCard({ notices }) {
  const { t } = useWords();
  if (!notices?.resources.length) return null;
  return html`<aside class="help-card stack" role="alert"><p>${t('safety.unsent')}</p>
    <ul class="stack">${notices.resources.map((/** @type {Answer} */ one) => html`<${Resource} key=${one.name}
      resource=${one} />`)}</ul></aside>`;
}

/**
 * A card of the crisis path, where the input it answers was refused.
 * @param {{card: Answer}} props
 */
export function SafetyCard({ card }) {
  return html`<aside class="help-card" role="alert"><p class="text" dir="auto">${card.text}</p></aside>`;
}
