// Something read from the server, again whenever what it depends on is another.

import { useEffect, useRef, useState } from '../../vendor/preact.js';

const PACE_MS = 500;
const AWAIT_MS = 3000;

/**
 * `[value, problem, again]` of an asynchronous read; the last value stays while the next is read.
 * @param {() => Promise<any>} read
 * @param {unknown[]} dependencies
 * @returns {[any, any, () => void]}
 */
export function useLoaded(read, dependencies) {
  const [found, setFound] = useState({ value: null, problem: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let wanted = true;
    read().then(
      (value) => wanted && setFound({ value, problem: null }),
      (problem) => wanted && setFound((before) => ({ value: before.value, problem })),
    );
    return () => {
      wanted = false;
    };
  }, [...dependencies, turn]);
  return [found.value, found.problem, () => setTurn((n) => n + 1)];
}

/**
 * Read again some seconds after an answer while something is awaited, such as the script that `heartrule run` is
 * publishing; `told` is another with each answer.
 * @param {boolean} isAwaited
 * @param {unknown} told
 * @param {() => void} again
 */
export function useAgainWhile(isAwaited, told, again) {
  useEffect(() => {
    if (!isAwaited) return undefined;
    const timer = setTimeout(again, AWAIT_MS);
    return () => clearTimeout(timer);
  }, [isAwaited, told]);
}

/**
 * As useLoaded, for what changes often: read again when one of `changes` is another, but never twice at once and with a
 * pause between; the last change is always read.
 * @param {() => Promise<any>} read
 * @param {unknown[]} changes
 * @param {unknown[]} dependencies
 * @returns {[any, any, () => void]}
 */
export function useFollowed(read, changes, dependencies) {
  const [found, setFound] = useState({ value: null, problem: null });
  const again = useRef(/** @type {any} */ (null));
  useEffect(() => {
    let wanted = true;
    let reading = false;
    let due = false;
    again.current = async () => {
      due = true;
      if (reading) return;
      reading = true;
      while (wanted && due) {
        due = false;
        const next = await read().then(
          (value) => ({ value, problem: null }),
          (problem) => ({ problem }),
        );
        if (wanted) setFound((before) => ({ ...before, ...next }));
        await new Promise((resolve) => {
          setTimeout(resolve, PACE_MS);
        });
      }
      reading = false;
    };
    return () => {
      wanted = false;
    };
  }, dependencies);
  useEffect(() => {
    again.current();
  }, [...dependencies, ...changes]);
  return [found.value, found.problem, () => again.current()];
}
