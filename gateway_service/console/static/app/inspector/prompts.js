// Reading the messages of a model call, as the ledger keeps them: one JSON array of {role, content}.

/** The messages of a call; the empty list where the text is none. */
export function messagesOf(input) {
  try {
    const found = JSON.parse(input ?? '');
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** The parts of a text before, in and after a piece of it, so that the piece can be marked. */
export function around(text, piece) {
  const at = piece ? text.indexOf(piece) : -1;
  if (at < 0) return null;
  return [text.slice(0, at), piece, text.slice(at + piece.length)];
}
