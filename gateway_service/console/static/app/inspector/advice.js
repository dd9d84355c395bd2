// The second mind: what it made of each round, its advice and what became of it, and the prompt an advice entered.

import { html } from '../../vendor/preact.js';
import { Facts } from '../chat/bubbles.js';
import { api } from '../lib/api.js';
import { factRows, useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem, Section } from '../lib/parts.js';
import { clock } from '../lib/text.js';
import { Call } from './calls.js';
import { messagesOf } from './prompts.js';
import { TurnLink } from './turn.js';

const TONES = { pending: 'info', consumed: 'good', superseded: 'warn' };

/** The call whose prompt holds an advice. */
function PromptOf({ room, advice, turnId }) {
  const [calls, problem] = useLoaded(() => room.callsOf(turnId), [turnId]);
  const holds = (message) => message.content.includes(advice.feedbackText);
  const holding = (calls ?? []).find((call) => messagesOf(call.input).some(holds));
  return html`<${Problem} problem=${problem} />${holding && html`<${Call} call=${holding} piece=${advice.feedbackText}
    open=${true} />`}`;
}

function AdviceCard({ room, advice, turnId }) {
  const { t, term, language } = useWords();
  const analysis = advice.analysis ?? {};
  return html`<article class="card stack">
    <div class="row"><strong>${advice.actionId}</strong><span>${t('advice.about', { n: advice.aboutRound })}</span>
      <span class=${`pill ${TONES[advice.state] ?? ''}`}>${term('adviceState', advice.state)}</span>
        <span class="pill warn">${term('severity', advice.severity)}</span>
      <span class="soft small">${clock(advice.madeAt, language)}</span></div>
    <pre tabindex="0">${advice.feedbackText}</pre>
    ${advice.supersedes && html`<p class="small soft">${t('advice.supersedes')}</p>`}
    <details><summary>${t('advice.analysis')}</summary><${Facts} rows=${factRows(term, analysis)} /></details>
    ${turnId ? html`<p class="small">${t('advice.usedIn')} <${TurnLink} room=${room} turnId=${turnId} /></p>
      <details><summary>${t('advice.prompt')}</summary><${PromptOf} room=${room} advice=${advice}
        turnId=${turnId} /></details>`
      : html`<p class="small soft">${t('advice.notUsed')}</p>`}
  </article>`;
}

/** Advice newest first, then what the monitor made of each round it was asked about. */
export function AdviceTab({ room, picture, moved }) {
  const { t, term } = useWords();
  const states = [...picture.advice.values()].map((advice) => advice.state).join();
  const [entries, problem] = useLoaded(() => api.feedback(room.live.sessionId), [room.live.sessionId, moved, states]);
  const uses = ({ used, turnId }) => used.map((advice) => [advice.adviceId, turnId]);
  const usedIn = new Map([...picture.turns.values()].flatMap(uses));
  const newest = [...(entries ?? [])].reverse();
  const advice = newest.map((entry) => entry.advice).filter(Boolean);
  return html`<${Problem} problem=${problem} />
    <${Section} title=${t('tab.advice')} empty=${t('advice.none')}>
      ${advice.map((one) => html`<${AdviceCard} key=${one.adviceId} room=${room} advice=${one}
        turnId=${usedIn.get(one.adviceId)} />`)}<//>
    <${Section} title=${t('advice.analyses')} empty=${t('advice.none')}>
      ${newest.length > 0 && html`<div class="table-frame cards"><table><tbody>
        ${newest.map((one) => html`<tr key=${`${one.actionInstanceId}/${one.round}`}>
        <td class="lead"><strong>${one.actionId}</strong></td><td class="when">
          ${t('advice.about', { n: one.round })}</td><td>${term('result', one.result)} ${term('code', one.reason)}</td>
          <td>${term('planning', one.planning)} ${term('code', one.planningReason)}</td></tr>`)}</tbody></table>
          </div>`}<//>`;
}
