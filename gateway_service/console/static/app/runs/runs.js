// The runs of a session: a line with a link for each, where a decision began it, in a turn, or all of them.

import { html } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem, Section } from '../lib/parts.js';
import { href } from '../lib/route.js';
import { moment, span } from '../lib/text.js';
import { RunState } from './marks.js';
import { tookMs } from './reading.js';

async function readRuns(sessionId) {
  const [runs, workflows] = await Promise.all([api.runs(sessionId), api.workflows(sessionId)]);
  const names = new Map(workflows.map((workflow) => [workflow.workflowId, workflow.name]));
  return runs.map((run) => ({ ...run, name: run.agent || names.get(run.workflowId) || run.workflowId }));
}

/** `[runs, problem]`: the runs of a session, oldest first, with the names of their workflows. */
export function useRuns(sessionId, picture) {
  const [runs, problem] = useLoaded(() => readRuns(sessionId), [sessionId, picture.runChanges]);
  return [runs ?? [], problem];
}

/** The run that a decision began; of a recovery the one that it was about: the newest of its workflow at that time. */
export function runOf(decision, runs) {
  const begun = runs.find((run) => run.decisionId === decision.decisionId);
  if (begun || decision.decisionType !== 'error_recovery') return begun;
  const about = decision.payload?.workflow_id;
  return runs.filter((run) => run.workflowId === about && run.createTime <= decision.createTime).at(-1);
}

/** One run: its name leads to its page. */
export function RunLine({ sessionId, run }) {
  const { t, language } = useWords();
  const took = tookMs(run);
  const times = [moment(run.createTime, language), took !== null && span(took)].filter(Boolean).join(' · ');
  const address = href('sessions', sessionId, 'runs', run.runId);
  return html`<p><a href=${address}>${t('run.open', { name: run.name })}</a>${' '}
    <${RunState} state=${run.state} /> <span class="soft small">${times}</span></p>`;
}

/** All runs of the session, newest first. */
export function RunsTab({ room, picture }) {
  const { t } = useWords();
  const id = room.live.sessionId;
  const [runs, problem] = useRuns(id, picture);
  const line = (run) => html`<div class="card" key=${run.runId}><${RunLine} sessionId=${id} run=${run} /></div>`;
  return html`<${Problem} problem=${problem} />
    <${Section} title=${t('tab.runs')} empty=${t('run.none')}>${[...runs].reverse().map(line)}<//>`;
}
