// Alerts of the crisis path, above the list of sessions, until somebody has seen them.

import { html, useEffect, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { href } from '../lib/route.js';
import { useKept } from '../lib/store.js';
import { moment } from '../lib/text.js';

const EVERY_MS = 10000;

/** How grave a level is, as the colour of its pill. */
const TONES = { imminent: 'bad', crisis: 'bad', emergency: 'bad', third_party: 'warn', concern: 'warn' };
export const toneOf = (level) => TONES[level] ?? '';

/** The alerts nobody has acknowledged, read again every ten seconds: `[alerts, problem, again]`. */
export function useAlerts() {
  const [alerts, problem, again] = useLoaded(() => api.alerts(), []);
  useEffect(() => {
    const timer = setInterval(() => { if (!document.hidden) again(); }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return [alerts ?? [], problem, again];
}

/** Who acknowledges and closes; kept in this browser. */
export const useOperator = () => useKept('operator', '');

/** The field for the operator's name. */
export function OperatorName({ operator, onName }) {
  const { t } = useWords();
  return html`<label><span class="name">${t('safety.operator')}</span>
    <input value=${operator} maxlength="80" autocomplete="name"
    onInput=${(event) => onName(event.target.value)} /></label>`;
}

/** Whether an alert has reached the people on call. */
export function Delivery({ event }) {
  const { t } = useWords();
  if (!event.alert) return null;
  if (event.alert === 'delivered') return html`<span class="pill good">${t('safety.delivered')}</span>`;
  return html`<span class="pill warn">
    ${event.alertFailures ? t('safety.failedDelivery', { n: event.alertFailures }) : t('safety.undelivered')}</span>`;
}

function Alert({ event, operator, onSeen }) {
  const { t, term, language } = useWords();
  const [problem, setProblem] = useState(null);
  const facts = [
    moment(event.createTime, language), term('safetyStep', event.step) || '—', event.refused && t('safety.refused'),
  ];
  const see = () => api.acknowledge(event.safetyEventId, { operator }).then(onSeen, setProblem);
  return html`<li class="alert"><span class=${`pill ${toneOf(event.level)}`}>${term('level', event.level)}</span>
    <span class="grow"><a href=${href('sessions', event.sessionId)}>${event.sessionId}</a>
      <span class="small soft"> ${facts.filter(Boolean).join(' · ')}</span></span>
    <${Delivery} event=${event} />
    <button disabled=${!operator.trim()} onClick=${see}>${t('safety.acknowledge')}</button>
    <${Problem} problem=${problem} /></li>`;
}

/** The list; nothing where there is no alert. */
export function Alerts({ alerts, problem, onSeen }) {
  const { t } = useWords();
  const [operator, setOperator] = useOperator();
  if (problem) return html`<${Problem} problem=${problem} />`;
  if (!alerts.length) return null;
  return html`<section class="card alerts stack" aria-labelledby="alerts-title">
    <div class="row spread"><h2 id="alerts-title">${t('safety.alerts', { n: alerts.length })}</h2>
      <${OperatorName} operator=${operator} onName=${setOperator} /></div>
    <ul class="stack">${alerts.map((event) => html`<${Alert} key=${event.safetyEventId} event=${event}
      operator=${operator} onSeen=${onSeen} />`)}</ul>
    ${!operator.trim() && html`<p class="small soft">${t('safety.operatorHint')}</p>`}
  </section>`;
}
