// Text of a script that was not published, kept in this browser until it is: it outlives the page and a crash.

const KEY = 'heartrule.draft.';

/** What was written of a script and not published: `{files, assets, version, made}`; nothing where there is none. */
export function draftOf(scriptId) {
  try {
    const found = JSON.parse(localStorage.getItem(KEY + scriptId) ?? 'null');
    return found && typeof found.files === 'object' ? { assets: {}, ...found } : null;
  } catch {
    return null;
  }
}

/** Keep what was written beside the version it began from; false where this browser keeps nothing. */
export function keepDraft(scriptId, { files, assets }, version) {
  try {
    localStorage.setItem(KEY + scriptId, JSON.stringify({ files, assets, version, made: new Date().toISOString() }));
    return true;
  } catch {
    return false;
  }
}

/** Forget what was written. */
export function forgetDraft(scriptId) {
  try {
    localStorage.removeItem(KEY + scriptId);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

const flat = ({ files, assets = {} }) => JSON.stringify([files, assets].map((each) => Object.entries(each).sort()));

/** Whether two bundles hold the same files and pictures. */
export const isSame = (one, other) => flat(one) === flat(other);
