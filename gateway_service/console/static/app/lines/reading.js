// A whole session as spans of time on its lanes. Everything here gives data, drawn by plot.js and listed by lines.js.

/** The lanes from above to below: the main line, the second mind, and what runs beside both. */
export const LANES = ['turns', 'calls', 'monitor', 'advice', 'failures', 'runs', 'threads'];

const MONITOR = new Set(['monitor', 'plan']);
const BROKEN = new Set(['failed', 'dropped']);
const TONES = { consumed: 'used', pending: 'waiting' };

const ms = (time) => (time ? Date.parse(time) : NaN);

function turnSpans(turns, now) {
  return turns
    .filter((turn) => turn.begun)
    .map((turn) => ({
      lane: 'turns',
      id: `turn/${turn.turnId}`,
      turnId: turn.turnId,
      turn,
      from: ms(turn.begun),
      to: turn.ended ? ms(turn.ended) : now,
    }));
}

function callSpan(call) {
  const lane = MONITOR.has(call.purpose) ? 'monitor' : 'calls';
  const from = ms(call.createTime);
  const to = from + (call.latencyMs ?? 0);
  return { lane, id: `call/${call.callId}`, turnId: call.turnId, call, from, to, isBad: Boolean(call.error) };
}

/** An advice from its making to the turn that used it, over the turns between; one that waits lasts until `now`. */
function adviceSpan(advice, usedIn, now) {
  const turn = usedIn.get(advice.adviceId);
  const from = ms(advice.madeAt);
  const end = turn?.begun ?? (advice.state === 'pending' ? null : advice.changedAt);
  return {
    lane: 'advice',
    id: `advice/${advice.adviceId}`,
    turnId: turn?.turnId ?? '',
    advice,
    from,
    to: Math.max(from, end ? ms(end) : now),
    tone: TONES[advice.state] ?? 'gone',
  };
}

/** What went wrong, each at its moment. */
function failures({ turns, calls, feedback, runs, threads }) {
  const at = (id, turnId, time, facts) => ({
    lane: 'failures',
    id: `failure/${id}`,
    turnId,
    from: ms(time),
    to: ms(time),
    isBad: true,
    ...facts,
  });
  return [
    ...turns
      .filter((turn) => turn.end?.outcome === 'failed')
      .map((turn) => at(turn.turnId, turn.turnId, turn.ended, { turn })),
    ...calls.filter((call) => call.error).map((call) => at(call.callId, call.turnId, call.createTime, { call })),
    ...feedback
      .filter((one) => BROKEN.has(one.result))
      .map((one) => at(`${one.actionInstanceId}/${one.round}`, one.judgedTurnId, one.timestamp, { analysis: one })),
    ...runs.filter((run) => run.state === 'failed').map((run) => at(run.runId, run.turnId ?? '', run.endTime, { run })),
    ...threads
      .filter((one) => one.state === 'failed')
      .map((thread) => at(thread.threadId, thread.turnId ?? '', thread.endTime, { thread })),
  ];
}

/** Everything that took time or happened, in order of its beginning; what goes on lasts until `now`. */
export function spansOf({ picture, calls, feedback, runs, threads }, now) {
  const turns = [...picture.turns.values()];
  const usedIn = new Map(turns.flatMap((turn) => turn.used.map((advice) => [advice.adviceId, turn])));
  const beside = (lane, one, id) => ({
    lane,
    id: `${lane}/${id}`,
    turnId: one.turnId ?? '',
    isBad: one.state === 'failed',
    from: ms(one.createTime),
    to: one.endTime ? ms(one.endTime) : now,
  });
  return [
    ...turnSpans(turns, now),
    ...calls.map(callSpan),
    ...[...picture.advice.values()].map((advice) => adviceSpan(advice, usedIn, now)),
    ...failures({ turns, calls, feedback, runs, threads }),
    ...runs.map((run) => ({ ...beside('runs', run, run.runId), run })),
    ...threads.map((thread) => ({ ...beside('threads', thread, thread.threadId), thread })),
  ]
    .filter((one) => Number.isFinite(one.from))
    .sort((one, other) => one.from - other.from);
}

const EDGE = 0.03; // of a range, left free at its ends
const LEAST_MS = 100; // of what is shown where only a moment is

/** The range of some spans, with a little room. */
export function rangeOf(spans) {
  const from = Math.min(...spans.map((one) => one.from));
  const to = Math.max(...spans.map((one) => one.to), from + LEAST_MS);
  return [from - (to - from) * EDGE, to + (to - from) * EDGE];
}

/** The range of what belongs to a turn: itself, its calls and the analyses that judged it. */
export function rangeOfTurn(spans, turnId) {
  const own = spans.filter((one) => one.turnId === turnId && one.lane !== 'advice');
  return own.length ? rangeOf(own) : null;
}

/** What stands, wholly or in part, in a range. */
export const within = (spans, [from, to]) => spans.filter((one) => one.to >= from && one.from <= to);

/** A range that is `factor` times as long around its middle, moved by a part `by` of its length. */
export function moved([from, to], { factor = 1, by = 0 }) {
  const half = ((to - from) * factor) / 2;
  const middle = (from + to) / 2 + (to - from) * by;
  return [middle - half, middle + half];
}
