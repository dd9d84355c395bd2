// The button that ends a run, of a workflow or of an agent in a thread, after a question.

import { html, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { Problem } from '../lib/parts.js';

/** `sure` is the question; `onDone` is called once the run is cancelled. */
export function CancelButton({ sessionId, runId, name, sure, isOver = false, onDone }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  async function cancel() {
    if (!confirm(sure)) return;
    setBusy(true);
    setProblem(null);
    await api.cancelRun(sessionId, runId).then(onDone, setProblem);
    setBusy(false);
  }
  return html`<button class="danger" disabled=${busy || isOver} onClick=${cancel}>${name}</button>
    <${Problem} problem=${problem} />`;
}
