// A conversation as its events tell it. The same events give the same picture, whether they come live, again after a
// break, or as an older page read later.

import { length } from '../lib/text.js';

/**
 * A conversation of which nothing is known yet.
 * @returns {Picture}
 */
export function empty() {
  return {
    state: null, // the ExecutionState told last
    messages: new Map(), // message_id → Message
    inputs: new Map(), // client_message_id → message_ids
    answeredBy: new Map(), // client_message_id → turn_id
    drafts: new Map(), // message_id → {turnId, attempt, text, broken}
    turns: new Map(), // turn_id → what happened in it, see turnOf
    advice: new Map(), // advice_id → Advice as it is now
    advised: new Map(), // action instance/round → advice_id of the advice about it
    analyses: new Map(), // action instance/round → AnalysisEnded
    edits: new Map(), // edit_id → PlanEdit as it is now
    request: null, // the form that is open
    forms: new Map(), // input_request_id → {sequence, schema} of each form that was told
    known: new Map(), // sequence → durable event
    decisionChanges: 0, // how often a decision or a workflow was told
    runs: new Map(), // run_id → how often it, or a node of it, was told
    runChanges: 0, // how often the state of a run was told
    threads: new Map(), // thread_id → how often it, or a message of it, was told
    threadChanges: 0, // how often the state or phase of a thread was told
    labels: new Map(), // message_id → the Activity told last of the thread nested in it
    safetyChanges: 0, // how often the session's safety level or step was told
    last: 0, // highest durable sequence
    rejected: null, // the InputRejected told last
    maxInputChars: 0, // characters of one input; 0: not told
    goingAway: false,
  };
}

/**
 * What a turn is before anything of it is told.
 * @param {string} turnId
 * @returns {Turn}
 */
function turnOf(turnId) {
  return {
    turnId,
    begun: null,
    ended: null,
    attempt: 0,
    end: null,
    failure: null,
    inputs: [],
    results: [],
    variables: [],
    scopes: [],
    skipped: [],
    strategies: [],
    used: [],
    safety: null,
    voided: [],
    first: 0,
  };
}

// What transient events tell, or newer ones than those of an older page.
const PRESENT = ['state', 'request', 'drafts', 'rejected', 'maxInputChars', 'goingAway'];

/**
 * The picture after some events. One told before changes nothing; those of an older page are put in their places. The
 * picture before stays as it is.
 * @param {Picture} picture
 * @param {Answer[]} events
 */
export function reduceAll(picture, events) {
  const told = events.map((event) => ({ ...event, sequence: Number(event.sequence ?? 0) }));
  let newest = picture.last;
  const older = told.filter(({ sequence }) => {
    newest = Math.max(newest, sequence);
    return sequence > 0 && sequence < newest && !picture.known.has(sequence);
  });
  return folded(older.length ? foldedAnew(picture, older) : picture, told);
}

/**
 * The picture that all durable events give in their order; the present stays.
 * @param {Picture} picture
 * @param {Told[]} older
 */
function foldedAnew(picture, older) {
  const inOrder = [...older, ...picture.known.values()].sort((one, other) => one.sequence - other.sequence);
  const next = folded(empty(), inOrder);
  for (const name of PRESENT) next[name] = picture[name];
  for (const [id, form] of picture.forms) if (!next.forms.has(id)) next.forms.set(id, form);
  return next;
}

/**
 * @param {Picture} picture
 * @param {Told[]} events in order
 */
function folded(picture, events) {
  const next = { ...picture };
  // Streamed pieces leave all else as it is, so that nothing else is drawn anew.
  const pieces = events.every((event) => event.draftDelta);
  for (const [name, value] of Object.entries(picture)) {
    if (value instanceof Map && (name === 'drafts' || !pieces)) next[name] = new Map(value);
  }
  for (const event of events) take(next, event);
  return next;
}

/**
 * @param {Picture} next
 * @param {Told} event
 */
function take(next, event) {
  if (event.sequence > 0) {
    if (next.known.has(event.sequence)) return;
    next.known.set(event.sequence, event);
    next.last = event.sequence;
  }
  for (const kind of Object.keys(event)) takers[kind]?.(next, event[kind], event);
}

/** @type {Record<string, (next: Picture, told: any, event: Told) => void>} */
const takers = {
  opened(next, opened) {
    next.state = opened.state ?? next.state;
    next.request = opened.state?.pendingRequest ?? null;
    if (next.request) keepForm(next, next.request, { sequence: Number(opened.state.sequence ?? 0) });
    next.maxInputChars = opened.maxInputChars ?? 0;
    next.goingAway = false;
  },
  inputAccepted(next, accepted, event) {
    for (const message of accepted.messages ?? []) {
      const turnId = message.turnId || event.turnId || '';
      next.messages.set(message.messageId, { ...message, sequence: event.sequence, turnId });
      next.inputs.set(message.clientMessageId, [
        ...(next.inputs.get(message.clientMessageId) ?? []),
        message.messageId,
      ]);
    }
    next.rejected = null;
  },
  inputRejected(next, rejected) {
    next.rejected = rejected;
  },
  turnStarted(next, started, event) {
    const inputs = started.clientMessageIds ?? [];
    changeTurn(next, event, (turn) => ({
      begun: turn.begun ?? event.createTime,
      ended: null,
      attempt: event.attempt ?? 1,
      end: null,
      failure: turn.end?.problem ?? turn.failure,
      inputs,
    }));
    bindInputs(next, inputs, event.turnId);
  },
  draftDelta(next, delta, event) {
    const id = delta.at?.messageId ?? '';
    const offset = Number(delta.at?.offset ?? 0);
    if (next.messages.has(id)) return;
    const draft = next.drafts.get(id) ?? { turnId: event.turnId, attempt: event.attempt ?? 1, text: '', broken: false };
    const here = length(draft.text);
    const fits = offset === here && !draft.broken;
    next.drafts.set(id, {
      ...draft,
      text: fits ? draft.text + (delta.text ?? '') : draft.text,
      broken: draft.broken || offset > here,
    });
  },
  draftVoided(next, voided, event) {
    next.drafts = new Map(
      [...next.drafts].filter(
        ([, draft]) => draft.turnId !== event.turnId || draft.attempt > (voided.upToAttempt ?? 0),
      ),
    );
    addToTurn(next, event, 'voided', voided);
  },
  messageCommitted(next, message, event) {
    next.messages.set(message.messageId, {
      ...message,
      sequence: event.sequence || Number(message.sequence ?? 0),
      turnId: message.turnId || event.turnId,
    });
    next.drafts.delete(message.messageId);
  },
  inputRequested(next, request, event) {
    keepForm(next, request, event);
    next.request = request;
  },
  stateChanged(next, changed) {
    next.state = merged(next.state, changed.state);
  },
  turnEnded(next, end, event) {
    next.state = merged(next.state, end.state);
    if (end.state?.status !== 'waiting_input') next.request = null;
    next.drafts = new Map([...next.drafts].filter(([, draft]) => draft.turnId !== event.turnId));
    changeTurn(next, event, () => ({ end, ended: event.createTime }));
    bindInputs(next, end.clientMessageIds ?? [], event.turnId);
  },
  safetyRaised: (next, safety, event) => changeTurn(next, event, () => ({ safety })),
  safetyChanged(next) {
    next.safetyChanges += 1;
  },
  adviceChanged(next, changed, event) {
    const advice = changed.advice ?? {};
    const round = `${advice.actionInstanceId}/${advice.aboutRound}`;
    next.advice.set(advice.adviceId, { ...advice, changedAt: event.createTime });
    if (!next.advised.has(round)) next.advised.set(round, advice.adviceId);
    if (advice.state === 'consumed') addToTurn(next, event, 'used', advice);
  },
  analysisEnded(next, analysis) {
    const key = `${analysis.actionInstanceId}/${analysis.aboutRound}`;
    next.analyses.set(key, analysis);
  },
  planEdited(next, edited) {
    const edit = edited.edit ?? {};
    next.edits.set(edit.editId, edit);
  },
  actionResult: (next, told, event) => addToTurn(next, event, 'results', told),
  variableOperation: (next, told, event) => addToTurn(next, event, 'variables', told),
  scopeLeft: (next, told, event) => addToTurn(next, event, 'scopes', told),
  strategyDecided: (next, told, event) => addToTurn(next, event, 'strategies', told),
  stepSkipped: (next, told, event) => addToTurn(next, event, 'skipped', told),
  decisionMade: countDecision,
  decisionValidated: countDecision,
  decisionRejected: countDecision,
  workflowChanged: countDecision,
  runChanged(next, changed) {
    next.runChanges += 1;
    countRun(next, changed);
  },
  nodeChanged: countRun,
  nodeExecutionFailed: countRun,
  threadChanged(next, changed) {
    next.threadChanges += 1;
    countThread(next, changed);
  },
  threadMessage: countThread,
  activity(next, activity) {
    if (activity.messageId) next.labels.set(activity.messageId, activity);
  },
  historyRewound(next, rewound) {
    const gone = new Set(rewound.removedMessageIds ?? []);
    const turns = new Set(rewound.turnIds ?? []);
    next.messages = new Map([...next.messages].filter(([id]) => !gone.has(id)));
    next.turns = new Map([...next.turns].filter(([id]) => !turns.has(id)));
    next.decisionChanges += 1;
    next.runChanges += 1;
    next.threadChanges += 1;
    next.drafts = new Map();
    next.state = merged(next.state, rewound.state);
    next.request = rewound.state?.pendingRequest ?? null;
  },
  goingAway(next) {
    next.goingAway = true;
  },
};

/**
 * @param {Picture} next
 * @param {Answer} form
 * @param {{sequence: number}} event
 */
function keepForm(next, { inputRequestId, schema }, { sequence }) {
  if (schema && !next.forms.has(inputRequestId)) next.forms.set(inputRequestId, { sequence, schema });
}

/**
 * The schema of the form that a stored message answers: that told last before it; nothing where none is known.
 * @param {Picture} picture
 * @param {Answer} message
 */
export function schemaOf(picture, message) {
  const before = [...picture.forms.values()].filter((form) => form.sequence < message.sequence);
  return before.sort((one, other) => one.sequence - other.sequence).at(-1)?.schema;
}

/** @param {Picture} next */
function countDecision(next) {
  next.decisionChanges += 1;
}

/**
 * @param {Picture} next
 * @param {Answer} told
 */
function countRun(next, { runId }) {
  next.runs.set(runId, (next.runs.get(runId) ?? 0) + 1);
}

/**
 * @param {Picture} next
 * @param {Answer} told
 */
function countThread(next, { threadId }) {
  next.threads.set(threadId, (next.threads.get(threadId) ?? 0) + 1);
}

/**
 * @param {Picture} next
 * @param {Told} event
 * @param {(turn: Turn) => Partial<Turn>} change
 */
function changeTurn(next, event, change) {
  if (!event.turnId) return;
  const turn = next.turns.get(event.turnId) ?? { ...turnOf(event.turnId), first: event.sequence };
  next.turns.set(event.turnId, { ...turn, ...change(turn) });
}

/**
 * @param {Picture} next
 * @param {Told} event
 * @param {'results' | 'variables' | 'scopes' | 'strategies' | 'skipped' | 'used' | 'voided'} list
 * @param {Answer} thing
 */
function addToTurn(next, event, list, thing) {
  changeTurn(next, event, (turn) => ({ [list]: [...turn[list], thing] }));
}

/**
 * A stored input learns its turn when the turn begins.
 * @param {Picture} next
 * @param {string[]} clientMessageIds
 * @param {string} turnId
 */
function bindInputs(next, clientMessageIds, turnId) {
  for (const name of clientMessageIds) next.answeredBy.set(name, turnId);
  for (const id of clientMessageIds.flatMap((name) => next.inputs.get(name) ?? [])) {
    const message = next.messages.get(id);
    if (message && message.turnId !== turnId) next.messages.set(id, { ...message, turnId });
  }
}

/**
 * A state told without variables keeps those of the state before.
 * @param {Answer} before
 * @param {Answer} after
 */
function merged(before, after) {
  if (!after) return before;
  return { ...after, variables: after.variables ?? before?.variables };
}

/**
 * The messages that stand, in the order in which they are read: a result is in the place of its placeholder.
 * @param {Picture} picture
 * @returns {Answer[]}
 */
export function standing({ messages }) {
  const replaced = new Set([...messages.values()].map((message) => message.replacesMessageId));
  const placeOf = (/** @type {Answer} */ message) =>
    Number((messages.get(message.replacesMessageId) ?? message).sequence);
  return [...messages.values()]
    .filter((message) => !replaced.has(message.messageId))
    .sort((one, other) => placeOf(one) - placeOf(other));
}

/**
 * Messages and drafts by turn, in the order in which they are read.
 * @param {Picture} picture
 */
export function transcript(picture) {
  /** @type {{turnId: string, turn?: Turn, messages: Answer[], drafts: Answer[]}[]} */
  const groups = [];
  const byTurn = new Map();
  const groupOf = (/** @type {string} */ turnId) => {
    const open = turnId ? byTurn.get(turnId) : undefined;
    if (open) return open;
    const group = { turnId, turn: picture.turns.get(turnId), messages: [], drafts: [] };
    groups.push(group);
    if (turnId) byTurn.set(turnId, group);
    return group;
  };
  for (const message of standing(picture)) groupOf(message.turnId).messages.push(message);
  for (const [messageId, draft] of picture.drafts) groupOf(draft.turnId).drafts.push({ messageId, ...draft });
  for (const turn of picture.turns.values()) {
    if (!byTurn.has(turn.turnId) && isUnanswered(turn)) groups.splice(placeOf(turn, groups), 0, groupless(turn));
  }
  return groups;
}

/**
 * Whether a turn has said nothing and is not over: it runs, or it failed.
 * @param {Turn} turn
 */
function isUnanswered({ attempt, end }) {
  return attempt > 0 && (!end || end.outcome === 'failed');
}

/** @param {Turn} turn */
function groupless(turn) {
  return { turnId: turn.turnId, turn, messages: [], drafts: [] };
}

/**
 * The place of a turn without a message: before the first message that came after it began.
 * @param {Turn} turn
 * @param {{messages: Answer[]}[]} groups
 */
function placeOf(turn, groups) {
  const later = groups.findIndex(({ messages }) => Number(messages[0]?.sequence ?? 0) > turn.first);
  return later < 0 ? groups.length : later;
}

/**
 * The quick replies of the message a person is to answer; none while something else is going on.
 * @param {Picture} picture
 * @returns {string[]}
 */
export function quickReplies(picture) {
  if (picture.state?.status !== 'waiting_input') return [];
  const last = standing(picture).at(-1);
  return (last?.parts ?? []).flatMap((/** @type {Answer} */ part) => part.quickReplies?.texts ?? []);
}
