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
    analyses: new Map(), // action instance/round → AnalysisEnded
    edits: new Map(), // edit_id → PlanEdit as it is now
    request: null, // the form that is open
    forms: new Map(), // input_request_id → {sequence, schema} of each form that was told
    seen: new Set(), // sequences told already
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
    endedAt: 0,
  };
}

const MAPS = [
  'messages',
  'inputs',
  'answeredBy',
  'drafts',
  'turns',
  'advice',
  'analyses',
  'edits',
  'runs',
  'threads',
  'labels',
  'forms',
];

/**
 * The picture after some events, in order. An event told before changes nothing; the picture before stays as it is.
 * @param {Picture} picture
 * @param {Answer[]} events
 */
export function reduceAll(picture, events) {
  const next = { ...picture };
  for (const name of MAPS) next[name] = new Map(picture[name]);
  next.seen = new Set(picture.seen);
  for (const event of events) take(next, { ...event, sequence: Number(event.sequence ?? 0) });
  next.turns = inOrder(next.turns);
  return next;
}

/**
 * @param {Picture} next
 * @param {Told} event
 */
function take(next, event) {
  if (event.sequence > 0) {
    if (next.seen.has(event.sequence)) return;
    next.seen.add(event.sequence);
    next.last = Math.max(next.last, event.sequence);
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
      const turnId = message.turnId || event.turnId || next.answeredBy.get(message.clientMessageId) || '';
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
    changeTurn(next, event, (turn) => {
      // The beginning may come with an older page, behind the end.
      const isOver = event.sequence > 0 && event.sequence < turn.endedAt;
      const anew = isOver ? {} : { ended: null, end: null, failure: turn.end?.problem ?? turn.failure };
      const begun = event.sequence <= turn.first ? event.createTime : (turn.begun ?? event.createTime);
      return { ...turn, ...anew, inputs, attempt: Math.max(turn.attempt, event.attempt ?? 1), begun };
    });
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
    changeTurn(next, event, (turn) => ({ ...turn, voided: [...turn.voided, voided] }));
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
    if (isNewest(next, event)) next.request = request;
  },
  stateChanged(next, changed, event) {
    if (isNewest(next, event)) next.state = merged(next.state, changed.state);
  },
  turnEnded(next, end, event) {
    if (isNewest(next, event)) {
      next.state = merged(next.state, end.state);
      if (end.state?.status !== 'waiting_input') next.request = null;
    }
    next.drafts = new Map([...next.drafts].filter(([, draft]) => draft.turnId !== event.turnId));
    changeTurn(next, event, (turn) => ({ ...turn, end, ended: event.createTime, endedAt: event.sequence }));
    bindInputs(next, end.clientMessageIds ?? [], event.turnId);
  },
  safetyRaised(next, safety, event) {
    changeTurn(next, event, (turn) => ({ ...turn, safety }));
  },
  safetyChanged(next) {
    next.safetyChanges += 1;
  },
  adviceChanged(next, changed, event) {
    const advice = changed.advice ?? {};
    keepNewest(next.advice, advice.adviceId, { ...advice, changedAt: event.createTime }, event);
    if (advice.state !== 'consumed' || !event.turnId) return;
    changeTurn(next, event, (turn) => ({ ...turn, used: placed(turn.used, advice, event) }));
  },
  analysisEnded(next, analysis) {
    const key = `${analysis.actionInstanceId}/${analysis.aboutRound}`;
    next.analyses.set(key, analysis);
  },
  planEdited(next, edited, event) {
    const edit = edited.edit ?? {};
    keepNewest(next.edits, edit.editId, edit, event);
  },
  actionResult(next, result, event) {
    changeTurn(next, event, (turn) => ({ ...turn, results: placed(turn.results, result, event) }));
  },
  variableOperation(next, operation, event) {
    changeTurn(next, event, (turn) => ({ ...turn, variables: placed(turn.variables, operation, event) }));
  },
  scopeLeft(next, scope, event) {
    changeTurn(next, event, (turn) => ({ ...turn, scopes: placed(turn.scopes, scope, event) }));
  },
  strategyDecided(next, decision, event) {
    changeTurn(next, event, (turn) => ({ ...turn, strategies: placed(turn.strategies, decision, event) }));
  },
  stepSkipped(next, step, event) {
    changeTurn(next, event, (turn) => ({ ...turn, skipped: placed(turn.skipped, step, event) }));
  },
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
  activity(next, activity, event) {
    if (activity.messageId) keepNewest(next.labels, activity.messageId, activity, event);
  },
  historyRewound(next, rewound, event) {
    const gone = new Set(rewound.removedMessageIds ?? []);
    const turns = new Set(rewound.turnIds ?? []);
    next.messages = new Map([...next.messages].filter(([id]) => !gone.has(id)));
    next.turns = new Map([...next.turns].filter(([id]) => !turns.has(id)));
    next.decisionChanges += 1;
    next.runChanges += 1;
    next.threadChanges += 1;
    if (!isNewest(next, event)) return;
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
 * Whether an event is no older than all told: an older page, read later, must not move the present.
 * @param {Picture} next
 * @param {Told} event
 */
function isNewest(next, event) {
  return event.sequence === 0 || event.sequence >= next.last;
}

/**
 * @param {Map<string, Answer>} map
 * @param {string} id
 * @param {Answer} thing
 * @param {Told} event
 */
function keepNewest(map, id, thing, event) {
  if ((map.get(id)?.toldAt ?? 0) <= event.sequence) map.set(id, { ...thing, toldAt: event.sequence });
}

/**
 * @param {Picture} next
 * @param {Told} event
 * @param {(turn: Turn) => Turn} change
 */
function changeTurn(next, event, change) {
  if (!event.turnId) return;
  const known = next.turns.get(event.turnId) ?? { ...turnOf(event.turnId), first: event.sequence };
  const first = Math.min(known.first || Infinity, event.sequence || Infinity);
  next.turns.set(event.turnId, { ...change(known), first: Number.isFinite(first) ? first : 0 });
}

/**
 * A list of what happened in a turn with one more, which may be older than the others.
 * @param {Answer[]} list
 * @param {Answer} thing
 * @param {Told} event
 */
function placed(list, thing, event) {
  return [...list, { ...thing, toldAt: event.sequence }].sort((one, other) => one.toldAt - other.toldAt);
}

/**
 * The turns in their order, however their events came.
 * @param {Map<string, Turn>} turns
 */
function inOrder(turns) {
  const placeOf = (/** @type {Turn} */ turn) => turn.first || Infinity;
  const all = [...turns];
  const isSorted = all.every(([, turn], i) => !i || placeOf(all[i - 1][1]) <= placeOf(turn));
  // Two that are not placed yet are equal: the difference of two infinities is no number.
  return isSorted ? turns : new Map(all.sort(([, one], [, other]) => placeOf(one) - placeOf(other) || 0));
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
