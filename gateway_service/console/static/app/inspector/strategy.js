// The strategy engine's reasoning, newest first, each beside an earlier decision of choice.

import { html, useState } from '../../vendor/preact.js';
import { Facts } from '../chat/bubbles.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem } from '../lib/parts.js';
import { clock } from '../lib/text.js';

function Decision({ decision }) {
  const { t, language } = useWords();
  const { strategyPrompt, reasoning = {} } = decision.recommendation ?? {};
  const situation = decision.context?.currentSituation ?? {};
  const described = [situation.currentPhase, situation.topicDescription, situation.progressSummary];
  return html`<article class="card stack">
    <div class="row"><strong>${decision.actionId}</strong><span class="soft small">
      ${clock(decision.timestamp, language)}</span></div>
    <${Facts} rows=${[
      [t('strategy.state'), reasoning.userStateAnalysis],
      [t('strategy.considerations'), (reasoning.keyConsiderations ?? []).join('；')],
      [t('strategy.rationale'), reasoning.strategyRationale],
      [t('strategy.situation'), described.filter(Boolean).join(' · ')],
    ]} />
    <h2>${t('strategy.prompt')}</h2><pre tabindex="0">${strategyPrompt}</pre>
  </article>`;
}

/** The decisions of a session. */
export function StrategyTab({ room, moved }) {
  const { t, language } = useWords();
  const [decisions, problem] = useLoaded(() => api.strategies(room.live.sessionId), [room.live.sessionId, moved]);
  const [compared, setCompared] = useState('');
  const all = [...(decisions ?? [])].reverse();
  const earlier = all.slice(1).find((_, i) => String(i) === compared);
  if (decisions && !all.length) return html`<p class="empty">${t('strategy.none')}</p>`;
  return html`<${Problem} problem=${problem} />
    ${all[0] && html`<${Decision} decision=${all[0]} />`}
    ${all.length > 1 && html`<label><span class="name">${t('strategy.compare')}</span>
      <select value=${compared} onChange=${(event) => setCompared(event.target.value)}>
      <option value="">—</option>${all.slice(1).map((one, i) => html`<option key=${i} value=${String(i)}>
        ${one.actionId} ${clock(one.timestamp, language)}</option>`)}</select></label>`}
    ${earlier && html`<h2>${t('strategy.earlier')}</h2><${Decision} decision=${earlier} />`}`;
}
