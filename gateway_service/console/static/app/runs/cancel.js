// The button that ends a run, of a workflow or of an agent in a thread, after a question.

import { html, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useAsk } from '../lib/ask.js';
import { useWords } from '../lib/i18n.js';
import { Problem } from '../lib/parts.js';

/** `sure` is the question; `onDone` is called once the run is cancelled. */
export function CancelButton({ sessionId, runId, name, sure, isOver = false, onDone }) {
  const { t } = useWords();
  const [question, ask] = useAsk();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  async function cancel() {
    if (!(await ask({ title: name, text: sure, yes: name, no: t('app.leaveIt'), isGrave: true }))) return;
    setBusy(true);
    setProblem(null);
    await api.cancelRun(sessionId, runId).then(onDone, setProblem);
    setBusy(false);
  }
  return html`<button class="danger" disabled=${busy || isOver} onClick=${cancel}>${name}</button>
    <${Problem} problem=${problem} />${question}`;
}
