// What is computed from the figures of a script's version, for tables and bars; pure.

/** How many of a list of counts one word has. */
export const countOf = (counts, kind, word) => (counts ?? []).find((one) => one[kind] === word)?.count ?? 0;

/** A part of a whole in percent; nothing where there is no whole. */
export const share = (part, whole) => (whole > 0 ? Math.round((100 * part) / whole) : null);

/** Rounds of an action each time it came, on average. */
export const roundsEach = (action) => (action.begun > 0 ? action.rounds / action.begun : null);

/** The figures of an action by its place; a technique's own actions stand under the technique. */
export function byPlace(figures) {
  const name = (one) => JSON.stringify([one.phaseId, one.topicId, one.actionId, one.techniqueId ?? '']);
  const found = new Map((figures?.actions ?? []).map((one) => [name(one), one]));
  return (place) => found.get(name(place));
}

/** The actions in the order of the script, those of techniques behind all of its own. */
export function inOrder(figures, outline) {
  const place = (phaseId, topicId, actionId) => JSON.stringify([phaseId, topicId, actionId]);
  const order = new Map();
  for (const phase of outline?.phases ?? []) {
    for (const topic of phase.topics) {
      for (const action of topic.actions) order.set(place(phase.phaseId, topic.topicId, action.actionId), order.size);
    }
  }
  const last = order.size;
  const rank = (one) => (one.techniqueId ? last : (order.get(place(one.phaseId, one.topicId, one.actionId)) ?? last));
  return [...(figures?.actions ?? [])].sort((one, other) => rank(one) - rank(other));
}

/** Sums over the actions of what became of advice. */
export function adviceTotals(figures) {
  const totals = { made: 0, consumed: 0, expired: 0, superseded: 0, pending: 0 };
  for (const action of figures?.actions ?? []) {
    for (const { state, count } of action.advice ?? []) {
      totals.made += count;
      if (state in totals) totals[state] += count;
    }
  }
  return totals;
}
