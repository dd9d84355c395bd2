/**
 * Says something that is refused, on each of the two ways, and prints each refusal as a line of JSON.
 *
 * The one argument is JSON: address, protos, script; text, what is said.
 */

import { HeartRule } from "./heartrule.mjs";

const { address, protos, script, text } = JSON.parse(process.argv[2]);
const heartrule = new HeartRule(address, { protos });
const { script_id } = await heartrule.publish(script);

for (const way of ["converse", "watch"]) {
  const { session_id } = await heartrule.start({ script_id });
  const conversation = heartrule[way](session_id);
  for await (const event of conversation) {
    if (event.event === "turn_ended") conversation.say(text);
    if (event.event !== "input_rejected") continue;
    console.log(JSON.stringify(event.input_rejected));
    conversation.leave();
  }
}
heartrule.close();
