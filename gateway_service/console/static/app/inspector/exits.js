// Every exit decision, round by round, with its source, and the criteria as the model was told them.

import { html } from '../../vendor/preact.js';
import { Facts, callOf, exitFacts } from '../chat/bubbles.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem, Section } from '../lib/parts.js';
import { clock } from '../lib/text.js';
import { criteriaIn } from './prompts.js';

const MOST = 200;

/** The exit decisions of a session, newest first. */
export function ExitsTab({ room, moved, turn }) {
  const { t, term, language } = useWords();
  const id = room.live.sessionId;
  const [entries, problem] = useLoaded(() => api.exits(id), [id, moved]);
  const [calls] = useLoaded(() => (turn ? room.callsOf(turn.turnId) : Promise.resolve([])), [turn?.turnId, moved]);
  const results = new Map((turn?.results ?? []).map((result) => [`${result.actionInstanceId}/${result.round}`, result]));
  const criteria = (calls ?? []).map((call) => criteriaIn(call.input)).find(Boolean);
  const newest = (entries ?? []).slice(-MOST).reverse();
  return html`<${Problem} problem=${problem} />
    ${criteria && html`<${Section} title=${t('exits.criteria')}><pre tabindex="0">${criteria}</pre><//>`}
    <${Section} title=${t('bubble.exit')} empty=${t('exits.none')}>
      ${newest.map((entry) => {
        const key = `${entry.actionInstanceId}/${entry.round}`;
        const verdict = entry.decision?.shouldExit ? t('bubble.exitYes') : t('bubble.exitNo');
        return html`<details class="card" key=${key} open=${results.has(key)}>
          <summary>${entry.actionId} ${entry.round}/${entry.maxRounds} · <strong>${verdict}</strong> ${term('source', entry.decision?.decisionSource)} <span class="soft small">${clock(entry.timestamp, language)}</span></summary>
          <${Facts} rows=${exitFacts({ t, term }, results.get(key) ?? entry, results.has(key) ? callOf(turn, results.get(key), calls ?? []) : undefined)} /></details>`;
      })}
    <//>`;
}
