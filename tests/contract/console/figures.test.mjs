// What the pages about scripts and the list of sessions compute, without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../gateway_service/console/static/app/analytics/effects.js';
import { byPlace, inOrder, share } from '../../../gateway_service/console/static/app/analytics/figures.js';
import { decidedBy, fieldsOf, findingsBy } from '../../../gateway_service/console/static/app/map/places.js';
import { NO_FILTER, filterText } from '../../../gateway_service/console/static/app/sessions/filter.js';

const action = (actionId, line, more = {}) => ({ actionId, file: 'a.yaml', line, condition: '', reads: [], writes: [], ...more });
const OUTLINE = {
  phases: [{ phaseId: 'p', phaseName: '', entryCondition: '{心情} < 3', topics: [{
    topicId: 't', actions: [action('ask', 4, { writes: ['心情'] }), action('calm', 9, { condition: '{心情} > 5' })],
  }] }],
  techniques: [],
};

test('a filter joins what was asked for, and whatever was typed is data', () => {
  assert.equal(filterText(NO_FILTER), '');
  const asked = { ...NO_FILTER, scriptId: 'a" OR "b', status: 'error', label: '研究：秋季', advice: 'false' };
  assert.equal(filterText(asked), 'script_id = "a\\" OR \\"b" AND status = error AND labels.研究 = "秋季" AND had_advice = false');
  assert.equal(filterText({ ...NO_FILTER, label: ' seen ', version: 'v1' }), 'labels:seen');
});

test('days are those of the reader, the last one whole', () => {
  const [from, to] = filterText({ ...NO_FILTER, from: '2026-11-01', to: '2026-11-01' }).match(/"[^"]+"/g);
  assert.equal(new Date(to.slice(1, -1)) - new Date(from.slice(1, -1)), 24 * 3600 * 1000);
  assert.equal(new Date(from.slice(1, -1)).getHours(), 0);
});

test('figures are found by their place, and stand in the order of the script', () => {
  const figures = { actions: [
    { phaseId: 'p', topicId: 't', actionId: 'x', techniqueId: 'k' },
    { phaseId: 'p', topicId: 't', actionId: 'calm', techniqueId: '' }, { phaseId: 'p', topicId: 't', actionId: 'ask', techniqueId: '' },
  ] };
  assert.deepEqual(inOrder(figures, OUTLINE).map((one) => one.actionId), ['ask', 'calm', 'x']);
  assert.equal(byPlace(figures)({ phaseId: 'p', topicId: 't', actionId: 'ask' }).actionId, 'ask');
  assert.equal(byPlace(figures)({ phaseId: 'p', topicId: 't', actionId: 'x' }), undefined);
  assert.deepEqual([share(1, 3), share(1, 0)], [33, null]);
});

test('a finding stands at the action whose lines it is in, any other above the map', () => {
  const findings = [{ file: 'a.yaml', line: 11 }, { file: 'a.yaml', line: 2 }, { file: 'b.yaml', line: 9 }];
  const [of, others] = findingsBy(OUTLINE, findings);
  assert.deepEqual(of(OUTLINE.phases[0].topics[0].actions[1]), [findings[0]]);
  assert.deepEqual(others, findings.slice(1));
});

test('an action decides what the conditions that read its variables decide', () => {
  const [ask] = OUTLINE.phases[0].topics[0].actions;
  assert.deepEqual(decidedBy(OUTLINE, ask, (one) => one.actionId), ['p', 'calm']);
  assert.deepEqual(fieldsOf({ form: { fields: [{ name: '睡眠', label: '睡得怎样', options: [1, 2] }] } }), [['睡眠', '睡得怎样', ['1', '2']]]);
  assert.deepEqual(fieldsOf({ content: '…' }), []);
});

test('a strategy stands between the round that used it and the next of its action', () => {
  const metrics = [1, 2, 3].map((round) => ({ actionInstanceId: 'i', round }));
  const feedback = [
    { actionInstanceId: 'i', actionId: 'ask', round: 1, advice: { state: 'consumed', feedbackText: '慢' }, timestamp: '2' },
    { actionInstanceId: 'i', actionId: 'ask', round: 3, advice: { state: 'expired' }, timestamp: '3' },
  ];
  const decisions = [{ actionInstanceId: 'i', actionId: 'ask', round: 1, recommendation: { strategyPrompt: '短' }, timestamp: '1' }];
  const told = effectsOf(metrics, feedback, decisions).map((one) => [one.words, one.before?.round, one.after?.round]);
  assert.deepEqual(told, [['短', 1, 2], ['慢', 2, 3]]);
});
