/**
 * A chat in the terminal.
 *
 *     node chat.mjs --script ../../_system/scripts/greeting.yaml
 *     node chat.mjs --session ses_… --one-way
 *
 * Each line of standard input is one message, said when the session waits for one.
 */

import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

import { HeartRule } from "./heartrule.mjs";
import { Transcript } from "./transcript.mjs";

const { values } = parseArgs({
  options: {
    address: { type: "string", default: "127.0.0.1:50051" },
    protos: { type: "string" },
    script: { type: "string" },
    session: { type: "string" },
    "one-way": { type: "boolean", default: false },
  },
});

async function begin(heartrule) {
  if (values.session) {
    const { state } = await heartrule.call("session", "GetExecutionState", { session_id: values.session });
    return { sessionId: values.session, afterSequence: state.sequence };
  }
  const script = await heartrule.publish(await readFile(values.script));
  const session = await heartrule.start({ script_id: script.script_id });
  return { sessionId: session.session_id, afterSequence: 0 };
}

/** Says a line whenever the session waits for one. */
async function speak(conversation, lines, turns) {
  for await (const line of lines) {
    if (!turns.mine) await once(turns, "mine");
    turns.mine = false;
    conversation.say(line);
  }
  conversation.leave();
}

/** Prints text while it comes. A draft that came to nothing stays, on a line of its own. */
class Screen {
  #id = "";
  #text = "";

  show({ message_id, text, draft }) {
    const goesOn = message_id === this.#id && text.startsWith(this.#text);
    if (!goesOn && this.#id) process.stdout.write("\n");
    process.stdout.write(goesOn ? text.slice(this.#text.length) : text);
    if (!draft) process.stdout.write("\n");
    [this.#id, this.#text] = draft ? [message_id, text] : ["", ""];
  }
}

async function chat() {
  const heartrule = new HeartRule(values.address, values.protos && { protos: values.protos });
  const { sessionId, ...options } = await begin(heartrule);
  console.log(`session ${sessionId}`);
  const conversation = values["one-way"]
    ? heartrule.watch(sessionId, options)
    : heartrule.converse(sessionId, options);
  const [transcript, screen, turns] = [new Transcript(), new Screen(), new EventEmitter()];
  const lines = createInterface({ input: process.stdin });
  speak(conversation, lines, turns);

  for await (const event of conversation) {
    const message = transcript.take(event);
    if (message && message.role !== "ROLE_CLIENT") screen.show(message);
    const card = event.input_rejected?.fallback?.card; // where help is, before what went wrong
    if (card) console.log(card.text);
    const problem = event.input_rejected?.problem ?? event.turn_ended?.problem;
    if (problem) console.error(`${problem.reason || problem.code}: ${problem.message}`);
    const waits = event.opened?.state.status === "EXECUTION_STATUS_WAITING_INPUT";
    if (waits || event.event === "turn_ended" || event.event === "input_rejected") {
      turns.mine = true;
      turns.emit("mine");
    }
    if (conversation.completed) conversation.leave();
  }
  lines.close();
  heartrule.close();
  console.log(conversation.completed ? "the script is at its end" : `go on: --session ${sessionId}`);
  process.exit(0); // standard input may still be open
}

await chat();
