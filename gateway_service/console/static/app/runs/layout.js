// Where each node and edge of a plan is drawn, by dagre. Pure: ids of nodes are only ever compared.

export const WIDTH = 196;
export const HEAD = 50;
export const INNER = 26;
const PAD = 8;
const LABEL = { height: 18, most: 26, column: 6.6 };

/** How many columns a character takes: two where it is as wide as it is high. */
const wide = (character) => (character.codePointAt(0) >= 0x1100 ? 2 : 1);

/** A text of at most so many columns; what was cut off is an ellipsis. */
export function clipped(text, most) {
  let columns = 0;
  const kept = [];
  for (const character of text) {
    columns += wide(character);
    if (columns > most) return `${kept.slice(0, -1).join('')}…`;
    kept.push(character);
  }
  return text;
}

function columnsOf(text) {
  return [...text].reduce((sum, character) => sum + wide(character), 0);
}

/** The height of a node; a loop holds the nodes of its body, one below the other. */
const heightOf = (inner) => HEAD + (inner ? inner * (INNER + 4) + PAD : 0);

/** Straight lines with round corners through points. */
function curve([first, ...rest]) {
  const middles = rest.slice(0, -1).map((point, i) => {
    const next = rest[i + 1];
    const end = i === rest.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x},${point.y} ${end.x},${end.y}`;
  });
  return `M${first.x},${first.y}${middles.join('')}${middles.length ? '' : `L${rest[0].x},${rest[0].y}`}`;
}

function placedFor(direction, { Graph, layout }, nodes, edges) {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: direction, nodesep: 26, ranksep: 46, edgesep: 18, marginx: 10, marginy: 10 });
  const outer = nodes.filter((node) => !node.loop);
  // Numbers in place of ids, which anybody may have written.
  const numbers = new Map(outer.map((node, i) => [node.key, String(i)]));
  outer.forEach((node, i) => {
    const inner = nodes.filter((each) => each.loop === node.key).length;
    graph.setNode(String(i), { width: WIDTH, height: heightOf(inner) });
  });
  const drawn = edges
    .filter((edge) => numbers.has(edge.source) && numbers.has(edge.target))
    .map((edge) => ({ ...edge, label: clipped(edge.condition ?? '', LABEL.most) }));
  const ends = (edge, i) => [numbers.get(edge.source), numbers.get(edge.target), String(i)];
  drawn.forEach((edge, i) => {
    const [source, target, name] = ends(edge, i);
    const width = edge.label ? columnsOf(edge.label) * LABEL.column + 12 : 0;
    graph.setEdge(source, target, { width, height: width && LABEL.height, labelpos: 'c' }, name);
  });
  layout(graph);
  const { width, height } = graph.graph();
  return {
    width,
    height,
    nodes: new Map(outer.map((node, i) => [node.key, graph.node(String(i))])),
    edges: drawn.map((edge, i) => {
      const place = graph.edge(...ends(edge, i));
      return { ...edge, path: curve(place.points), x: place.x, y: place.y, width: place.width };
    }),
  };
}

/** Places of nodes (by key) and edges: from left to right where that fits in `room` pixels, else from top to bottom. */
export function placed(dagre, nodes, edges, room) {
  const across = placedFor('LR', dagre, nodes, edges);
  return across.width <= room ? across : placedFor('TB', dagre, nodes, edges);
}
