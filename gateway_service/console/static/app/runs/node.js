// One node of a run in full: what its plan says, each attempt with what it was given and gave, and its files.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { Facts } from '../chat/bubbles.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { moment, span } from '../lib/text.js';
import { Failure, NodeState } from './marks.js';
import { tookMs } from './reading.js';

const FIRST = 20;

function Json({ value }) {
  return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

/** An input or output: as it is, as a download where it is large, or nothing where there is none. */
function Value({ title, value, sha256, at }) {
  const { t } = useWords();
  if (sha256) {
    const address = api.runValue(at.sessionId, at.runId, sha256, at.shown);
    const link = at.isClosed ? t('run.largeClosed') : html`<a href=${address} download>${t('run.large')}</a>`;
    return html`<h4>${title}</h4><p>${link}</p>`;
  }
  if (value === undefined) return null;
  return html`<h4>${title}</h4><${Json} value=${value} />`;
}

/** A file; its name leads to it, unless it cannot be read. */
export function FileLine({ file, at }) {
  const { t } = useWords();
  const address = api.runFile(at.sessionId, at.runId, { path: file.path, name: file.name, ...at.shown });
  const name = at.isClosed ? html`<bdi>${file.name}</bdi>` : html`<a href=${address} download>${file.name}</a>`;
  const size = t('run.bytes', { n: Number(file.sizeBytes).toLocaleString() });
  return html`${name} <span class="soft small">${file.mimeType} · ${size}</span>`;
}

function Attempt({ attempt, open, at }) {
  const { t, language } = useWords();
  const took = tookMs(attempt);
  const turn = attempt.turn === null ? '' : `${t('run.turn', { n: attempt.turn })} · `;
  return html`<details class="card" open=${open}>
    <summary>${turn}${t('run.attempt', { n: attempt.attempt })} <${NodeState} state=${attempt.state} />
      <span class="soft small"> ${took === null ? '' : span(took)}</span></summary>
    <div class="stack">
      <${Failure} failure=${attempt.failure} />
      <${Facts} rows=${[
        [t('run.began'), moment(attempt.beginTime, language)], [t('run.ended'), moment(attempt.endTime, language)],
        [t('run.wakes'), moment(attempt.wakeTime, language)], [t('run.unread'), attempt.failedConditions.join(', ')],
        [t('run.outside'), attempt.hasEffect ? t('run.effect') : ''],
      ]} />
      <${Value} title=${t('run.inputs')} value=${attempt.inputs} sha256=${attempt.inputsSha256} at=${at} />
      <${Value} title=${t('run.output')} value=${attempt.output} sha256=${attempt.outputSha256} at=${at} />
    </div></details>`;
}

function Attempts({ node, at }) {
  const { t } = useWords();
  const [most, setMost] = useState(FIRST);
  const begun = node.attempts.filter((attempt) => attempt.attempt > 0).reverse();
  if (!begun.length) return html`<p class="empty">${t('run.notBegun')}</p>`;
  const shown = begun.slice(0, most).map((attempt, i) => html`<${Attempt}
    key=${`${attempt.path} ${attempt.attempt}`} attempt=${attempt} open=${i === 0} at=${at} />`);
  const more = html`<div><button onClick=${() => setMost(most + 100)}>${t('app.more')}</button></div>`;
  return html`${shown}${begun.length > most && more}`;
}

/** The panel of a node. `isPressed`: somebody just asked for it, so that its heading is gone to. */
export function NodePanel({ node, at, isPressed }) {
  const { t, term } = useWords();
  const heading = useRef(null);
  useEffect(() => { if (isPressed) heading.current.focus(); }, [node.key, isPressed]);
  const { node_id: _, name: __, type: ___, description, ...plan } = node.written;
  const files = node.files.map((file) => html`<li key=${`${file.path} ${file.name}`}>
    <${FileLine} file=${file} at=${at} /></li>`);
  return html`<h2 ref=${heading} tabindex="-1">${node.name}</h2>
    <p class="row"><code>${node.key}</code>${node.type && html`<span class="pill">${node.type}</span>`}
      <${NodeState} state=${node.state} />
      ${node.skipReason && html`<span class="small">${term('skipReason', node.skipReason)}</span>`}</p>
    ${description && html`<p class="soft">${description}</p>`}
    <h3>${t('run.attempts')}</h3><${Attempts} key=${node.key} node=${node} at=${at} />
    ${files.length > 0 && html`<h3>${t('run.files')}</h3><ul class="stack">${files}</ul>`}
    ${Object.keys(plan).length > 0 && html`<details><summary>${t('run.plan')}</summary>
      <${Json} value=${plan} /></details>`}`;
}
