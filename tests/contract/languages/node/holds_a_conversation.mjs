/**
 * Holds one whole conversation and prints it as lines of JSON: {event} as it came, then {message}
 * for each message of the transcript.
 *
 * The one argument is JSON: address, protos, script, texts; way, "converse" or "watch";
 * breaks, true to drop its own stream in the midst of every turn.
 */

import { HeartRule } from "./heartrule.mjs";
import { Transcript } from "./transcript.mjs";

const { address, protos, script, texts, way, breaks } = JSON.parse(process.argv[2]);
const heartrule = new HeartRule(address, { protos });
const { script_id } = await heartrule.publish(script);
const { session_id } = await heartrule.start({ script_id });
const conversation = heartrule[way](session_id);
const transcript = new Transcript();
const broken = new Set();

for await (const event of conversation) {
  console.log(JSON.stringify({ event }));
  transcript.take(event);
  if (breaks && event.event === "draft_delta" && !broken.has(event.turn_id)) {
    broken.add(event.turn_id);
    conversation.reconnect();
  }
  if (event.event !== "turn_ended") continue;
  if (conversation.completed) conversation.leave();
  else conversation.say(texts.shift());
}
for (const message of transcript.messages) console.log(JSON.stringify({ message }));
heartrule.close();
