// Named places to come back to: a session and one of its turns. The names stay in this browser; the place itself is the
// server's, and restoring it is a fork.

const KEY = 'heartrule.snapshots';
const MOST = 100;

/** The snapshots of this browser, newest first. */
export function snapshots() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function keep(list) {
  localStorage.setItem(KEY, JSON.stringify(list.slice(0, MOST)));
}

/** Keep a place under a name; the same place has one name. */
export function keepSnapshot(snapshot) {
  keep([snapshot, ...snapshots().filter((one) => one.turnId !== snapshot.turnId)]);
}

/** Forget a place. */
export function forgetSnapshot(turnId) {
  keep(snapshots().filter((one) => one.turnId !== turnId));
}
