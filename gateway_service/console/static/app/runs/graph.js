// The plan of a run as a drawing, each node with its state; whoever cannot see it reads the table.

import { html, useEffect, useMemo, useRef, useState } from '../../vendor/preact.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { HEAD, INNER, WIDTH, clipped, placed } from './layout.js';
import { failedEdges, passedBy } from './reading.js';

const NAME_COLUMNS = 20;
const INNER_COLUMNS = 18;
const SMALLEST = 0.8; // as small as a drawing is made to fit; a larger one is scrolled
const MARKS = {
  pending: '○', running: '●', retrying: '↻', waiting_decision: '?',
  completed: '✓', failed: '✕', skipped: '–', cancelled: '⊘',
};

/** The width of an element, followed. */
/** @returns {[{current: any}, number]} */
function useWidth() {
  const box = useRef(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return [box, width];
}

/** The places of all, made anew when the plan or the room is another; `false` where it cannot be drawn. */
function usePlaces(definition, nodes, room) {
  const [dagre, problem] = useLoaded(() => import('../../vendor/dagre.js'), []);
  const plan = JSON.stringify(definition);
  return useMemo(() => {
    if (problem) return false;
    if (!dagre || !room) return null;
    try {
      return placed(dagre, nodes, definition.edges ?? [], room);
    } catch {
      return false;
    }
  }, [dagre, problem, plan, room]);
}

function Pressable({ node, words, chosen, onChoose, at, children }) {
  const press = (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onChoose(node.key);
  };
  return html`<g class=${`run-node is-${node.state}`} transform=${`translate(${at.x} ${at.y})`}
    role="button" tabindex="0" aria-label=${words} aria-pressed=${chosen}
    onClick=${() => onChoose(node.key)} onKeyDown=${press}><title>${words}</title>${children}</g>`;
}

function NodeBox({ node, place, inner, chosen, onChoose }) {
  const { term } = useWords();
  const state = term('nodeState', node.state);
  const at = { x: place.x - place.width / 2, y: place.y - place.height / 2 };
  const words = (each) => `${each.name}, ${each.type}, ${term('nodeState', each.state)}`;
  const pressed = (each) => chosen === each.key;
  return html`<${Pressable} node=${node} words=${words(node)} chosen=${pressed(node)} onChoose=${onChoose} at=${at}>
      <rect width=${place.width} height=${place.height} rx="9"></rect>
      <text class="mark" x="12" y="22">${MARKS[node.state] ?? ''}</text>
      <text class="name" x="30" y="22">${clipped(node.name, NAME_COLUMNS)}</text>
      <text class="under" x="30" y="40">${node.type} · ${state}</text><//>
    ${inner.map((each, i) => html`<${Pressable} key=${each.key} node=${each} words=${words(each)}
      chosen=${pressed(each)} onChoose=${onChoose} at=${{ x: at.x + 8, y: at.y + HEAD + i * (INNER + 4) }}>
      <rect width=${WIDTH - 16} height=${INNER} rx="6"></rect>
      <text class="mark" x="10" y="18">${MARKS[each.state] ?? ''}</text>
      <text class="inner" x="26" y="17">${clipped(each.name, INNER_COLUMNS)}</text><//>`)}`;
}

function EdgeLine({ edge, off, failed }) {
  const kind = failed ? 'failed' : off ? 'off' : '';
  return html`<g class=${`run-edge ${kind}`}>
    <path d=${edge.path} marker-end="url(#run-arrow)"></path>
    ${edge.label && html`<g><title>${edge.condition}</title>
      <rect x=${edge.x - edge.width / 2} y=${edge.y - 9} width=${edge.width} height="18" rx="5"></rect>
      <text x=${edge.x} y=${edge.y + 4}>${edge.label}</text></g>`}</g>`;
}

/** The drawing; pressing a node chooses it. */
export function RunGraph({ definition, nodes, chosen, onChoose }) {
  const { t } = useWords();
  const [box, width] = useWidth();
  /** @type {any} */
  const places = usePlaces(definition, nodes, width);
  const fit = places ? Math.min(1, width / places.width) : 1;
  const scale = fit < SMALLEST ? 1 : fit;
  const failed = failedEdges(nodes);
  const off = passedBy(nodes);
  const edge = (one, i) => html`<${EdgeLine} key=${i} edge=${one}
    failed=${failed.has(`${one.source}->${one.target}`)} off=${off.has(one.source) || off.has(one.target)} />`;
  const node = (one) => html`<${NodeBox} key=${one.key} node=${one} place=${places.nodes.get(one.key)} chosen=${chosen}
    inner=${nodes.filter((each) => each.loop === one.key)} onChoose=${onChoose} />`;
  return html`<div class="run-graph" ref=${box}>
    ${places === false && html`<p class="notice warn">${t('run.noGraph')}</p>`}
    ${places && html`<svg width=${places.width * scale} height=${places.height * scale}
      viewBox=${`0 0 ${places.width} ${places.height}`} role="group" aria-label=${t('run.graph')}>
      <defs><marker id="run-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path d="M0,0 8,4 0,8z"></path></marker></defs>
      ${places.edges.map(edge)}
      ${nodes.filter((one) => places.nodes.has(one.key)).map(node)}</svg>`}</div>`;
}
