// Server-sent events over fetch: a POST can stream, a lost stream resumes by id, and a stop is one call.

import { createParser } from '../../vendor/eventsource.js';

/** Split a growing text into events. `push` returns those that are whole; the rest waits for more. */
export function eventSplitter() {
  /** @type {Frame[]} */
  let events = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  return {
    /**
     * @param {string} text
     * @returns {Frame[]}
     */
    push(text) {
      events = [];
      parser.feed(text);
      return events;
    },
  };
}

/**
 * Read the events of one response until it ends; `onEvent` may return false to stop early.
 * @param {Response} response
 * @param {(event: Frame) => unknown} onEvent
 */
export async function readEvents(response, onEvent) {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const splitter = eventSplitter();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of splitter.push(value)) {
      if (onEvent(event) === false) {
        await reader.cancel();
        return;
      }
    }
  }
}
