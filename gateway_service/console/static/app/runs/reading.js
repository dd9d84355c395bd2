// A run as GetRun gives it, arranged by the nodes of its plan.

const MASK = '•••';
const OVER = new Set(['completed', 'failed', 'cancelled']);
const TROUBLED = new Set(['waiting_decision', 'failed', 'retrying']);

/** Whether a run has ended. */
export const isOver = (run) => OVER.has(run.state);

/** Whether texts are masked, names of nodes among them, as the session's script has sensitive variables. */
export const isMasked = (definition) => (definition.nodes ?? []).some((node) => node.node_id === MASK);

/** A path such as `loop/3/inner`, cut into the node's key, `loop/inner`, and its turn; null outside of loops. */
export function placeOf(path) {
  const [loop, turn, inner] = path.split('/');
  return inner === undefined ? { key: path, turn: null } : { key: `${loop}/${inner}`, turn: Number(turn) };
}

function entry(key, node, loop = '') {
  return {
    key,
    loop,
    id: node.node_id,
    name: node.name || node.node_id,
    type: node.type,
    written: node,
    before: [],
    attempts: [],
    files: [],
    state: 'pending',
    skipReason: null,
  };
}

/** The nodes of the plan in its order, those of a loop's body behind the loop, without what became of them. */
function written(definition) {
  return (definition.nodes ?? []).flatMap((node) => {
    const body = Array.isArray(node.config?.body) ? node.config.body : [];
    const inner = body.map((each) => entry(`${node.node_id}/${each.node_id}`, each, node.node_id));
    return [entry(node.node_id, node), ...inner];
  });
}

/** The nodes of a run, each with its attempts in order, files, state and the edges that lead to it. */
export function nodesOf({ definition, attempts, artifacts }) {
  const nodes = new Map((isMasked(definition) ? [] : written(definition)).map((node) => [node.key, node]));
  const at = (path) => {
    const { key } = placeOf(path);
    if (!nodes.has(key)) nodes.set(key, entry(key, { node_id: key.split('/').at(-1) }, key.split('/').slice(0, -1)[0]));
    return nodes.get(key);
  };
  for (const edge of definition.edges ?? []) nodes.get(edge.target)?.before.push(edge);
  for (const attempt of attempts) {
    const node = at(attempt.path);
    node.attempts.push({ ...attempt, turn: placeOf(attempt.path).turn });
    node.state = attempt.state ?? 'pending';
    node.skipReason = attempt.skipReason;
  }
  for (const file of artifacts) at(file.path).files.push(file);
  return [...nodes.values()];
}

/** The node that a reader looks for first: one in trouble, the newest of them; null where all goes well. */
export function troubled(nodes) {
  const newest = (node) => node.attempts.at(-1)?.sequence ?? 0;
  const found = nodes.filter((node) => TROUBLED.has(node.state));
  return found.sort((one, other) => newest(one) - newest(other)).at(-1) ?? null;
}

/** Edges `a->b` whose condition could not be computed. */
export function failedEdges(nodes) {
  return new Set(nodes.flatMap((node) => node.attempts.flatMap((attempt) => attempt.failedConditions)));
}

/** Keys of the nodes that the run passed by: no edge to or from them is taken. */
export function passedBy(nodes) {
  const found = nodes.filter((node) => node.state === 'skipped' && node.skipReason !== 'recovery');
  return new Set(found.map((node) => node.key));
}

/** Milliseconds from a beginning to an end; null where one of them is not known. */
export function tookMs({ beginTime, endTime }) {
  return beginTime && endTime ? Date.parse(endTime) - Date.parse(beginTime) : null;
}
