// Where the reader is, kept in the address after `#`, so that reload and back do what a reader expects.

import { useEffect, useState } from '../../vendor/preact.js';

/**
 * Cut an address into its parts: `#/sessions/abc` gives ['sessions', 'abc'].
 * @param {string} hash
 */
export function parts(hash) {
  return hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decode);
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The address of a place.
 * @param {string[]} names
 */
export function href(...names) {
  return `#/${names.map(encodeURIComponent).join('/')}`;
}

/**
 * Go to a place.
 * @param {string[]} names
 */
export function go(...names) {
  location.hash = href(...names);
}

/** The place the reader is at. */
export function useRoute() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const look = () => setHash(location.hash);
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return parts(hash);
}
