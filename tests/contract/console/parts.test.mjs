// Words, forms, pictures and time lines.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { fieldsOf, filled } from '../../../gateway_service/console/static/app/chat/form.js';
import { pictureAddress } from '../../../gateway_service/console/static/app/chat/messages.js';
import { arranged, payloadText, subjectOf } from '../../../gateway_service/console/static/app/inspector/decisions.js';
import { criteriaIn, messagesOf } from '../../../gateway_service/console/static/app/inspector/prompts.js';
import { placed } from '../../../gateway_service/console/static/app/inspector/timeline.js';
import { failureText } from '../../../gateway_service/console/static/app/lib/failures.js';
import { termsOf, wordsOf } from '../../../gateway_service/console/static/app/lib/i18n.js';
import { en } from '../../../gateway_service/console/static/app/lib/words_en.js';
import { zh } from '../../../gateway_service/console/static/app/lib/words_zh.js';

const APP = new URL('../../../gateway_service/console/static/app/', import.meta.url);
const sources = readdirSync(APP, { recursive: true }).filter((name) => name.endsWith('.js') && !name.includes('words_'));
const code = sources.map((name) => readFileSync(new URL(name, APP), 'utf8')).join('\n');

test('both languages have the same words', () => {
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
});

test('every word the page asks for is there', () => {
  const asked = [...code.matchAll(/\bt\('([a-zA-Z]+\.[a-zA-Z_]+)'/g)].map((found) => found[1]);
  assert.ok(asked.length > 100);
  assert.deepEqual(asked.filter((key) => !(key in zh)), []);
});

test('no module makes markup of a text or runs one', () => {
  assert.deepEqual(code.match(/innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/g), null);
});

test('dagre is read when a plan is drawn, and not before', () => {
  assert.deepEqual(code.match(/.*vendor\/dagre\.js.*/g).map((line) => /\bimport\('/.test(line)), [true]);
});

test('a form gives typed values and names what is missing', () => {
  const schema = { 'x-order': ['n', 'b', 'c'], required: ['n', 'c'], properties: { c: { type: 'string', title: '睡眠', enum: ['好', '差'] }, n: { type: 'integer' }, b: { type: 'boolean' } } };
  const fields = fieldsOf(schema);
  assert.deepEqual(fields.map((field) => field.name), ['n', 'b', 'c']);
  assert.deepEqual(filled(fields, { n: '7', b: false }), { values: { n: 7, b: false }, missing: ['睡眠'] });
});

test('only addresses that cannot run are pictures', () => {
  assert.equal(pictureAddress({ uri: `asset:${'a'.repeat(64)}` }), `/api/assets/${'a'.repeat(64)}`);
  assert.equal(pictureAddress({ uri: 'https://example.org/a.png' }), 'https://example.org/a.png');
  for (const uri of ['javascript:alert(1)', 'asset:../../x', 'http://example.org/a.png', 'data:text/html,x', '']) assert.equal(pictureAddress({ uri }), null);
});

test('a time line is placed on the scale of its longest reach', () => {
  const spans = [
    { spanId: 'turn', lane: 'main', startTime: '2026-01-01T00:00:00.000Z', duration: '1s' },
    { spanId: 'a', lane: 'monitor', startTime: '2026-01-01T00:00:01.000Z', duration: '1s' },
  ];
  assert.deepEqual(placed({ spans }).map((one) => [one.spanId, one.x, one.width]), [['turn', 0, 500], ['a', 500, 500]]);
});

test('criteria are found in the prompt as it was sent', () => {
  const input = JSON.stringify([{ role: 'user', content: '任务\n退出标准：说出称呼\n- 一\n\n其余' }]);
  assert.equal(criteriaIn(input), '退出标准：说出称呼\n- 一');
  assert.deepEqual(messagesOf('no json'), []);
});

test('what is not done stands first in order, then the others newest first', () => {
  const decisions = ['done', 'held', 'rejected', 'queued'].map((state, i) => ({ decisionId: `d${i}`, state }));
  const { waiting, over } = arranged(decisions);
  assert.deepEqual(waiting.map((one) => one.decisionId), ['d1', 'd3']);
  assert.deepEqual(over.map((one) => one.decisionId), ['d2', 'd0']);
});

test('a payload is shown without its type, whatever an agent wrote', () => {
  assert.equal(payloadText({ action_type: 'respond', response: '你好' }), '{\n  "response": "你好"\n}');
  assert.deepEqual([payloadText('no object'), payloadText(undefined), payloadText([1])], ['"no object"', 'null', '[1]']);
});

test('a decision is told apart by what it says or is about', () => {
  assert.equal(subjectOf({ action_type: 'create_node', node_name: ' 小结 ' }), '小结');
  assert.equal(subjectOf({ response: '长'.repeat(61) }), `${'长'.repeat(60)}…`);
  assert.deepEqual([{ name: 7 }, [1], null, 'text', undefined].map(subjectOf), ['', '', '', '', '']);
});

test('a failed model is told with cause, facts and remedy in both languages', () => {
  const metadata = { cause: 'unknown_model', provider: 'p', base_url: 'https://api.example/v1', model: 'big', status: '404', provider_code: 'c', provider_message: 'No.' };
  const told = (language) => failureText({ t: wordsOf(language), term: termsOf(language) }, { message: 'm', metadata });
  assert.equal(told('en'), 'p has no such model, or not for this key (https://api.example/v1, big, HTTP 404, c, “No.”); correct HEARTRULE_MODEL or the providers file, and start again.');
  assert.ok(told('zh').startsWith('p 没有这个模型') && told('zh').includes('“No.”'));
  assert.equal(failureText({ t: wordsOf('en'), term: termsOf('en') }, { message: 'm', metadata: {} }), 'm');
});
