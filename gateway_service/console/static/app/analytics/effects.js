// One session: what the client did before and after each strategy, in the words of the model, side by side.

import { html } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Facts, Problem } from '../lib/parts.js';
import { href } from '../lib/route.js';

const WORDS = ['userEngagement', 'emotionalIntensity', 'understandingLevel'];

/**
 * Each strategy with the judged rounds around it: the one in whose answer it was used, and the next of the action.
 * An advice about a round is used in the next; a recommendation in the round in which it was made.
 */
export function effectsOf(metrics, feedback, decisions) {
  const rounds = (used) => metrics.filter((one) => one.actionInstanceId === used.actionInstanceId);
  const around = (used, round) => ({
    before: rounds(used).find((one) => one.round === round),
    after: rounds(used).find((one) => one.round > round),
  });
  const advised = feedback.filter((one) => one.advice?.state === 'consumed').map((one) => ({
    actionId: one.actionId, round: one.round + 1, words: one.advice.feedbackText, time: one.timestamp,
    suggestion: one.analysis?.strategySuggestion ?? '', ...around(one, one.round + 1),
  }));
  const recommended = decisions.map((one) => ({
    actionId: one.actionId, round: one.round, words: one.recommendation?.strategyPrompt ?? '', time: one.timestamp,
    recommended: true, ...around(one, one.round),
  }));
  return [...advised, ...recommended].sort((one, other) => one.time.localeCompare(other.time));
}

function Side({ name, entry }) {
  const { t, term } = useWords();
  const rows = WORDS.map((word) => [t(`metric.${word}`), entry?.metrics?.[word]]);
  return html`<div class="grow"><h3>${name}</h3>${!entry ? html`<p class="soft">—</p>` : html`
    <p>${entry.progressSuggestion && html`<span class=${`pill ${entry.progressSuggestion === 'blocked' ? 'bad' : ''}`}>
      ${term('suggestion', entry.progressSuggestion)}</span>`}
      <span class="small soft"> ${t('effects.round', { n: entry.round })}</span></p>
    <${Facts} rows=${rows} />`}</div>`;
}

/** The page. */
export function Effects({ sessionId }) {
  const { t, term } = useWords();
  const [found, problem] = useLoaded(async () => {
    const read = [api.metrics, api.feedback, api.strategies].map((one) => one(sessionId));
    return effectsOf(...(await Promise.all(read)));
  }, [sessionId]);
  return html`<div class="scroll"><div class="page stack">
    <div class="row spread"><h1>${t('effects.title')}</h1>
      <a class="button" href=${href('sessions', sessionId)}>${t('run.back')}</a></div>
    <p class="small soft">${t('effects.hint')}</p><${Problem} problem=${problem} />
    ${found && !found.length && html`<p class="empty">${t('effects.none')}</p>`}
    ${(found ?? []).map((one, i) => html`<article class="card stack" key=${i}>
      <h2>${one.actionId} <span class="pill violet">${one.recommended ? t('analytics.recommended')
        : one.suggestion ? term('factValue', one.suggestion) : t('analytics.otherAdvice')}</span></h2>
      <details><summary>${t('effects.words')}</summary><p class="text">${one.words}</p></details>
      <div class="two-sides"><${Side} name=${t('effects.before')} entry=${one.before} />
        <${Side} name=${t('effects.after')} entry=${one.after} /></div></article>`)}
  </div></div>`;
}
