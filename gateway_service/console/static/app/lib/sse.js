// Server-sent events over fetch: a POST can stream, a lost stream resumes by id, and a stop is one call.

/** Split a growing text into events. `push` returns those that are whole; the rest waits for more. */
export function eventSplitter() {
  let rest = '';
  let fresh = true;
  return {
    /**
     * @param {string} text
     * @returns {Frame[]}
     */
    push(text) {
      if (fresh && text) {
        fresh = false;
        if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      }
      rest += text;
      const events = [];
      for (;;) {
        const end = /\r\n\r\n|\n\n|\r\r/.exec(rest);
        if (!end) return events;
        const event = parseEvent(rest.slice(0, end.index));
        rest = rest.slice(end.index + end[0].length);
        if (event) events.push(event);
      }
    },
  };
}

/**
 * @param {string} block
 * @returns {Frame | null}
 */
function parseEvent(block) {
  const event = { id: '', event: 'message', data: '', retry: 0 };
  const data = [];
  let known = false;
  for (const line of block.split(/\r\n|\n|\r/)) {
    if (!line || line.startsWith(':')) continue;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? '' : line.slice(colon + 1);
    if (value.startsWith(' ')) value = value.slice(1);
    known = true;
    if (field === 'data') data.push(value);
    else if (field === 'id') event.id = value;
    else if (field === 'event') event.event = value;
    else if (field === 'retry') event.retry = Number(value) || 0;
  }
  if (!known) return null;
  event.data = data.join('\n');
  return event;
}

/**
 * Read the events of one response until it ends; `onEvent` may return false to stop early.
 * @param {Response} response
 * @param {(event: Frame) => unknown} onEvent
 */
export async function readEvents(response, onEvent) {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const splitter = eventSplitter();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of splitter.push(decoder.decode(value, { stream: true }))) {
      if (onEvent(event) === false) {
        await reader.cancel();
        return;
      }
    }
  }
}
