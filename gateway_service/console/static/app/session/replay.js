// A client's answers of one session, given again in another: one after the other, each once, to the first that does
// not fit.

import { textOf } from '../lib/text.js';
import { fieldsOf } from '../chat/form.js';

const turnsOf = (picture) => [...picture.turns.values()];

/** What the client sent in a turn, in order. */
export function sentIn(picture, turn) {
  const ids = turn.inputs.flatMap((name) => picture.inputs.get(name) ?? []);
  return ids.map((id) => picture.messages.get(id)).filter(Boolean);
}

const given = (message) =>
  (message.parts ?? []).map(({ text, media, form, fallbackText }) => {
    if (form) return { form: form.values ?? {}, fallbackText };
    return media ? { media, fallbackText } : { text: text ?? fallbackText ?? '' };
  });

/**
 * The answers of a session behind a turn ('' for all of them), one for each turn that ended: what was sent, and the
 * action that had asked for it. `key` names the input in another session, so that it counts there once.
 */
export function answersOf(picture, afterTurnId = '') {
  const turns = turnsOf(picture);
  const begin = turns.findIndex((turn) => turn.turnId === afterTurnId) + 1;
  return turns.flatMap((turn, i) => {
    const parts = sentIn(picture, turn).flatMap(given);
    if (i < begin || !turn.end || !parts.length) return [];
    const action = turns[i - 1]?.end?.state?.position?.actionId ?? '';
    return [{ turnId: turn.turnId, number: i, key: `replay-${turn.turnId}`, parts, action }];
  });
}

/** The title of the first field that a form's values do not fit; '' where they all do. */
export function misfit(schema, values) {
  const fields = fieldsOf(schema ?? {});
  const unknown = Object.keys(values).find((name) => !fields.some((field) => field.name === name));
  if (unknown) return unknown;
  const allowed = ({ oneOf, enum: names }) => oneOf?.map((one) => one.const) ?? names;
  const wrong = fields.find((field) => {
    const value = values[field.name];
    if (value === undefined) return field.required;
    const choices = allowed(field) ?? allowed(field.items ?? {});
    return choices && ![value].flat().every((one) => choices.map(String).includes(String(one)));
  });
  return wrong ? wrong.title || wrong.name : '';
}

/** Why an answer does not fit where a session stands, as `{code, …}`; null where it does. */
export function obstacle(picture, answer) {
  const { status, position, error } = picture.state;
  if (status === 'completed') return { code: 'ended' };
  if (status === 'error') return { code: 'failed', problem: error ?? turnsOf(picture).at(-1)?.end?.problem };
  const now = position?.actionId ?? '';
  if (answer.action && now !== answer.action) return { code: 'otherAction', now, was: answer.action };
  const form = answer.parts.find((part) => part.form)?.form;
  if (!form) return null;
  if (!picture.request) return { code: 'noForm' };
  const field = misfit(picture.request.schema, form);
  return field ? { code: 'form', field } : null;
}

/** Whether a session waits for what comes next: no turn runs, and each input has its answer. */
export function isAtRest(picture) {
  if (!picture.state || !['waiting_input', 'completed', 'error'].includes(picture.state.status)) return false;
  const unanswered = [...picture.inputs].some(
    ([name, ids]) =>
      ids.some((id) => picture.messages.has(id)) && !picture.turns.get(picture.answeredBy.get(name))?.end,
  );
  return !unanswered && [...picture.turns.values()].every((turn) => turn.end);
}

/** How many answers a session has already. */
export const givenOf = (picture, answers) => answers.filter((answer) => picture.inputs.has(answer.key)).length;

/** Resolves when `holds` is true of what a store has; never where the signal comes first. */
function until(store, holds, signal) {
  return new Promise((resolve) => {
    let leave = () => {};
    const look = () => {
      if (!signal.aborted && !holds(store.get())) return;
      leave();
      if (!signal.aborted) resolve(store.get());
    };
    leave = store.listen(look);
    signal.addEventListener('abort', leave, { once: true });
    look();
  });
}

/**
 * Give the answers that a session lacks. Resolves to null when all were given, else to `{code, number, …}`: why it
 * stopped, and at which turn of the source. `say(input)` sends one; `onGiven(count)` hears how far it is.
 */
export async function replay({ answers, store, say, onGiven, signal }) {
  for (const [i, answer] of answers.entries()) {
    const picture = await until(store, isAtRest, signal);
    onGiven(i);
    if (picture.inputs.has(answer.key)) continue;
    const why = obstacle(picture, answer);
    if (why) return { ...why, number: answer.number };
    const form = answer.parts.some((part) => part.form) && picture.request;
    try {
      await say({
        clientMessageId: answer.key,
        parts: answer.parts,
        ...(form ? { inputRequestId: form.inputRequestId } : {}),
      });
    } catch (error) {
      return { code: 'refused', number: answer.number, problem: { status: error.status, message: error.message } };
    }
    await until(store, (now) => now.inputs.has(answer.key), signal);
  }
  const last = await until(store, isAtRest, signal);
  onGiven(answers.length);
  const final = answers.at(-1);
  return final && last.state.status === 'error' ? { ...obstacle(last, final), number: final.number } : null;
}

const spoken = (picture, turnId) =>
  [...picture.messages.values()].filter((one) => one.turnId === turnId && one.role !== 'client').map(textOf);

/** What a turn came to: each action with the decision on it, and how the turn ended. */
export function cameTo(turn) {
  const actions = turn.results.map(({ actionId, round, exitDecision, exitReason }) => ({
    actionId,
    round,
    exits: exitDecision?.shouldExit ?? null,
    reason: exitReason ?? '',
  }));
  return { actions, outcome: turn.end?.outcome ?? '', asks: turn.end?.state?.position?.actionId ?? '' };
}

/** Turn by turn, what two sessions came to, and whether in that or only in their words they differ. */
export function pairsOf(left, right) {
  const [ours, theirs] = [turnsOf(left), turnsOf(right)];
  return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, number) => {
    const sides = [
      [left, ours[number]],
      [right, theirs[number]],
    ].map(
      ([picture, turn]) =>
        turn && {
          turnId: turn.turnId,
          said: sentIn(picture, turn).map(textOf).join(' '),
          words: spoken(picture, turn.turnId),
          ...cameTo(turn),
        },
    );
    const same = (pick) => JSON.stringify(sides[0] && pick(sides[0])) === JSON.stringify(sides[1] && pick(sides[1]));
    const isMissing = !sides[0] || !sides[1];
    const course = same(({ actions, outcome, asks }) => [actions, outcome, asks]);
    const wording = same(({ said, words }) => [said, words]);
    const isOtherCourse = !isMissing && !course;
    return { number, left: sides[0], right: sides[1], isMissing, isOtherCourse, isOtherWords: !wording };
  });
}

/** The first pair that differs: in its course, else in its words; undefined where none does. */
export const firstDifference = (pairs) => pairs.find((one) => one.isMissing || one.isOtherCourse || one.isOtherWords);

const KEY = 'heartrule.replay.';

/** What is to be replayed in a session: `{source, after, stopped}`; nothing where nothing is. */
export function keptReplay(sessionId) {
  try {
    return JSON.parse(localStorage.getItem(KEY + sessionId) ?? 'null');
  } catch {
    return null;
  }
}

/** Keep what is to be replayed in a session, for a page that is opened anew. */
export function keepReplay(sessionId, plan) {
  try {
    localStorage.setItem(KEY + sessionId, JSON.stringify(plan));
  } catch {
    // A browser that keeps nothing replays as long as its page is open.
  }
}
