// How states of runs and nodes look: their tone, and what is said of a failure.

import { html } from '../../vendor/preact.js';
import { useWords } from '../lib/i18n.js';

const TONES = {
  queued: 'info', running: 'info', retrying: 'warn', waiting_decision: 'warn', interrupted: 'warn',
  completed: 'good', failed: 'bad',
};

/** The state of a run; `role` may say that changes are told. */
export function RunState({ state, role }) {
  const { term } = useWords();
  return html`<span class=${`pill ${TONES[state] ?? ''}`} role=${role}>${term('runState', state)}</span>`;
}

/** The state of a node or of one of its attempts. */
export function NodeState({ state }) {
  const { term } = useWords();
  return html`<span class=${`pill ${TONES[state] ?? ''}`}>${term('nodeState', state)}</span>`;
}

/** Why something failed: the code in words, then what was said for developers. */
export function Failure({ failure }) {
  const { t, term } = useWords();
  if (!failure) return null;
  return html`<p class="notice bad"><strong>${term('runCode', failure.code)}</strong>
    ${failure.message && html` · <bdi>${failure.message}</bdi>`}
    ${failure.isRetryable && html` <span class="small">(${t('run.retryable')})</span>`}</p>`;
}
