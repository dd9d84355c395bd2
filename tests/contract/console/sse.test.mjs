// Server-sent events as the page reads them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { eventSplitter } from '../../../gateway_service/console/static/app/lib/sse.js';

const TEXT = ': hello\n\nretry: 1000\n\nid: 7\nevent: turnEnded\ndata: {"a":\ndata: 1}\n\ndata:bare\r\n\r\nid: 8\ndata: 你好\n\n';

function read(pieces) {
  const splitter = eventSplitter();
  return pieces.flatMap((piece) => splitter.push(piece));
}

test('ids, names and joined data are read; what has no data is no event', () => {
  assert.deepEqual(read([TEXT]).map(({ id, event, data }) => [id, event, data]), [
    ['7', 'turnEnded', '{"a":\n1}'], [undefined, undefined, 'bare'], ['8', undefined, '你好'],
  ]);
});

test('every cut of the text gives the same events', () => {
  const whole = read([TEXT]);
  for (let cut = 0; cut <= TEXT.length; cut += 1) assert.deepEqual(read([TEXT.slice(0, cut), TEXT.slice(cut)]), whole, `cut at ${cut}`);
  assert.deepEqual(read([...TEXT]), whole);
});

test('an unfinished event waits', () => {
  assert.deepEqual(read(['data: half\n']), []);
});
