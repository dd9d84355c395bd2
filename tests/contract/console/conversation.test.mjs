// The page's picture of a conversation.
import assert from 'node:assert/strict';
import test from 'node:test';
import { empty, quickReplies, reduceAll, schemaOf, transcript } from '../../../gateway_service/console/static/app/state/conversation.js';

const accepted = (sequence, turnId, id) => ({ sequence, turnId, inputAccepted: { messages: [{ messageId: `c-${id}`, clientMessageId: id, role: 'client', parts: [{ text: id }] }] } });
const started = (sequence, turnId, ids, attempt = 1) => ({ sequence, turnId, attempt, turnStarted: { clientMessageIds: ids } });
const draft = (turnId, messageId, offset, text, attempt = 1) => ({ sequence: 0, turnId, attempt, draftDelta: { at: { messageId, offset }, text } });
const committed = (sequence, turnId, messageId, text) => ({ sequence, turnId, messageCommitted: { messageId, role: 'assistant', turnId, parts: [{ text }] } });
const ended = (sequence, turnId, status = 'waiting_input') => ({ sequence, turnId, turnEnded: { outcome: 'waiting', clientMessageIds: [], state: { status, sequence } } });
const talk = [
  accepted(1, '', 'k1'), started(2, 't1', ['k1']), committed(3, 't1', 'a1', '一'), ended(4, 't1'),
  accepted(5, '', 'k2'), accepted(6, '', 'k3'), started(7, 't2', ['k2', 'k3']), committed(8, 't2', 'a2', '二'), ended(9, 't2', 'completed'),
];
const judged = (sequence, turnId, actionId) => ({ sequence, turnId, actionResult: { actionId } });
const turnsOf = (picture) => [...picture.turns.values()].map((turn) => [
  turn.turnId, turn.attempt, turn.end?.outcome, turn.results.map((result) => result.actionId),
]);
const shown = (picture) => transcript(picture).map((group) => [group.turnId, group.messages.map((message) => message.messageId)]);

test('events told twice change nothing', () => {
  const once = reduceAll(empty(), talk);
  assert.deepEqual(shown(reduceAll(once, talk)), shown(once));
  assert.equal(reduceAll(once, talk).turns.get('t1').results.length, 0);
});

test('an older page read later gives the same picture, and the present stays', () => {
  const whole = reduceAll(empty(), talk);
  for (let cut = 0; cut <= talk.length; cut += 1) {
    const picture = reduceAll(reduceAll(empty(), talk.slice(cut)), talk.slice(0, cut));
    assert.deepEqual(shown(picture), shown(whole));
    assert.equal(picture.state.status, 'completed');
  }
});

test('a turn that is cut by the edge of a page is told as if it were not', () => {
  const longer = [...talk.slice(0, 8), judged(9, 't2', 'ask'), judged(10, 't2', 'say'), ended(11, 't2')];
  for (let cut = 0; cut <= longer.length; cut += 1) {
    const picture = reduceAll(reduceAll(empty(), longer.slice(cut)), longer.slice(0, cut));
    assert.deepEqual(turnsOf(picture), [['t1', 1, 'waiting', []], ['t2', 1, 'waiting', ['ask', 'say']]]);
  }
});

test('a turn that is tried again has no end until it ends again', () => {
  const again = reduceAll(empty(), [...talk, started(10, 't2', ['k2', 'k3'], 2)]);
  assert.equal(again.turns.get('t2').end, null);
});

test('what was taken back in an older page leaves the present as it is', () => {
  const rewound = { sequence: 1, historyRewound: { turnIds: [], state: { status: 'waiting_input' } } };
  const picture = reduceAll(reduceAll(empty(), [...talk.slice(4), draft('t3', 'a3', 0, '三')]), [rewound]);
  assert.deepEqual([picture.state.status, picture.drafts.size], ['completed', 1]);
});

test('merged inputs stand in the turn that answered them', () => {
  assert.deepEqual(shown(reduceAll(empty(), talk)), [['t1', ['c-k1', 'a1']], ['t2', ['c-k2', 'c-k3', 'a2']]]);
});

test('a draft grows by code points and gives way to its message', () => {
  const begun = [started(1, 't1', []), draft('t1', 'a1', 0, '你😀'), draft('t1', 'a1', 2, '好')];
  const picture = reduceAll(empty(), begun);
  assert.equal(picture.drafts.get('a1').text, '你😀好');
  assert.equal(reduceAll(picture, [committed(2, 't1', 'a1', '你😀好')]).drafts.size, 0);
});

test('after a gap a draft waits for the message', () => {
  const picture = reduceAll(empty(), [draft('t1', 'a1', 0, '一'), draft('t1', 'a1', 3, '四'), draft('t1', 'a1', 1, '二')]);
  assert.equal(picture.drafts.get('a1').text, '一');
});

test('voided drafts leave the screen, those of a later attempt stay', () => {
  const picture = reduceAll(empty(), [
    started(1, 't1', []), draft('t1', 'a1', 0, '旧'), { sequence: 2, turnId: 't1', draftVoided: { upToAttempt: 1, reason: 'X' } }, draft('t1', 'b1', 0, '新', 2),
  ]);
  assert.deepEqual([...picture.drafts.keys()], ['b1']);
});

test('what was taken back is forgotten', () => {
  const rewound = { sequence: 10, historyRewound: { removedMessageIds: ['c-k2', 'c-k3', 'a2'], turnIds: ['t2'], state: { status: 'waiting_input' } } };
  const picture = reduceAll(empty(), [...talk, rewound]);
  assert.deepEqual(shown(picture), [['t1', ['c-k1', 'a1']]]);
  assert.equal(picture.state.status, 'waiting_input');
});

test('what was taken back stays away when an older page is read', () => {
  const rewound = { sequence: 10, historyRewound: { removedMessageIds: ['c-k2', 'c-k3', 'a2'], turnIds: ['t2'], state: { status: 'waiting_input' } } };
  const all = [...talk, rewound];
  for (let cut = 0; cut <= all.length; cut += 1) {
    const picture = reduceAll(reduceAll(empty(), all.slice(cut)), all.slice(0, cut));
    assert.deepEqual([shown(picture), [...picture.turns.keys()]], [[['t1', ['c-k1', 'a1']]], ['t1']]);
  }
});

test('an older page may come together with newer events', () => {
  const both = [...talk.slice(4), ...talk.slice(0, 4), draft('t3', 'a3', 0, '三')];
  const picture = reduceAll(empty(), both);
  assert.deepEqual([shown(picture).slice(0, 2), picture.last], [shown(reduceAll(empty(), talk)), 9]);
  assert.equal(picture.drafts.get('a3').text, '三');
});

test('a streamed piece leaves all but the drafts as it is', () => {
  const before = reduceAll(empty(), [...talk, started(10, 't3', [])]);
  const after = reduceAll(before, [draft('t3', 'a3', 0, '三')]);
  const others = Object.keys(before).filter((name) => name !== 'drafts');
  assert.deepEqual(others.filter((name) => before[name] !== after[name]), []);
});

test('an advice told by an older page does not go back to pending', () => {
  const told = (sequence, state) => ({ sequence, turnId: 't1', adviceChanged: { advice: { adviceId: 'v1', state } } });
  assert.equal(reduceAll(reduceAll(empty(), [told(9, 'consumed')]), [told(3, 'pending')]).advice.get('v1').state, 'consumed');
});

test('the picture before stays as it was', () => {
  const before = reduceAll(empty(), talk.slice(0, 4));
  const copy = shown(before);
  reduceAll(before, talk.slice(4));
  assert.deepEqual(shown(before), copy);
});

test('unknown events are passed over', () => {
  assert.deepEqual(shown(reduceAll(empty(), [...talk, { sequence: 10, somethingNew: {} }])), shown(reduceAll(empty(), talk)));
});

test('how long an input may be is what the newest stream says', () => {
  const opened = (maxInputChars) => ({ sequence: 0, opened: { state: { status: 'waiting_input' }, maxInputChars } });
  assert.equal(reduceAll(empty(), [opened(40), opened(4000)]).maxInputChars, 4000);
  assert.equal(reduceAll(empty(), [opened(undefined)]).maxInputChars, 0);
});

test('quick replies are those of the question that waits', () => {
  const asked = { sequence: 3, turnId: 't1', messageCommitted: { messageId: 'a1', role: 'assistant', parts: [{ text: '睡得好吗？' }, { fallbackText: '好、不好', quickReplies: { texts: ['好', '不好'] } }] } };
  const waiting = [accepted(1, '', 'k1'), started(2, 't1', ['k1']), asked, ended(4, 't1')];
  assert.deepEqual(quickReplies(reduceAll(empty(), waiting)), ['好', '不好']);
  assert.deepEqual(quickReplies(reduceAll(empty(), [...waiting, accepted(5, '', 'k2')])), []);
  assert.deepEqual(quickReplies(reduceAll(empty(), waiting.slice(0, 3))), []);
});

test('a decision or a workflow that is told makes the page read them again', () => {
  const told = [{ sequence: 1, decisionMade: {} }, { sequence: 2, decisionValidated: {} }, { sequence: 3, workflowChanged: {} }];
  const picture = reduceAll(empty(), told);
  assert.equal(picture.decisionChanges, 3);
  assert.equal(reduceAll(picture, told).decisionChanges, 3);
});

test('what is told of runs is counted, by the run', () => {
  const told = [
    { sequence: 1, runChanged: { runId: 'r1', state: 'queued' } },
    { sequence: 2, nodeChanged: { runId: 'r1', path: 'a' } },
    { sequence: 3, nodeExecutionFailed: { runId: 'r2', path: 'a' } },
  ];
  const picture = reduceAll(reduceAll(empty(), told), told);
  assert.deepEqual([[...picture.runs], picture.runChanges], [[['r1', 2], ['r2', 1]], 1]);
});

test('a submitted form is read by the form that was told last before it', () => {
  const form = (sequence, inputRequestId, title) => ({ sequence, turnId: 't1', inputRequested: { inputRequestId, schema: { title } } });
  const picture = reduceAll(reduceAll(empty(), [form(5, 'r2', '二')]), [form(2, 'r1', '一'), form(2, 'r1', '一')]);
  assert.deepEqual([3, 9, 1].map((sequence) => schemaOf(picture, { sequence })?.title), ['一', '二', undefined]);
});

const failed = (sequence, turnId, ids) => ({ sequence, turnId, turnEnded: { outcome: 'failed', problem: { reason: 'X' }, clientMessageIds: ids, state: { status: 'error', sequence } } });

test('an opening stands in the log before its first words, and when it failed', () => {
  const begun = reduceAll(empty(), [started(1, 't1', [])]);
  assert.deepEqual(shown(begun), [['t1', []]]);
  const broken = reduceAll(begun, [failed(2, 't1', [])]);
  assert.deepEqual(shown(broken), [['t1', []]]);
  assert.deepEqual(shown(reduceAll(broken, [accepted(3, '', 'k1')])), [['t1', []], ['', ['c-k1']]]);
});

test('a turn that is tried again keeps why it failed, until it says something', () => {
  const again = reduceAll(empty(), [started(1, 't1', []), failed(2, 't1', []), started(3, 't1', [], 2)]);
  assert.deepEqual([again.turns.get('t1').end, again.turns.get('t1').failure.reason], [null, 'X']);
});
