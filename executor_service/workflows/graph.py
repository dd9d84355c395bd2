"""The graph of a plan: nodes that are known, counted, linked and free of cycles (scenario 3).

The body of a LOOP is a list of nodes that run in its order; edges link the plan's own nodes alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

from executor_service.workflows.payload_paths import below
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import MOST_NODES, Edge, Node, NodeType, Workflow

RULE = "scenario 3, nodes and edges"
SIZE_RULE = "3.1.3 resource limits"
_ENDS = frozenset({NodeType.START, NodeType.END})


def body_nodes(node: Node) -> tuple[Node, ...]:
    """Return the nodes of a LOOP's body in the order they run; () for any other node.

    Raises:
        KeyError, TypeError, ValueError: The body is not what its schema says.
    """
    body = node.config.get("body") if node.type is NodeType.LOOP else None
    return tuple(_node(each) for each in body) if isinstance(body, Sequence) else ()


def node_at(workflow: Workflow, path: str) -> Node:
    """Return the node at a path of a run, such as `node_2` or `loop/3/inner`.

    Raises:
        KeyError: The workflow has none there.
    """
    top, *place = path.split("/")
    node = _of_id(workflow.nodes, top)
    return _of_id(body_nodes(node), place[-1]) if place else node


def _of_id(nodes: Iterable[Node], node_id: str) -> Node:
    for node in nodes:
        if node.node_id == node_id:
            return node
    raise KeyError(node_id)


def node_count(nodes: Iterable[Node]) -> int:
    """Return how many nodes a plan has, the bodies of loops counted (RESOLUTIONS D11)."""
    return sum(1 + len(body_nodes(node)) for node in nodes)


def check_graph(nodes: Sequence[Node], edges: Sequence[Edge]) -> tuple[RuleFinding, ...]:
    """Return what is wrong with the graph as such."""
    return (
        *_size(nodes),
        *_duplicates(nodes),
        *_unknown_ends(nodes, edges),
        *_cycles(nodes, edges),
        *_orphans(nodes, edges),
    )


def runs_before(nodes: Sequence[Node], edges: Sequence[Edge]) -> Mapping[str, frozenset[str]]:
    """Return for each node the nodes that run before it, in an order in which all can run.

    Edges whose ends are unknown do not count.

    Raises:
        CycleError: There is no such order.
    """
    graph = _predecessors(nodes, edges)
    before: dict[str, frozenset[str]] = {}
    for node_id in TopologicalSorter(graph).static_order():
        sources = graph[node_id]
        before[node_id] = frozenset(sources).union(*(before[source] for source in sources))
    return before


def _predecessors(nodes: Iterable[Node], edges: Iterable[Edge]) -> dict[str, dict[str, None]]:
    """Return each node's direct predecessors, in the payload's order."""
    graph: dict[str, dict[str, None]] = {node.node_id: {} for node in nodes}
    for edge in edges:
        if edge.source in graph and edge.target in graph:
            graph[edge.target][edge.source] = None
    return graph


def _size(nodes: Sequence[Node]) -> Iterator[RuleFinding]:
    at = "nodes"
    if not nodes:
        message = f"{at} is empty: a workflow has at least one node"
        yield RuleFinding(code=FindingCode.EMPTY_VALUE, path=at, message=message, rule=RULE)
    if (count := node_count(nodes)) > MOST_NODES:
        message = (
            f"{at} holds {count} nodes, those in loops counted: a workflow has at most {MOST_NODES}"
        )
        yield RuleFinding(code=FindingCode.TOO_MANY_NODES, path=at, message=message, rule=SIZE_RULE)


def _duplicates(nodes: Sequence[Node]) -> Iterator[RuleFinding]:
    seen: dict[str, str] = {}
    for node, place in each_node(nodes):
        at = below(place, "node_id")
        if (first := seen.setdefault(node.node_id, at)) != at:
            message = f"{at} is {node.node_id!r} again, as {first}: each node has an id of its own"
            yield RuleFinding(code=FindingCode.DUPLICATE_ID, path=at, message=message, rule=RULE)


def each_node(nodes: Iterable[Node]) -> Iterator[tuple[Node, str]]:
    """Yield every node with its path, those of a loop's body behind their loop."""
    for number, node in enumerate(nodes):
        place = below("nodes", number)
        yield node, place
        for inner, each in enumerate(body_nodes(node)):
            yield each, below(place, "config.body", inner)


def _unknown_ends(nodes: Sequence[Node], edges: Sequence[Edge]) -> Iterator[RuleFinding]:
    known = {node.node_id for node in nodes}
    inside = {each.node_id for node in nodes for each in body_nodes(node)} - known
    for number, edge in enumerate(edges):
        for end, node_id in (("source", edge.source), ("target", edge.target)):
            if node_id in known:
                continue
            at = below("edges", number, end)
            message = f"{at} is {node_id!r}, which is no node of this workflow"
            if node_id in inside:
                message = (
                    f"{at} is {node_id!r}, which stands in the body of a loop: "
                    "nodes there run in their order, without edges"
                )
            yield RuleFinding(
                code=FindingCode.UNKNOWN_REFERENCE, path=at, message=message, rule=RULE
            )


def _cycles(nodes: Sequence[Node], edges: Sequence[Edge]) -> Iterator[RuleFinding]:
    """Yield each edge from a node to itself, else one cycle; the others show once it is mended."""
    loops = [number for number, edge in enumerate(edges) if edge.source == edge.target]
    for number in loops:
        at = below("edges", number)
        message = f"{at} leads from {edges[number].source!r} to itself: a workflow has no cycle"
        yield RuleFinding(code=FindingCode.CYCLE, path=at, message=message, rule=RULE)
    try:
        TopologicalSorter(
            _predecessors(nodes, (edge for edge in edges if edge.source != edge.target))
        ).prepare()
    except CycleError as found:
        cycle: list[str] = found.args[1]
        steps = set(pairwise(cycle))
        number = max(n for n, edge in enumerate(edges) if (edge.source, edge.target) in steps)
        at = below("edges", number)
        message = f"{at} closes a cycle, {' → '.join(cycle)}: a workflow has no cycle"
        yield RuleFinding(code=FindingCode.CYCLE, path=at, message=message, rule=RULE)


def _orphans(nodes: Sequence[Node], edges: Sequence[Edge]) -> Iterator[RuleFinding]:
    """Yield the nodes that no edge names; START, END and a node that is alone may (D7)."""
    linked = {end for edge in edges for end in (edge.source, edge.target)}
    for number, node in enumerate(nodes if len(nodes) > 1 else ()):
        if node.node_id not in linked and node.type not in _ENDS:
            at = below("nodes", number)
            message = f"{at}, {node.node_id!r}, has no edge: link it, or take it out"
            yield RuleFinding(code=FindingCode.ORPHAN_NODE, path=at, message=message, rule=RULE)


def _node(raw: JsonValue) -> Node:
    if not isinstance(raw, Mapping):
        raise TypeError("a node is an object")
    given: dict[str, Any] = {name: value for name, value in raw.items() if value is not None}
    return Node(**{**given, "type": NodeType(given["type"])})
