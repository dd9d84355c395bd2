// Messages and drafts as they are read. Whatever a person or a model wrote is set as text, never as markup.

import { html, useState } from '../../vendor/preact.js';
import { pictureAt } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { clock } from '../lib/text.js';
import { answersOf } from './form.js';

const PICTURE = /^(https:\/\/|data:image\/)/;

/** The address of a picture, or nothing where it is none a page may show. */
export function pictureAddress(media) {
  if (media.data) return `data:${media.mimeType};base64,${media.data}`;
  const asset = /^asset:([0-9a-f]{64})$/.exec(media.uri ?? '');
  if (asset) return pictureAt(asset[1]);
  return PICTURE.test(media.uri ?? '') ? media.uri : null;
}

/** A picture; one of a client is asked for by a click, and one that the page may not fetch is a link to it. */
function Picture({ media, fallback, asks }) {
  const { t } = useWords();
  const [asked, setAsked] = useState(!asks);
  const [failed, setFailed] = useState(false);
  const address = pictureAddress(media);
  const words = media.caption || fallback || t('chat.picture');
  if (!address) return html`<div class="text">${words}</div>`;
  if (!asked) return html`<div class="text"><button onClick=${() => setAsked(true)}>
    ${t('chat.showPicture')}</button> ${media.caption}</div>`;
  if (failed) return html`<div class="text"><a href=${address} target="_blank" rel="noopener noreferrer">
    ${words}</a></div>`;
  return html`<figure><img src=${address} alt=${words} loading="lazy" referrerpolicy="no-referrer"
    onError=${() => setFailed(true)} />
    ${media.caption && html`<figcaption>${media.caption}</figcaption>`}</figure>`;
}

function Answer({ part, schema }) {
  const { t } = useWords();
  const answers = answersOf(schema, part.form?.values ?? {}, t);
  return html`<div class="text"><span class="small soft">${t('form.answered')}</span>
    <dl class="answers">${answers.map(([question, answer]) => html`<dt key=${question}>${question}</dt><dd>
      ${answer}</dd>`)}</dl></div>`;
}

function PartView({ part, role, schema }) {
  if (part.media) return html`<${Picture} media=${part.media} fallback=${part.fallbackText}
    asks=${role === 'client'} />`;
  if (part.quickReplies) return null; // they stand above the composer while they can be chosen
  if (part.form) return html`<${Answer} part=${part} schema=${schema} />`;
  return html`<div class="text" dir="auto">${part.text ?? part.fallbackText}</div>`;
}

// What a message waits for that no turn has taken, by the session's status.
const UNTAKEN = { error: 'chat.unanswered', completed: 'chat.unread' };

/**
 * One stored message, and below it what is nested in it; `schema` is that of the form it answers, `status` the
 * session's.
 */
export function MessageView({ message, schema, status, children }) {
  const { t, term, language } = useWords();
  const broken = message.completeness && message.completeness !== 'complete';
  const isUntaken = message.role === 'client' && !message.turnId;
  const facts = [
    clock(message.createTime, language), broken && term('chat', message.completeness),
    isUntaken && t(UNTAKEN[status] ?? 'chat.waiting'),
  ];
  return html`<article class=${`message ${message.role} ${message.completeness ?? ''}`}
    data-message=${message.messageId} aria-label=${t(`chat.${message.role === 'client' ? 'you' : message.role}`)}>
    ${(message.parts ?? []).map((part, i) => html`<${PartView} key=${i} part=${part} role=${message.role}
      schema=${schema} />`)}
    <span class="small soft">${facts.filter(Boolean).join(' · ')}</span>
    ${children}
  </article>`;
}

/** What the model is writing now. Screen readers hear the whole message once it is stored, not each piece. */
export function DraftView({ draft }) {
  const { t } = useWords();
  return html`<article class="message assistant draft" aria-hidden="true">
    <div class="text" dir="auto">${draft.text || t('chat.thinking')}</div>
  </article>`;
}
