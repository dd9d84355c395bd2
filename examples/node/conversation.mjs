/**
 * A conversation that survives its streams.
 *
 * It needs three rules: remember the largest sequence and resume behind it; send an input again,
 * under the same id, until its turn has ended; ignore what one does not know.
 */

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { toStruct } from "./struct.mjs";

/** Codes after which the same may succeed, of a stream as of an input or a turn. */
const PASSING = new Set([
  4, // DEADLINE_EXCEEDED
  8, // RESOURCE_EXHAUSTED
  10, // ABORTED
  14, // UNAVAILABLE
]);
const MOST_TRIES = 5;

export class Conversation {
  /** The largest sequence seen; give it as `afterSequence` to go on in another process. */
  lastSequence;
  /** True once the script is at its end. */
  completed = false;

  #connect;
  #open;
  #transport;
  #unanswered = new Map(); // client_message_id → {input, tries}, in order
  #leaving = false;
  #dropped = false;
  #heartbeatMs = 0;
  #silence;

  /**
   * @param connect makes a transport of an `open` request
   * @param {string} sessionId
   * @param options afterSequence: 0 tells the whole history; audiences: such as
   *   ["AUDIENCE_OPERATOR"], for what a supervisor sees; accepts: such as ["FEATURE_FORM"], for
   *   what is told only to clients that can show it; wholeMessagesOnly: no drafts
   */
  constructor(connect, sessionId, options = {}) {
    const { afterSequence = 0, audiences = [], accepts = [], wholeMessagesOnly = false } = options;
    this.#connect = connect;
    this.lastSequence = afterSequence;
    this.#open = {
      session_id: sessionId,
      audiences,
      accepts,
      whole_messages_only: wholeMessagesOnly,
    };
  }

  /** Says something and returns its id; it is on its way until an event says how it ended. */
  say(text, { id = randomUUID(), traceparent = "" } = {}) {
    return this.#send({ client_message_id: id, parts: [{ text }], traceparent });
  }

  /** Submits a form for the request that asked for it; `text` stands for it elsewhere. */
  submit(requestId, values, { id = randomUUID(), text = "📋" } = {}) {
    const parts = [{ fallback_text: text, form: { values: toStruct(values) } }];
    return this.#send({ client_message_id: id, input_request_id: requestId, parts });
  }

  #send(input) {
    this.#unanswered.set(input.client_message_id, { input, tries: 1 });
    this.#transport?.send(input);
    return input.client_message_id;
  }

  /** Says that no more input comes: the events end once everything is answered. */
  leave() {
    this.#leaving = true;
    this.#transport?.leave();
    if (this.#finished) this.#transport?.finish();
  }

  /** Drops the stream and opens another, as after a change of network. */
  reconnect() {
    this.#dropped = true;
    this.#transport?.cut();
  }

  /** Yields every event once; durable ones in order, across as many streams as it takes. */
  async *[Symbol.asyncIterator]() {
    for (let failures = 0; ; failures += 1) {
      try {
        for await (const { event } of this.#begin()) {
          this.#listenAgain(event);
          if (!this.#isNew(event)) continue;
          if (event.sequence > 0) failures = 0;
          this.#note(event);
          yield event;
          if (this.#finished) this.#transport.finish();
        }
        if (this.#finished) return;
      } catch (error) {
        if (this.#finished) return;
        if (!this.#dropped && !PASSING.has(error.code)) throw error;
      } finally {
        this.#end();
      }
      if (!this.#dropped) await sleep(Math.min(10_000, 250 * 2 ** failures) * Math.random());
      this.#dropped = false;
    }
  }

  get #finished() {
    return this.#leaving && this.#unanswered.size === 0;
  }

  /** Opens a stream behind what is known and sends again what is not answered. */
  #begin() {
    this.#transport = this.#connect({ ...this.#open, after_sequence: this.lastSequence });
    for (const { input } of this.#unanswered.values()) this.#transport.send(input);
    if (this.#leaving) this.#transport.leave();
    return this.#transport.events;
  }

  #end() {
    clearTimeout(this.#silence);
    this.#transport.cut();
    this.#transport = undefined;
  }

  /** A stream silent for three heartbeats is broken, whatever the network says. */
  #listenAgain(event) {
    if (event.event === "opened") this.#heartbeatMs = milliseconds(event.opened.heartbeat_interval);
    clearTimeout(this.#silence);
    if (this.#heartbeatMs > 0) {
      this.#silence = setTimeout(() => this.reconnect(), 3 * this.#heartbeatMs);
    }
  }

  /** An input sent twice has its turn told twice; the sequence tells. */
  #isNew({ sequence }) {
    if (sequence === 0) return true;
    if (sequence <= this.lastSequence) return false;
    this.lastSequence = sequence;
    return true;
  }

  #note(event) {
    if (event.event === "input_rejected") {
      const { client_message_id, problem } = event.input_rejected;
      this.#settle(client_message_id, problem);
    } else if (event.event === "turn_ended") {
      const { outcome, state, problem, client_message_ids } = event.turn_ended;
      this.completed =
        outcome === "OUTCOME_SESSION_COMPLETED" || state?.status === "EXECUTION_STATUS_COMPLETED";
      const failure = outcome === "OUTCOME_FAILED" ? problem : null;
      for (const id of client_message_ids) this.#settle(id, failure);
      if (this.completed) this.#unanswered.clear();
    }
  }

  /** Strikes an input off, or sends it again in a while where that may help. */
  #settle(id, problem) {
    const waiting = this.#unanswered.get(id);
    if (waiting === undefined) return;
    if (!problem || !PASSING.has(problem.code) || waiting.tries >= MOST_TRIES) {
      this.#unanswered.delete(id);
      return;
    }
    waiting.tries += 1;
    const pause = milliseconds(problem.retry_after) || 1000 * waiting.tries;
    setTimeout(() => {
      if (!this.#unanswered.has(id)) return;
      if (this.#leaving) this.reconnect(); // this stream takes no more input; the next one does
      else this.#transport?.send(waiting.input);
    }, pause);
  }
}

/** Reads a google.protobuf.Duration; 0 where it is absent. */
function milliseconds(duration) {
  return duration ? duration.seconds * 1000 + duration.nanos / 1e6 : 0;
}
