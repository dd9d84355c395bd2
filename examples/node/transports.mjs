/**
 * Two ways to the same events. Each has
 *   events    an async iterable of {event}
 *   send      tells one input; what is wrong with it comes back as an `input_rejected` event
 *   leave     no more input; `events` ends once all that was accepted is answered
 *   finish    nothing is left to wait for
 *   cut       drops the connection; nothing that was accepted is lost by it
 */

import { PassThrough } from "node:stream";

import { detailsOf } from "./status.mjs";

/** Codes that say nothing of the input: DEADLINE_EXCEEDED, UNAVAILABLE. */
const LOST = new Set([4, 14]);

/** Converse: one stream, both ways. */
export class BothWays {
  constructor(heartrule, open) {
    this.events = heartrule.conversation.Converse();
    this.events.on("error", () => {}); // told to whoever iterates; without a listener Node ends
    this.events.write({ open });
  }

  send(input) {
    this.events.write({ input });
  }

  leave() {
    this.events.end();
  }

  finish() {} // the server ends the stream by itself

  cut() {
    this.events.cancel();
  }
}

/** WatchSession to listen, SubmitInput to speak. */
export class OneWay {
  #heartrule;
  #open;
  #source;
  #over = false;

  constructor(heartrule, open) {
    this.events = new PassThrough({ objectMode: true });
    this.events.on("error", () => {});
    this.#heartrule = heartrule;
    this.#open = open;
    if (open.after_sequence > 0) this.#watch();
    else this.#initialize(); // a watcher begins nothing, so the opening turn is asked for
  }

  async send(input) {
    const request = { session_id: this.#open.session_id, input };
    try {
      await this.#heartrule.call("conversation", "SubmitInput", request);
    } catch (error) {
      const event = this.#rejection(input, error);
      if (LOST.has(error.code) && !event.input_rejected.fallback) this.#fail(error);
      else if (!this.#over) this.events.write({ event });
    }
  }

  leave() {}

  finish() {
    this.#stop();
    this.events.end();
  }

  cut() {
    this.#stop();
    this.events.destroy();
  }

  #initialize() {
    const { after_sequence, ...request } = this.#open;
    this.#follow("InitializeSession", request, () => this.#watch());
  }

  #watch() {
    this.#follow("WatchSession", this.#open, () => this.events.end());
  }

  #follow(method, request, then) {
    this.#source = this.#heartrule.conversation[method](request);
    this.#source.on("data", (response) => this.#over || this.events.write(response));
    this.#source.on("end", () => this.#over || then());
    this.#source.on("error", (error) => this.#fail(error));
  }

  #fail(error) {
    if (this.#over) return;
    this.#stop();
    this.events.destroy(error);
  }

  #stop() {
    this.#over = true; // before the cancelled stream ends: nothing follows it
    this.#source.cancel();
  }

  /** A single call that was refused, told as it would be on Converse. */
  #rejection({ client_message_id }, error) {
    const told = detailsOf(error, this.#heartrule.contract);
    const problem = {
      code: error.code,
      reason: told["google.rpc.ErrorInfo"]?.reason ?? "",
      message: error.details,
      retry_after: told["google.rpc.RetryInfo"]?.retry_delay ?? null,
    };
    const fallback = told["heartrule.v1.SafetyFallback"] ?? null;
    return { sequence: 0, event: "input_rejected", input_rejected: { client_message_id, problem, fallback } };
  }
}
