// Something read from the server, again whenever what it depends on is another.

import { useEffect, useState } from '../../vendor/preact.js';

/** `[value, problem, again]` of an asynchronous read; the last value stays while the next is read. */
export function useLoaded(read, dependencies) {
  const [found, setFound] = useState({ value: null, problem: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let wanted = true;
    read().then(
      (value) => wanted && setFound({ value, problem: null }),
      (problem) => wanted && setFound((before) => ({ value: before.value, problem })),
    );
    return () => { wanted = false; };
  }, [...dependencies, turn]);
  return [found.value, found.problem, () => setTurn((n) => n + 1)];
}
