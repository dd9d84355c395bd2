// A client's answers given again in another session.
import assert from 'node:assert/strict';
import test from 'node:test';
import { empty, reduceAll } from '../../../gateway_service/console/static/app/state/conversation.js';
import { answersOf, firstDifference, isAtRest, misfit, obstacle, pairsOf, replay } from '../../../gateway_service/console/static/app/session/replay.js';

const at = (actionId, status = 'waiting_input') => ({ status, position: { actionId } });
const said = (turnId, sequence, id, parts, to, from = 'waiting') => [
  { sequence, turnId, inputAccepted: { messages: [{ messageId: `c-${id}`, clientMessageId: id, role: 'client', parts }] } },
  { sequence: sequence + 1, turnId, turnStarted: { clientMessageIds: [id] } },
  { sequence: sequence + 2, turnId, turnEnded: { outcome: from, clientMessageIds: [id], state: { ...to, sequence: sequence + 2 } } },
];
const opening = [{ sequence: 1, turnId: 't0', turnStarted: {} }, { sequence: 2, turnId: 't0', turnEnded: { outcome: 'waiting', state: { ...at('name'), sequence: 2 } } }];
const talk = [...opening, ...said('t1', 3, 'k1', [{ text: '小明' }], at('form')), ...said('t2', 6, 'k2', [{ form: { values: { q: 'a' } }, fallbackText: 'q' }], at('mood'))];
const source = reduceAll(empty(), talk);

test('answers are those behind a turn, each with the action that asked', () => {
  assert.deepEqual(answersOf(source).map(({ key, action, number }) => [key, action, number]), [['replay-t1', 'name', 1], ['replay-t2', 'form', 2]]);
  assert.deepEqual(answersOf(source, 't1').map(({ turnId }) => turnId), ['t2']);
});

test('a form takes values that it has fields and choices for, and misses required ones', () => {
  const schema = { properties: { q: { oneOf: [{ const: 'a' }] }, r: { title: '年龄' } }, required: ['r'] };
  assert.equal(misfit(schema, { q: 'a', r: 3 }), '');
  assert.equal(misfit(schema, { q: 'b', r: 3 }), 'q');
  assert.equal(misfit(schema, { q: 'a' }), '年龄');
  assert.equal(misfit(schema, { other: 1, r: 3 }), 'other');
});

test('an answer does not fit another action, an end, a failure, a form that is gone', () => {
  const [words, form] = answersOf(source);
  const standing = (state) => ({ ...empty(), state });
  assert.equal(obstacle(standing(at('name')), words), null);
  assert.equal(obstacle(standing(at('age')), words).code, 'otherAction');
  assert.equal(obstacle(standing(at('name', 'completed')), words).code, 'ended');
  assert.equal(obstacle(standing(at('name', 'error')), words).code, 'failed');
  assert.equal(obstacle(standing(at('form')), form).code, 'noForm');
});

/** A session that takes each input by `then`, without a server. */
function target(then) {
  let picture = reduceAll(empty(), opening);
  const listeners = new Set();
  const sent = [];
  return {
    sent,
    store: { get: () => picture, listen: (look) => { listeners.add(look); return () => listeners.delete(look); } },
    say: async (input) => {
      sent.push(input.clientMessageId);
      picture = reduceAll(picture, said(`n${sent.length}`, picture.last + 1, input.clientMessageId, input.parts, then(sent.length)));
      picture = { ...picture, request: picture.state.position.actionId === 'form' ? { inputRequestId: 'r', schema: { properties: { q: {} } } } : null };
      for (const look of [...listeners]) look();
    },
  };
}
const run = (one, signal = new AbortController().signal) => replay({ answers: answersOf(source), onGiven: () => {}, signal, ...one });

test('answers are given one after the other, and none twice after a reload', async () => {
  const one = target((n) => at(['form', 'mood'][n - 1]));
  assert.equal(await run(one), null);
  assert.equal(await run(one), null);
  assert.deepEqual(one.sent, ['replay-t1', 'replay-t2']);
  assert.equal(isAtRest(one.store.get()), true);
});

test('it stops at the first answer that the changed script cannot take, and says why', async () => {
  const one = target(() => at('age'));
  assert.deepEqual(await run(one), { code: 'otherAction', now: 'age', was: 'form', number: 2 });
  assert.deepEqual(one.sent, ['replay-t1']);
});

test('two sessions part where a turn comes to something else', async () => {
  const one = target(() => at('age'));
  await run(one);
  const pairs = pairsOf(source, one.store.get());
  assert.deepEqual(pairs.map((pair) => pair.isOtherCourse), [false, true, false]);
  assert.equal(pairs[2].isMissing, true);
  assert.equal(firstDifference(pairs).number, 1);
});
