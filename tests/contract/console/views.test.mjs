// The author's view in sentences, and a session as spans of time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { comingNext, formRows, learnedIn, namesOf, sentenceOf } from '../../../gateway_service/console/static/app/author/reading.js';
import { learn, termsOf, wordsOf } from '../../../gateway_service/console/static/app/lib/i18n.js';
import { moved, rangeOfTurn, spansOf, within } from '../../../gateway_service/console/static/app/lines/reading.js';

learn('zh', JSON.parse(readFileSync(new URL('../../../heartrule/words/zh_CN/LC_MESSAGES/console.json', import.meta.url), 'utf8')));
const words = { t: wordsOf('zh'), term: termsOf('zh') };
const ask = { actionId: 'ask_name', actionType: 'ai_ask', config: { output: [{ get: '称呼' }] } };
const bye = { actionId: 'say_bye', actionType: 'ai_say', config: {} };
const outline = {
  phases: [{ phaseId: 'p1', phaseName: '开始', topics: [{ topicId: 't1', actions: [ask, bye] }, { topicId: 't2', topicName: '睡眠', actions: [] }] },
    { phaseId: 'the_end', topics: [] }],
};
const round = {
  actionId: 'ask_name', actionType: 'ai_ask', actionInstanceId: 'i1', round: 2, success: true, exitReason: 'user_blocked',
  exitDecision: { shouldExit: false },
};
const advice = {
  adviceId: 'a', actionInstanceId: 'i1', aboutRound: 2, state: 'consumed', analysis: { feedbackForAction: '放慢语气' },
  madeAt: '2026-01-01T00:00:10Z',
};
const at = (seconds) => new Date(Date.parse('2026-01-01T00:00:00Z') + 1000 * seconds).toISOString();
const turnAt = (turnId, from, facts) => ({
  turnId, begun: at(from), ended: at(from + 4), inputs: [turnId], results: [], used: [], end: { outcome: 'waiting' }, ...facts,
});
const picture = { advice: new Map([['a', advice]]), advised: new Map([['i1/2', 'a']]), turns: new Map([
  ['one', turnAt('one', 0)], ['two', turnAt('two', 60, { used: [advice] })],
  ['three', turnAt('three', 90, { end: { outcome: 'failed', problem: {} } })],
]) };
const spans = spansOf({
  picture, feedback: [], threads: [], runs: [{ runId: 'r', turnId: 'two', createTime: at(62), state: 'running' }],
  calls: [{ callId: 'c', turnId: 'one', purpose: 'monitor', createTime: at(5), latencyMs: 2000 }],
}, Date.parse(at(100)));

test('a round is one sentence: names, what the client did, the advice and its fate', () => {
  const turn = { used: [], results: [round] };
  assert.equal(
    sentenceOf(words, namesOf(words, outline), picture, turn, round),
    '问称呼 · 第 2 轮 · 来访者回避 · 监控建议：放慢语气 · 已采用',
  );
});

test('what comes next is told by name, without ids as they are written', () => {
  const plan = { actions: [{ ...bye, state: 'pending' }, { ...ask, state: 'running' }] };
  const next = comingNext(words, namesOf(words, outline), { outline, plan, position: { currentPhaseIdx: 0, currentTopicIdx: 0 } });
  assert.deepEqual(next, { actions: [{ name: '讲解 say bye', isInserted: false }], topics: ['睡眠'], phases: ['the end'] });
});

test('what a turn wrote stands first in the form, marked as new or changed', () => {
  const variables = [{ name: 'a', value: 1 }, { name: 'b', value: 2, history: [{ value: 1 }] }, { name: 'c', value: 3, archived: true }];
  const rows = formRows(variables, { variables: [{ variableName: 'b', value: 2 }] });
  assert.deepEqual(rows.map(({ name, change, before }) => [name, change, before]), [['b', 'changed', '1'], ['a', '', '']]);
});

test('variables of one name are rows of their own', () => {
  const scopes = [{ scope: 'session' }, { scope: 'topic', scopeId: 't1' }, { scope: 'topic', scopeId: 't2' }];
  const rows = formRows(scopes.map((scope) => ({ ...scope, name: 'a', value: 1 })));
  assert.equal(new Set(rows.map((row) => row.key)).size, 3);
});

test('what was learned stays in the form of a session that is over', () => {
  const variables = [{ name: 'c', value: 3, archived: true }];
  assert.deepEqual([formRows(variables, {}, false).length, formRows(variables, {}, true).length], [0, 1]);
});

test('an advice lasts from its making to the turn that used it', () => {
  const [one] = spans.filter((span) => span.lane === 'advice');
  assert.deepEqual([one.from, one.to, one.turnId, one.tone], [Date.parse(at(10)), Date.parse(at(60)), 'two', 'used']);
});

test('a failed turn is a failure at its end, and a run that goes on lasts until now', () => {
  const lanes = Object.fromEntries(spans.map((span) => [span.lane, span]));
  assert.deepEqual([lanes.failures.from, lanes.runs.to], [at(94), at(100)].map(Date.parse));
});

test('a turn is zoomed to with the analyses that judged it', () => {
  const range = rangeOfTurn(spans, 'one');
  assert.deepEqual(within(spans, range).map((span) => span.lane), ['turns', 'monitor']);
  assert.equal(rangeOfTurn(spans, 'unknown'), null);
  assert.deepEqual(moved([0, 100], { factor: 2, by: 0.5 }), [0, 200]);
});

test('what a turn learned is told although the end of a scope takes it away', () => {
  const variables = [
    { variableName: '称呼', operation: 'declare', value: '朋友' },
    { variableName: '称呼', operation: 'extract', value: '小明' },
    { variableName: '称呼', operation: 'delete', value: null },
  ];
  assert.deepEqual([...learnedIn({ variables })], [['称呼', '小明']]);
});
