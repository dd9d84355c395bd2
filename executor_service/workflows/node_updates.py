"""A node that becomes another: new values by field, or another node in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from executor_service.workflows.configs import BodyNodeModel
from executor_service.workflows.graph import body_nodes, node_at
from executor_service.workflows.plan_models import NodeModel, written_node
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import id_at
from heartrule.domain.workflows import Node, Workflow


def updated(workflow: Workflow, path: str, updates: Mapping[str, JsonValue]) -> Workflow:
    """Return the workflow with new values for fields of the node at a path.

    Args:
        workflow: What holds the node.
        path: `node_2`, or `loop/3/inner`: a loop's body is changed for all its turns.
        updates: By field; a dotted key such as `config.timeout` names a field within.

    Raises:
        KeyError: The workflow has no such node.
        ValidationError: The changed node breaks its schema.
    """
    raw: Mapping[str, JsonValue] = written_node(node_at(workflow, path))
    for key, value in updates.items():
        raw = _with(raw, key.split("."), value)
    model = BodyNodeModel if "/" in path else NodeModel
    return _put(workflow, path, model.model_validate(raw).node(id_at(path)))


def in_place(workflow: Workflow, path: str, other_id: str) -> Workflow:
    """Return the workflow in which the node at a path does what another one does (D29).

    It keeps its id, its name and its strategies, so those who read its output find the other's.
    What the other one maps out of its own output, it maps out of this one's.

    Raises:
        KeyError: The workflow lacks one of the two.
    """
    failed, other = node_at(workflow, path), node_at(workflow, other_id)
    mapping = _renamed(other.output_mapping, other_id, failed.node_id)
    assert isinstance(mapping, Mapping)
    made = replace(
        failed,
        type=other.type,
        config=other.config,
        input_mapping=other.input_mapping,
        output_mapping=mapping,
    )
    return _put(workflow, path, made)


def _put(workflow: Workflow, path: str, node: Node) -> Workflow:
    """Return the workflow with another node at a path; of two with an id the first is replaced."""
    top, *place = path.split("/")
    if place:
        loop = node_at(workflow, top)
        body = [node if each.node_id == node.node_id else each for each in body_nodes(loop)]
        node = replace(loop, config={**loop.config, "body": [written_node(each) for each in body]})
    first = next(n for n, each in enumerate(workflow.nodes) if each.node_id == top)
    nodes = (*workflow.nodes[:first], node, *workflow.nodes[first + 1 :])
    return replace(workflow, nodes=nodes)


def _with(raw: Mapping[str, JsonValue], keys: list[str], value: JsonValue) -> dict[str, JsonValue]:
    first, *rest = keys
    if not rest:
        return {**raw, first: value}
    inner = raw.get(first)
    return {**raw, first: _with(inner if isinstance(inner, Mapping) else {}, rest, value)}


def _renamed(value: JsonValue, old: str, new: str) -> JsonValue:
    """Return a value whose references to one node's output are to another's."""
    if isinstance(value, str):
        return value.replace(f"${{{old}.output", f"${{{new}.output")
    if isinstance(value, Mapping):
        return {key: _renamed(each, old, new) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(each, old, new) for each in value]
    return value
