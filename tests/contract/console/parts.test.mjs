// Words, forms, pictures and time lines.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { answersOf, fieldsOf, filled } from '../../../gateway_service/console/static/app/chat/form.js';
import { pictureAddress } from '../../../gateway_service/console/static/app/chat/messages.js';
import { arranged, payloadText, subjectOf } from '../../../gateway_service/console/static/app/inspector/decisions.js';
import { actionsOf, basisOf } from '../../../gateway_service/console/static/app/inspector/exits.js';
import { messagesOf } from '../../../gateway_service/console/static/app/inspector/prompts.js';
import { nameOf, placed, ticks } from '../../../gateway_service/console/static/app/inspector/timeline.js';
import { failureText } from '../../../gateway_service/console/static/app/lib/failures.js';
import { learn, termsOf, wordsOf } from '../../../gateway_service/console/static/app/lib/i18n.js';
import { fitting } from '../../../gateway_service/console/static/app/lib/parts.js';
import { isSame } from '../../../gateway_service/console/static/app/scripts/drafts.js';
import { pathOf } from '../../../gateway_service/console/static/app/scripts/pictures.js';
import { renamed } from '../../../gateway_service/console/static/app/scripts/starter.js';

const APP = new URL('../../../gateway_service/console/static/app/', import.meta.url);
const sources = readdirSync(APP, { recursive: true }).filter((name) => name.endsWith('.js'));
const [en, zh] = ['en', 'zh_CN'].map((name) => JSON.parse(readFileSync(new URL(`../../../heartrule/words/${name}/LC_MESSAGES/console.json`, import.meta.url), 'utf8')));
learn('en', en);
learn('zh', zh);
const code = sources.map((name) => readFileSync(new URL(name, APP), 'utf8')).join('\n');
const [, listed] = /PHRASES = \[([^\]]*)\]/.exec(code);
const editorWords = [...listed.matchAll(/'([^']+)'/g)].map((found) => found[1]);

test('every word the page asks for is there', () => {
  const asked = [...code.matchAll(/\bt\('([a-zA-Z]+\.[a-zA-Z_]+)'/g)].map((found) => found[1]);
  assert.ok(asked.length > 100);
  assert.deepEqual(asked.filter((key) => !(key in zh)), []);
});

test('no module makes markup of a text or runs one', () => {
  assert.deepEqual(code.match(/innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/g), null);
});

test('dagre is read when a plan is drawn, CodeMirror with the editor, and not before', () => {
  assert.deepEqual(code.match(/.*vendor\/dagre\.js.*/g).map((line) => /\bimport\('/.test(line)), [true]);
  assert.deepEqual(code.match(/.*\/(editor|difference)\.js'.*/g).map((line) => /\bimport\('/.test(line)), [true, true]);
});

test('a form gives typed values and names what is missing', () => {
  const schema = { 'x-order': ['n', 'b', 'c'], required: ['n', 'c'], properties: { c: { type: 'string', title: '睡眠', enum: ['好', '差'] }, n: { type: 'integer' }, b: { type: 'boolean' } } };
  const fields = fieldsOf(schema);
  assert.deepEqual(fields.map((field) => field.name), ['n', 'b', 'c']);
  assert.deepEqual(filled(fields, { n: '7', b: false }), { values: { n: 7, b: false }, missing: ['睡眠'] });
});

test('only addresses that cannot run are pictures', () => {
  assert.equal(pictureAddress({ uri: `asset:${'a'.repeat(64)}` }), `/api/v1/assets/${'a'.repeat(64)}`);
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

test('a time line has four to eight times of round figures, of any length', () => {
  assert.deepEqual(ticks(20), [0, 5, 10, 15, 20]);
  assert.deepEqual(ticks(7300), [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000]);
  for (let whole = 1; whole < 1e7; whole = Math.ceil(whole * 1.3)) assert.ok(ticks(whole).length <= 9 && ticks(whole).at(-1) <= whole);
});

test('no kind of a span is told twice', () => {
  const term = (kind, name) => `${kind}.${name}`;
  const names = [{ kind: 'attempt', name: 'attempt 1' }, { kind: 'step', name: 'ask' }, { kind: 'turn', name: 'turn_01' }].map((one) => nameOf(one, term));
  assert.deepEqual(names, ['kind.attempt 1', 'kind.step ask', 'kind.turn']);
});

test('the basis of an exit is what the script gives the action', () => {
  const config = {
    exit: '说出称呼', exit_policy: { enabled_sources: ['exit_flag'] },
    exit_criteria: { understanding_threshold: 70, has_questions: false, min_rounds: 2, custom_conditions: [{ variable: '年龄', operator: '>', value: 17 }] },
  };
  const outline = { phases: [{ topics: [{ topicId: 't', actions: [{ actionId: 'ask', config }, { actionId: 'other', config: {} }] }] }] };
  const words = { t: wordsOf('zh'), term: termsOf('zh') };
  const told = actionsOf(outline, 'ask').map((action) => basisOf(action, words).map(([, value]) => value));
  assert.deepEqual(told, [['说出称呼', '理解程度不低于 70；没有疑问；至少 2 轮；年龄 > 17', '模型的 EXIT 标志']]);
  assert.deepEqual(messagesOf('no json'), []);
});

test('answers stand behind their questions in the order of the form', () => {
  const schema = { 'x-order': ['b', 'a', 'c'], properties: { a: { title: '睡得好吗', type: 'integer', oneOf: [{ const: 0, title: '好' }, { const: 1, title: '差' }] }, b: { type: 'boolean', title: '吃了吗' }, c: {} } };
  const answers = answersOf(schema, { x: 'y', a: 1, b: false }, wordsOf('zh'));
  assert.deepEqual(answers, [['吃了吗', '否'], ['睡得好吗', '差'], ['x', 'y']]);
  assert.deepEqual(answersOf(undefined, { a: [1, 2] }, wordsOf('zh')), [['a', '1、2']]);
});

test('tabs that find no room stand behind the others, never the chosen one', () => {
  assert.deepEqual(fitting([50, 50, 50], 0, 150, 40), [0, 1, 2]);
  assert.deepEqual(fitting([50, 50, 50], 0, 140, 40), [0, 1]);
  assert.deepEqual(fitting([50, 50, 50], 2, 140, 40), [0, 2]);
  assert.deepEqual(fitting([50, 50, 50], 1, 10, 40), [1]);
});

test('every code that comes with a turn or beside it has words in both languages', () => {
  const page = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| ([^|]*) \|/gm)];
  const shown = rows.filter(([, code, where]) => code.startsWith('MODEL_') || /AnalysisEnded|DraftVoided|ListMonitorFeedback|^(parse|model|outgoing|decision|strategy|agent|variables|template|prompt|script|–)$/.test(where));
  assert.ok(shown.length > 55);
  assert.deepEqual(shown.map(([, code]) => code).filter((code) => !(`code.${code}` in zh && `code.${code}` in en)), []);
});

test('the words of the panels of the editor are there', () => {
  assert.deepEqual(editorWords.filter((each) => !(`editor.${each}` in zh)), []);
});

test('a draft is told from the published text by files and pictures', () => {
  const one = { files: { a: '1', b: '2' }, assets: {} };
  assert.ok(isSame(one, { files: { b: '2', a: '1' } }));
  assert.ok(!isSame(one, { ...one, assets: { 'assets/x.png': 'f' } }) && !isSame(one, { files: { a: '1' } }));
});

test('a picture gets a path that a script can name', () => {
  assert.deepEqual(['慢呼吸 1.png', 'a/b\\\\c:d.png', "it's {x}.gif"].map(pathOf), ['assets/慢呼吸_1.png', 'assets/a_b_c_d.png', 'assets/it_s_x_.gif']);
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

test('a refusal is told by its reason, and in the server\'s words where a fact is lacking', () => {
  const told = (problem) => failureText({ t: wordsOf('zh'), term: termsOf('zh') }, { message: 'm', ...problem });
  assert.equal(told({ reason: 'SESSION_COMPLETED' }), '这次对话已经结束，请开始一次新的对话');
  assert.equal(told({ reason: 'SCRIPT_NOT_FOUND', metadata: { name: '{x}' } }), '没有找到脚本 {x}');
  assert.deepEqual([told({ reason: 'SCRIPT_NOT_FOUND' }), told({ reason: 'OF_A_LATER_RELEASE' })], ['m', 'm']);
});

test('a copy of a script has another id and name, and all else as it is written', () => {
  const text = '# 问候\nsession:\n  session_id: greeting # 编号\n  session_name: "问候"\n  phases: []\n';
  const copy = '# 问候\nsession:\n  session_id: greeting_copy # 编号\n  session_name: "问候（副本）"\n  phases: []\n';
  assert.equal(renamed(text, '（副本）'), copy);
});
