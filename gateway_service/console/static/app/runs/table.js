// The nodes of a run as a table: all that the drawing shows, for screen readers and narrow screens.

import { html } from '../../vendor/preact.js';
import { useWords } from '../lib/i18n.js';
import { span } from '../lib/text.js';
import { NodeState } from './marks.js';
import { tookMs } from './reading.js';

/** What a node comes after: other nodes of the plan with conditions, or the loop whose body it is in. */
function After({ node, names }) {
  const { t } = useWords();
  if (node.loop) return t('run.inLoop', { name: names.get(node.loop) ?? node.loop });
  return node.before.map((edge, i) => html`<div key=${i}><bdi>${names.get(edge.source) ?? edge.source}</bdi>
    ${edge.condition && html` <span class="soft">${t('run.if')}</span> <code>${edge.condition}</code>`}</div>`);
}

/** Why the node does not run, or why its newest attempt failed. */
function noteOf(node, term) {
  const failure = node.attempts.at(-1)?.failure;
  const words = [term('skipReason', node.skipReason), failure && term('runCode', failure.code), failure?.message];
  return words.filter(Boolean).join(' · ');
}

function Row({ node, names, chosen, onChoose }) {
  const { t, term } = useWords();
  const last = node.attempts.at(-1);
  const took = last ? tookMs(last) : null;
  const begun = node.attempts.filter((attempt) => attempt.attempt > 0).length;
  const cell = (name, what) => html`<td data-name=${t(name)}>${what}</td>`;
  return html`<tr class=${node.loop ? 'inner' : ''}>
    <th scope="row"><button class="quiet" aria-pressed=${chosen === node.key}
        onClick=${() => onChoose(node.key)}>${node.name}</button>
      ${node.name !== node.id && html`<code class="soft">${node.id}</code>`}</th>
    ${cell('run.type', node.type)}
    ${cell('run.state', html`<${NodeState} state=${node.state} />`)}
    ${cell('run.attempts', begun || '')}
    ${cell('timeline.took', took === null ? '' : span(took))}
    ${cell('run.after', html`<${After} node=${node} names=${names} />`)}
    ${cell('run.note', noteOf(node, term))}</tr>`;
}

const HEADS = ['run.node', 'run.type', 'run.state', 'run.attempts', 'timeline.took', 'run.after', 'run.note'];

/** The table; the name of a node chooses it. */
export function RunTable({ nodes, chosen, onChoose }) {
  const { t } = useWords();
  const names = new Map(nodes.map((node) => [node.key, node.name]));
  const heads = HEADS.map((name) => html`<th key=${name} scope="col">${t(name)}</th>`);
  const rows = nodes.map((node) => html`<${Row} key=${node.key} node=${node} names=${names} chosen=${chosen}
    onChoose=${onChoose} />`);
  return html`<div class="table-frame run-table"><table class="small">
    <caption class="hidden-text">${t('run.table')}</caption>
    <thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
