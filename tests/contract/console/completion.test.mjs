// Completion of scripts from the language's own JSON Schema.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { columnAfter, complete } from '../../../gateway_service/console/static/app/scripts/completion.js';

const schema = JSON.parse(readFileSync(process.env.SCRIPT_SCHEMA, 'utf8'));
const ACTIONS = 'session:\n  session_id: a\n  phases:\n    - phase_id: p\n      topics:\n        - topic_id: t\n          actions:\n';

/** The words offered at ▮. */
function offered(text) {
  const found = complete(text.replace('▮', ''), text.indexOf('▮'), schema);
  return found ? found.options.map((option) => option.label) : [];
}

test('an empty script offers its first keys', () => {
  assert.deepEqual(offered('▮').sort(), ['metadata', 'session']);
});

test('keys that stand there already are not offered again', () => {
  const words = offered('session:\n  session_id: a\n  phases:\n    - phase_id: p\n      ▮');
  assert.ok(words.includes('topics') && !words.includes('phase_id'));
});

test('the types of action are offered as values', () => {
  assert.ok(offered(`${ACTIONS}            - action_type: ▮`).includes('fill_form'));
});

test('the keys of a config are those of its type', () => {
  const keys = (type) => offered(`${ACTIONS}            - action_type: ${type}\n              config:\n                ▮`);
  assert.ok(keys('ai_ask').includes('output') && !keys('ai_ask').includes('require_acknowledgment'));
  assert.ok(keys('ai_say').includes('require_acknowledgment'));
});

test('a list indented as its key is read like any other', () => {
  const text = ACTIONS.replace('          actions:\n', '          actions:\n          - action_type: ai_ask\n            config:\n              output:\n              - ▮');
  assert.ok(offered(text).includes('get'));
});

test('a block of text between the keys does not lead astray', () => {
  assert.ok(offered(`${ACTIONS}            - action_type: ai_ask\n              config:\n                content: |\n                  words: here\n                ▮`).includes('max_rounds'));
});

test('yes and no are offered where a boolean is wanted', () => {
  assert.deepEqual(offered(`${ACTIONS}            - action_type: ai_ask\n              mandatory: ▮`).sort(), ['false', 'true']);
});

test('comments and unknown places offer nothing', () => {
  assert.deepEqual(offered('# ▮'), []);
  assert.deepEqual(offered('nowhere:\n  deep:\n    ▮'), []);
});

test('Enter keeps the column of the key, and goes deeper where a value is to come', () => {
  const columns = { '    - action_type: ai_ask': 6, '      action_id: a': 6, '      config:': 8, '  content: |': 4, '- get: 称呼': 2, '  - 一项': 2, '  -': 4, '    words': 4, '  # note': 2, '': 0 };
  assert.deepEqual(Object.keys(columns).map(columnAfter), Object.values(columns));
});
