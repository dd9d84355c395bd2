// State in one place, changed by one function, told to those who look.

import { useEffect, useState } from '../../vendor/preact.js';

/**
 * A value that changes by `reduce(value, events)`. Events are gathered and told once a frame, also in a hidden tab.
 * @template Value, Event
 * @param {(value: Value, events: Event[]) => Value} reduce
 * @param {Value} value
 * @returns {Store<Value, Event>}
 */
export function createStore(reduce, value) {
  const listeners = new Set();
  /** @type {Event[]} */
  let waiting = [];
  const settle = () => {
    if (!waiting.length) return;
    const events = waiting;
    waiting = [];
    value = reduce(value, events);
    for (const listener of [...listeners]) listener();
  };
  return {
    get() {
      settle();
      return value;
    },
    send(...events) {
      if (!waiting.length) setTimeout(settle, 16);
      waiting.push(...events);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * The part of a store that `select` takes; the component is drawn anew when that part is another.
 * @param {Store<any, any>} store
 * @param {(value: any) => any} [select]
 */
export function useStore(store, select = (value) => value) {
  const [part, setPart] = useState(() => select(store.get()));
  useEffect(() => {
    const look = () => setPart(() => select(store.get()));
    look();
    return store.listen(look);
  }, [store]);
  return part;
}

/**
 * Keep a value in this browser for who asks for it next.
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(`heartrule.${name}`, JSON.stringify(value));
  } catch {
    // Private windows keep nothing; the value lives as long as the page.
  }
}

/**
 * A value that was kept in this browser; `initial` where there is none.
 * @param {string} name
 * @param {any} initial
 */
export function kept(name, initial) {
  try {
    return JSON.parse(localStorage.getItem(`heartrule.${name}`) ?? 'null') ?? initial;
  } catch {
    return initial;
  }
}

/**
 * A value that is kept in this browser whenever it changes.
 * @param {string} name
 * @param {any} initial
 * @returns {[any, (next: any) => void]}
 */
export function useKept(name, initial) {
  const [value, setValue] = useState(() => kept(name, initial));
  const change = (/** @type {any} */ next) => {
    setValue(next);
    keep(name, next);
  };
  return [value, change];
}
