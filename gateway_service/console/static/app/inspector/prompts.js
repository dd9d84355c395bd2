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

/** The lines of a prompt that tell the exit criteria; nothing where it has none. */
export function criteriaIn(input) {
  const text = messagesOf(input).map((message) => message.content).join('\n');
  const lines = text.split('\n');
  const at = lines.findIndex((line) => /退出标准|退出条件|exit[_ ]criteria/i.test(line));
  if (at < 0) return null;
  const end = lines.findIndex((line, i) => i > at && !line.trim());
  return lines.slice(at, end < 0 ? at + 12 : Math.min(end, at + 12)).join('\n');
}

/** The parts of a text before, in and after a piece of it, so that the piece can be marked. */
export function around(text, piece) {
  const at = piece ? text.indexOf(piece) : -1;
  if (at < 0) return null;
  return [text.slice(0, at), piece, text.slice(at + piece.length)];
}
