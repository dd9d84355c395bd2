// Threads nested in messages: where each is folded, and what the conversation tells of them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { placed } from '../../../gateway_service/console/static/app/inspector/timeline.js';
import { empty, quickReplies, reduceAll, transcript } from '../../../gateway_service/console/static/app/state/conversation.js';
import { anchorOf, isMasked, nestedIn, threadSpans } from '../../../gateway_service/console/static/app/threads/reading.js';

const said = (sequence, messageId, more = {}, turnId = 't1') => ({ sequence, turnId, messageCommitted: { messageId, role: 'assistant', turnId, parts: [{ text: messageId }], ...more } });
const changed = (sequence, threadId, state = 'running') => ({ sequence, threadChanged: { threadId, anchorMessageId: 'p', state } });
const doing = (sequence, state, label = '') => ({ sequence, activity: { activityId: 'r', kind: 'sub_thread', messageId: 'p', state, label } });
const talk = [
  said(1, 'p', { completeness: 'placeholder' }), changed(2, 'thr'), doing(3, 'goes_on', '在查'),
  { sequence: 4, threadMessage: { threadId: 'thr', messageId: 'm', number: 0 } },
  said(5, 'q', { parts: [{ quickReplies: { texts: ['好'] } }] }), said(6, 'later', {}, 't2'),
  changed(7, 'thr', 'completed'), doing(8, 'ended'), said(9, 'r', { replacesMessageId: 'p' }),
];
const shown = (events) => transcript(reduceAll(empty(), events)).map((group) => group.messages.map((one) => one.messageId));

test('a result stands in the place of its placeholder, whichever page was read first', () => {
  assert.deepEqual(shown(talk.slice(0, 6)), [['p', 'q'], ['later']]);
  for (let cut = 0; cut <= talk.length; cut += 1) {
    assert.deepEqual(shown([...talk.slice(cut), ...talk.slice(0, cut)]), [['r', 'q'], ['later']]);
  }
});

test('a result whose placeholder was not read yet stands in its turn', () => {
  assert.deepEqual(shown(talk.slice(4)), [['q', 'r'], ['later']]);
});

test('a result that comes later leaves the quick replies of the last question', () => {
  const events = [talk[0], talk[4], talk[8]];
  const waiting = { sequence: 10, turnId: 't1', turnEnded: { state: { status: 'waiting_input' } } };
  assert.deepEqual(quickReplies(reduceAll(empty(), [...events, waiting])), ['好']);
});

test('what is told of a thread is counted once, and the newest label stays', () => {
  const picture = reduceAll(reduceAll(empty(), talk.slice(0, 4)), talk.slice(0, 4));
  assert.deepEqual([picture.threadChanges, picture.threads.get('thr'), picture.labels.get('p').label], [1, 2, '在查']);
  const older = reduceAll(reduceAll(empty(), talk.slice(7)), talk.slice(0, 7));
  assert.equal(older.labels.get('p').label, '');
});

test('history taken back has the threads read again', () => {
  const rewound = { sequence: 10, historyRewound: { removedMessageIds: ['p', 'r'], turnIds: ['t1'] } };
  assert.equal(reduceAll(empty(), [rewound]).threadChanges, 1);
});

test('a thread is found by the placeholder also when its result is there', () => {
  const threads = [{ threadId: 'a', anchorMessageId: 'p' }, { threadId: 'b', anchorMessageId: 'x' }];
  const names = (message) => nestedIn(message, threads).map((one) => one.threadId);
  assert.deepEqual([names({ messageId: 'p' }), names({ messageId: 'r', replacesMessageId: 'p' }), names({ messageId: 'r' })], [['a'], ['a'], []]);
  assert.equal(anchorOf({ messageId: 'r', replacesMessageId: '' }), 'r');
  assert.deepEqual([isMasked([{ text: '•••' }]), isMasked([{ text: 'a' }])], [true, false]);
});

test('bars of threads stand on the scale of the turn and end with it', () => {
  const timeline = { spans: [{ spanId: 's', lane: 'main', startTime: '2026-01-01T00:00:00Z', duration: '10s' }] };
  const threads = [
    { threadId: 'a', agent: 'x', createTime: '2026-01-01T00:00:05Z', endTime: '2026-01-01T00:00:07Z' },
    { threadId: 'b', agent: 'x', createTime: '2026-01-01T00:00:05Z' },
    { threadId: 'c', agent: 'x', createTime: '2026-01-01T00:01:00Z' },
  ];
  const spans = placed(timeline, threadSpans(threads, Date.parse('2026-01-01T00:02:00Z')));
  assert.deepEqual(spans.map((one) => [one.spanId, one.x, one.width, one.durationMs]), [
    ['s', 0, 1000, 10000], ['a', 500, 200, 2000], ['b', 500, 500, 115000], ['c', 996, 4, 60000],
  ]);
});
