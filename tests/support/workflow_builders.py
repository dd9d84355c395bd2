"""Plans of workflows, written short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from executor_service.workflows.plan_models import written_node
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Edge, Node, NodeType, Workflow

CONFIGS: dict[NodeType, Mapping[str, JsonValue]] = {
    NodeType.LLM: {"prompt": "Say hello."},
    NodeType.HTTP: {"url": "https://api.example.com/v1", "method": "GET"},
    NodeType.PYTHON: {"code": "return {'n': 1}"},
    NodeType.DATABASE: {"query": "SELECT 1"},
    NodeType.CONDITION: {"expression": "true"},
}
"""For each type that needs one, the least configuration."""


def a_node(
    node_id: str = "a",
    type_: NodeType = NodeType.LLM,
    *,
    inputs: Mapping[str, JsonValue] | None = None,
    outputs: Mapping[str, JsonValue] | None = None,
    **config: JsonValue,
) -> Node:
    """Return a node of a type with some keys of its configuration changed."""
    return Node(
        node_id=node_id,
        type=type_,
        name=node_id,
        config={**CONFIGS.get(type_, {}), **config},
        input_mapping=inputs or {},
        output_mapping=outputs or {},
    )


def a_loop(node_id: str, *body: Node, **config: JsonValue) -> Node:
    """Return a LOOP over `items`, or while `condition`, with a body."""
    raw: list[JsonValue] = [written_node(each) for each in body]
    return Node(
        node_id=node_id,
        type=NodeType.LOOP,
        name=node_id,
        config={"max_iterations": 3, "body": raw, **config},
    )


def a_plan(*nodes: Node, edges: Iterable[str | Edge] = (), **changes: object) -> Workflow:
    """Return a workflow; an edge is written `a>b`."""
    made = tuple(
        Edge(source=each.split(">")[0], target=each.split(">")[1])
        if isinstance(each, str)
        else each
        for each in edges
    )
    return Workflow(workflow_id="w", nodes=nodes, edges=made, **changes)  # type: ignore[arg-type]
