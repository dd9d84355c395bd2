/**
 * Fills a form: the first answer is wrong, the second one mends what came back marked. Prints each
 * schema, each problem and the last outcome as lines of JSON.
 *
 * The one argument is JSON: address, protos, script; answers, the values of each submission.
 */

import { HeartRule } from "./heartrule.mjs";
import { fromStruct } from "./struct.mjs";

const { address, protos, script, answers } = JSON.parse(process.argv[2]);
const heartrule = new HeartRule(address, { protos });
const { script_id } = await heartrule.publish(script);
const { session_id } = await heartrule.start({ script_id });
const conversation = heartrule.converse(session_id, { accepts: ["FEATURE_FORM"] });
let asked;

for await (const event of conversation) {
  if (event.event === "input_requested") {
    asked = event.input_requested;
    console.log(JSON.stringify({ schema: fromStruct(asked.schema) }));
  }
  if (event.event === "input_rejected") console.log(JSON.stringify(event.input_rejected));
  if (event.event !== "turn_ended") continue;
  if (conversation.completed) conversation.leave();
  else conversation.submit(asked.input_request_id, answers.shift());
  if (conversation.completed) console.log(JSON.stringify({ outcome: event.turn_ended.outcome }));
}
heartrule.close();
