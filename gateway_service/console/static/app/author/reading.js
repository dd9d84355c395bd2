// A session as its author reads it: names first, and one sentence for each round. Everything here gives text.

import { show } from '../lib/text.js';

const LONGEST = 40; // characters of an advice in a sentence

/** The start of a text, on one line. */
export function short(text, most = LONGEST) {
  const line = (text ?? '').replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** The values that an action of an outline asks for. */
function askedBy(action) {
  const listed = Array.isArray(action?.config?.output) ? action.config.output : [];
  return listed.map((one) => one?.get).filter(Boolean);
}

/** An id as people read it. */
const plain = (id) => (id ?? '').replace(/[_-]+/g, ' ').trim();

/** What an action is called: what it asks for, else its kind and the name that the script gives it. */
export function actionName({ t, term }, action) {
  const asked = action.actionType === 'ai_ask' ? askedBy(action) : [];
  if (asked.length) return t('author.asks', { names: asked.join('、') });
  const kind = term('actionKind', action.actionType);
  return [kind === action.actionType ? '' : kind, plain(action.actionId)].filter(Boolean).join(' ');
}

/** The names of an outline's actions by their ids; an id that several topics have names none of them. */
export function namesOf(words, outline) {
  const found = new Map();
  const actions = (outline?.phases ?? []).flatMap((phase) => phase.topics).flatMap((topic) => topic.actions);
  for (const action of actions) {
    const name = actionName(words, action);
    const isShared = found.has(action.actionId) && found.get(action.actionId) !== name;
    found.set(action.actionId, isShared ? plain(action.actionId) : name);
  }
  return found;
}

/**
 * The name of whatever has an action's id and type; one that the outline has not is named by itself.
 * @param {Speech} words
 * @param {Map<string, string>} names
 * @param {{actionId: string, actionType?: string}} action
 */
export function nameIn(words, names, { actionId, actionType }) {
  return names.get(actionId) ?? actionName(words, { actionId, actionType });
}

const CLIENT = { user_blocked: 'avoids', off_topic: 'strays' };
const PROGRESS = { blocked: 'avoids', off_topic: 'strays', completed: 'answered', continue_needed: 'partly' };

/** What the client did in a round, in a word; nothing where it was not judged. */
function clientDid({ exitReason, progressSuggestion, exitDecision }) {
  if (!exitDecision) return '';
  return CLIENT[exitReason] ?? PROGRESS[progressSuggestion] ?? '';
}

/**
 * What an advice says, in few words.
 * @param {Speech} words
 * @param {Answer} advice
 */
export function adviceWords({ term }, { analysis = {}, feedbackText }) {
  const suggested = analysis.strategySuggestion && term('factValue', analysis.strategySuggestion);
  return suggested || short(analysis.feedbackForAction || analysis.modifiedApproach || feedbackText);
}

/** The advice about a round, if one was made; an opening, which has the number of the round after it, is not judged. */
export function adviceAbout(picture, { actionInstanceId, round, exitDecision }) {
  if (!exitDecision) return undefined;
  return picture.advice.get(picture.advised.get(`${actionInstanceId}/${round}`));
}

/** One round in a sentence: action, round, what the client did, advice and what became of it, and how it ended. */
export function sentenceOf(words, names, picture, turn, result) {
  const { t, term } = words;
  const did = clientDid(result);
  const advice = adviceAbout(picture, result);
  const isFollowed = turn.used.some((one) => one.actionInstanceId === result.actionInstanceId);
  return [
    nameIn(words, names, result),
    result.exitDecision && result.round > 0 && t('author.round', { n: result.round }),
    did && t(`author.${did}`),
    isFollowed && t('author.follows'),
    advice && t('author.advises', { text: adviceWords(words, advice) }),
    advice && term('adviceFate', advice.state),
    result.exitDecision?.shouldExit && t('author.done', { reason: term('reason', result.exitReason) }),
    result.success === false && t('author.failed'),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The sentences of a turn: one for each round, and one for each question that was not put. */
export function sentencesOf(words, names, picture, turn) {
  const rounds = turn.results.map((result) => sentenceOf(words, names, picture, turn, result));
  const skipped = turn.skipped
    .filter((step) => step.actionId)
    .map((step) => words.t('author.skipped', { name: nameIn(words, names, step) }));
  return [...rounds, ...skipped];
}

/** What was learned in a turn, as names with values: the last write of each name counts, and no clean-up behind it. */
export function learnedIn(turn) {
  const written = (turn?.variables ?? []).filter((one) => !['delete', 'declare'].includes(one.operation));
  return new Map(written.map((one) => [one.variableName, one.value]));
}

/**
 * The variables as the rows of a form; those that a turn wrote are marked and come first. The end of a scope puts its
 * variables away; once the session `isOver`, all are, and all are shown.
 */
export function formRows(variables, turn, isOver = false) {
  const written = learnedIn(turn);
  const rows = variables
    .filter((one) => isOver || !one.archived)
    .map((one) => ({
      key: `${one.archived}/${one.scope}/${one.scopeId}/${one.name}`,
      name: one.name,
      value: show(one.value),
      quote: one.quote ?? '',
      change: !written.has(one.name) ? '' : one.history?.length ? 'changed' : 'fresh',
      before: one.history?.length ? show(one.history[0].value) : '',
    }));
  return [...rows.filter((row) => row.change), ...rows.filter((row) => !row.change)];
}

/** What comes next: the actions that wait in the topic's queue, then the topics and phases behind it. */
export function comingNext(words, names, { outline, plan, position }) {
  const phases = outline?.phases ?? [];
  const here = phases[position?.currentPhaseIdx ?? 0];
  const queued = (plan?.actions ?? []).filter((one) => one.state === 'pending' && !one.parentInstanceId);
  const topics = (here?.topics ?? []).slice((position?.currentTopicIdx ?? 0) + 1);
  return {
    actions: queued.map((one) => ({ name: nameIn(words, names, one), isInserted: Boolean(one.inserted) })),
    topics: topics.map((topic) => topic.topicName || plain(topic.topicId)),
    phases: phases.slice((position?.currentPhaseIdx ?? 0) + 1).map((phase) => phase.phaseName || plain(phase.phaseId)),
  };
}

/** Where the session stands, as phase, topic and action by name. */
export function placeNames(words, names, { outline, plan, position }) {
  const phase = (outline?.phases ?? [])[position?.currentPhaseIdx ?? -1];
  const topic = phase?.topics?.[position.currentTopicIdx ?? -1];
  const action = (plan?.actions ?? []).find((one) => one.actionInstanceId === position?.actionInstanceId);
  return [
    phase && (phase.phaseName || plain(phase.phaseId)),
    topic && (topic.topicName || plain(topic.topicId)),
    action && nameIn(words, names, action),
  ].filter(Boolean);
}
