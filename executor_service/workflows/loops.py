"""The turns of a LOOP: which node of its body comes next, and what the loop gives in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from executor_service.conditions.plan import compile_plan_condition
from executor_service.workflows.graph import body_nodes, node_at
from executor_service.workflows.node_failed import failed
from executor_service.workflows.node_values import (
    NodeValues,
    condition_values,
    graph_values,
    with_turn,
)
from executor_service.workflows.resolving import filled, own_values
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import BEGUN_NODES, NodeState, RunErrorCode, RunProgress, body_path
from heartrule.domain.workflows import Node

_DONE = frozenset({NodeState.COMPLETED, NodeState.SKIPPED})


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopStep:
    """What comes next in a loop: a node of its body, or its end."""

    path: str = ""
    """The node that runs next, or that has begun and not ended; empty: the loop has ended."""
    output: JsonValue = None
    """Of a loop that has ended: `count` turns, and in `items` what the last node of each gave."""
    failed_conditions: tuple[str, ...] = ()
    """The turn, such as `loop/3`, that did not begin, as its condition could not be computed."""


def next_in_loop(progress: RunProgress, loop_id: str) -> LoopStep:
    """Return what comes next in a loop that has begun; its body runs in the order of the list.

    A turn begins while there are items, the condition holds, and `max_iterations` is not reached.

    Raises:
        NodeFailed: The items are not there, or are no list.
    """
    loop = node_at(progress.workflow, loop_id)
    body = [each.node_id for each in body_nodes(loop)]
    values = graph_values(progress)
    items = loop_items(loop, values)
    most = int(str(loop.config["max_iterations"]))
    results: list[JsonValue] = []
    for index in range(most if items is None else min(most, len(items))):
        holds = _holds(progress, loop, values, index)
        if not holds:
            failed = (f"{loop_id}/{index}",) if holds is None else ()
            return _ended(results, failed)
        paths = [body_path(loop_id, index, each) for each in body]
        for path in paths:
            if progress.state(path) not in _DONE:
                return LoopStep(path=path)
        results.append(progress.nodes[paths[-1]].output)
    return _ended(results)


def values_at(progress: RunProgress, path: str) -> NodeValues:
    """Return what the node at a path can name, secrets and its own inputs aside.

    Raises:
        NodeFailed: It stands in the body of a loop whose items are not there, or are no list.
    """
    values = graph_values(progress)
    loop_id, *place = path.split("/")
    if not place:
        return values
    index = int(place[0])
    items = loop_items(node_at(progress.workflow, loop_id), values)
    given: dict[str, JsonValue] = {"index": index}
    if items is not None:
        given["item"] = items[index]
    return replace(with_turn(values, progress, loop_id, index), loop=given)


def loop_items(loop: Node, values: NodeValues) -> Sequence[JsonValue] | None:
    """Return what a loop goes through; None: it goes by its condition alone.

    Raises:
        NodeFailed: They are not there, or are no list.
    """
    written = loop.config.get("items")
    if written is None:
        return None
    items = filled(written, own_values(loop, values), "config.items")
    if isinstance(items, str) or not isinstance(items, Sequence):
        raise failed(RunErrorCode.UNREADABLE, "config.items: the value is no list")
    return items


def _holds(progress: RunProgress, loop: Node, values: NodeValues, index: int) -> bool | None:
    """Return whether a turn may begin by the loop's condition; None: that cannot be computed."""
    text = loop.config.get("condition")
    started = any(
        progress.state(body_path(loop.node_id, index, each.node_id)) in _DONE | BEGUN_NODES
        for each in body_nodes(loop)
    )
    if text is None or started:
        return True
    before = with_turn(own_values(loop, values), progress, loop.node_id, index - 1)
    condition = compile_plan_condition(str(text))
    found = condition_values(condition, replace(before, loop={"index": index}))
    return condition.evaluate(found).value


def _ended(results: Sequence[JsonValue], failed: tuple[str, ...] = ()) -> LoopStep:
    output: dict[str, JsonValue] = {"items": results, "count": len(results)}
    return LoopStep(output=output, failed_conditions=failed)
