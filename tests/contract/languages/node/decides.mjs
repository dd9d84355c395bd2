/**
 * Submits a decision, the same again, and one that is wrong as a dry run; reads the workflow and
 * its runs, and prints what came of each as a line of JSON.
 *
 * The one argument is JSON: address, protos, script; payload, of a decision that drafts.
 */

import { HeartRule } from "./heartrule.mjs";
import { fromStruct, fromValue } from "./struct.mjs";

const { address, protos, script, payload } = JSON.parse(process.argv[2]);
const heartrule = new HeartRule(address, { protos });
const { script_id } = await heartrule.publish(script);
const { session_id } = await heartrule.start({ script_id });

const wrong = { action_type: payload.action_type };
for (const fields of [{ payload }, { payload }, { payload: wrong, dry_run: true, decision_id: "" }]) {
  const { decision, workflow } = await heartrule.decide(session_id, { decision_id: "op-1", ...fields });
  const { is_valid, payload: effective, errors } = decision.verdict;
  const codes = errors.map(({ code, path }) => [code, path]);
  const { state } = decision;
  console.log(JSON.stringify({ state, is_valid, effective: fromValue(effective), codes, workflow }));
}
const { workflows } = await heartrule.call("decision", "ListWorkflows", { session_id });
const wanted = { session_id, workflow_id: workflows[0].workflow_id };
const { workflow } = await heartrule.call("decision", "GetWorkflow", wanted);
console.log(JSON.stringify(fromStruct(workflow.definition)));
const { runs } = await heartrule.call("run", "ListRuns", { session_id });
const nothing = heartrule.call("run", "CancelRun", { session_id, run_id: "none" });
console.log(JSON.stringify({ runs, missing: await nothing.catch(({ code }) => code) }));
heartrule.close();
