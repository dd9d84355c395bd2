// Runs of workflows: their nodes as they are read, and where they are drawn.
import assert from 'node:assert/strict';
import test from 'node:test';
import { clipped, placed } from '../../../gateway_service/console/static/app/runs/layout.js';
import {
  failedEdges, isMasked, nodesOf, passedBy, placeOf, troubled,
} from '../../../gateway_service/console/static/app/runs/reading.js';
import { runOf } from '../../../gateway_service/console/static/app/runs/runs.js';
import * as dagre from '../../../gateway_service/console/static/vendor/dagre.js';

const node = (id, type = 'PYTHON', config = {}) => ({ node_id: id, type, name: id, config });
const edge = (source, target, condition = '') => ({ source, target, condition });
const tried = (path, state, more = {}) => ({ path, state, attempt: 1, failedConditions: [], sequence: 1, ...more });
const run = (definition, attempts = [], artifacts = []) => ({ definition, attempts, artifacts });
const WIDE = 10000;

test('a path tells its node and the turn of its loop', () => {
  assert.deepEqual(placeOf('a'), { key: 'a', turn: null });
  assert.deepEqual(placeOf('loop/3/inner'), { key: 'loop/inner', turn: 3 });
});

test('nodes stand in the order of the plan with their attempts, those of a body behind their loop', () => {
  const loop = node('loop', 'LOOP', { body: [node('in')] });
  const definition = { nodes: [loop, node('end')], edges: [edge('loop', 'end', 'true')] };
  const attempts = [tried('loop', 'running'), tried('loop/0/in', 'completed'), tried('loop/1/in', 'failed')];
  const nodes = nodesOf(run(definition, attempts, [{ path: 'loop/1/in', name: 'x' }]));
  assert.deepEqual(nodes.map((each) => [each.key, each.loop, each.state]), [
    ['loop', '', 'running'], ['loop/in', 'loop', 'failed'], ['end', '', 'pending'],
  ]);
  assert.deepEqual(nodes[1].attempts.map((each) => each.turn), [0, 1]);
  assert.deepEqual([nodes[1].files.length, nodes[2].before.length], [1, 1]);
  assert.equal(troubled(nodes).key, 'loop/in');
});

test('names that are masked are read from the attempts', () => {
  const definition = { nodes: [node('•••'), node('•••')], edges: [edge('•••', '•••')] };
  assert.ok(isMasked(definition));
  const nodes = nodesOf(run(definition, [tried('a', 'completed'), tried('l/0/b', 'failed')]));
  assert.deepEqual(nodes.map((each) => [each.key, each.loop]), [['a', ''], ['l/b', 'l']]);
});

test('what the run passed by and what it could not compute is told', () => {
  const attempts = [
    tried('a', 'skipped', { skipReason: 'condition' }),
    tried('b', 'skipped', { skipReason: 'recovery', failedConditions: ['a->b'] }),
  ];
  const nodes = nodesOf(run({ nodes: [node('a'), node('b')], edges: [] }, attempts));
  assert.deepEqual([[...passedBy(nodes)], [...failedEdges(nodes)]], [['a'], ['a->b']]);
});

test('every node and edge has its place, whatever it is called', () => {
  const names = ['__proto__', 'constructor', 'a\u0000b', '<b>', '节点'];
  const edges = names.slice(1).map((name) => edge('__proto__', name, 'x > 1'));
  const nodes = nodesOf(run({ nodes: names.map((name) => node(name)), edges }));
  const places = placed(dagre, nodes, edges, WIDE);
  assert.deepEqual([...places.nodes.keys()], names);
  assert.equal(places.edges.length, 4);
  const isInside = (at) => at.x > 0 && at.x < places.width && at.y > 0 && at.y < places.height;
  assert.ok([...places.nodes.values()].every(isInside));
  assert.ok(places.edges.every((one) => /^M[\d.,QL -]+$/.test(one.path) && one.label === 'x > 1'));
});

test('a plan goes across where there is room, else down; a loop is as high as its body', () => {
  const definition = { nodes: [node('a'), node('b'), node('loop', 'LOOP', { body: [node('x'), node('y')] })] };
  const edges = [edge('a', 'b'), edge('b', 'loop')];
  const nodes = nodesOf(run({ ...definition, edges }));
  const [across, down] = [WIDE, 300].map((room) => placed(dagre, nodes, edges, room));
  assert.ok(across.width > 600 && down.width < 300);
  assert.ok(across.nodes.get('loop').height > across.nodes.get('a').height + 50);
});

test('a text is cut by columns', () => {
  const cut = [clipped('abc', 3), clipped('abcd', 3), clipped('你好吗', 4), clipped('😀😀😀', 4)];
  assert.deepEqual(cut, ['abc', 'ab…', '你…', '😀…']);
});

test('a decision leads to the run that it began, a recovery to the one that waited', () => {
  const begun = (runId, decisionId, day) => ({ runId, decisionId, workflowId: 'w', createTime: `2026-01-0${day}` });
  const runs = [begun('r1', 'd1', 1), begun('r2', 'd2', 3), begun('r3', 'd3', 9)];
  const about = { decisionType: 'error_recovery', payload: { workflow_id: 'w' }, createTime: '2026-01-04' };
  const decisions = [{ decisionId: 'd1' }, { ...about, decisionId: 'd4' }, { decisionId: 'd5' }];
  assert.deepEqual(decisions.map((one) => runOf(one, runs)?.runId), ['r1', 'r2', undefined]);
});
