// One open session: its picture, kept up to date by a stream that resumes where it broke, and older events on demand.

import { ApiProblem, api, readSession } from '../lib/api.js';
import { createStore } from '../lib/store.js';
import { empty, reduceAll } from './conversation.js';

const FIRST = 80; // durable events read before anything is shown: ten turns, more than a screen
const PAGE = 400; // durable events read at once when the reader goes back
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/** @param {string} sessionId */
const readNoted = (sessionId) => api.session(sessionId, { withNotes: 'true' });

/**
 * Open a session. `picture` tells the conversation, `link` how the stream stands. `close` ends both.
 * @param {string} sessionId
 */
export function openSession(sessionId) {
  const picture = createStore(reduceAll, empty());
  const link = createStore((before, changes) => Object.assign({ ...before }, ...changes), {
    status: 'connecting',
    problem: null,
    session: null,
    oldest: 0,
    newest: 0,
    loading: false,
    sent: '',
  });
  const stop = new AbortController();
  follow({ sessionId, picture, link, signal: stop.signal });
  return {
    sessionId,
    picture,
    link,
    close: () => stop.abort(),
    older: () => readOlder({ sessionId, picture, link, signal: stop.signal }),
    refresh: async () => link.send({ session: await readNoted(sessionId) }),
  };
}

/** @param {Followed} session */
async function follow({ sessionId, picture, link, signal }) {
  let wait = FIRST_WAIT_MS;
  /** @type {number | null} */
  let after = null;
  while (!signal.aborted) {
    try {
      if (after === null) {
        const [session, state] = await Promise.all([readNoted(sessionId), api.state(sessionId)]);
        after = Math.max(0, state.sequence - FIRST);
        link.send({ session, oldest: after, newest: Number(state.sequence ?? 0) });
      }
      await readSession(sessionId, {
        after: Math.max(after, picture.get().last),
        signal,
        onEvent: (event) => {
          wait = FIRST_WAIT_MS;
          picture.send(event);
          if (event.opened) link.send({ status: 'live', problem: null });
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) {
        link.send({ status: 'failed', problem: error });
        return;
      }
    }
    if (signal.aborted) return;
    link.send({ status: 'broken' });
    await pause(wait, signal);
    wait = Math.min(LONGEST_WAIT_MS, wait * 2);
  }
}

/**
 * A problem that another attempt would meet again. Whatever is not the server's word counts as a broken line.
 * @param {unknown} error
 */
function isFinal(error) {
  return error instanceof ApiProblem && [400, 401, 403, 404, 416].includes(error.status);
}

/**
 * Wait, or less when the browser says that the network is back.
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

/**
 * Read the events before the oldest one that is known.
 * @param {Followed} session
 */
async function readOlder({ sessionId, picture, link, signal }) {
  const { oldest, loading, status } = link.get();
  if (loading || oldest <= 0 || status === 'failed') return;
  link.send({ loading: true, problem: null });
  let isReached = false;
  const from = Math.max(0, oldest - PAGE);
  /** @type {Told[]} */
  const events = [];
  try {
    await readSession(sessionId, {
      after: from,
      signal,
      onEvent: (event) => {
        if (event.opened) return true;
        if (event.sequence > 0 && event.sequence <= oldest) events.push(event);
        isReached ||= event.sequence >= oldest;
        return !isReached;
      },
    });
    // A stream that ends before its time has left a gap, which is read again.
    if (!isReached) throw new ApiProblem(0, { title: 'unreachable' });
    picture.send(...events);
    link.send({ oldest: from, loading: false });
  } catch (error) {
    if (!signal.aborted) link.send({ loading: false, problem: error });
  }
}
