"""Random workflows, and what would befall each attempt of their nodes."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from heartrule.domain.runs import NodeFailure, RunErrorCode
from heartrule.domain.workflows import Edge, Node, NodeType, Workflow, WorkflowInput
from tests.support.workflow_builders import a_loop, a_node

_CODES = (RunErrorCode.TIMEOUT, RunErrorCode.HTTP_5XX, RunErrorCode.CODE_ERROR, RunErrorCode.LIMIT)
_PLAIN = (NodeType.PYTHON, NodeType.HTTP, NodeType.LLM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What befalls attempts: how long each takes, and how it ends; the same each time it is asked.

    An attempt ends by its path and number alone, so two readings of a run have the same world.
    """

    seed: int
    is_kind: bool = False
    """True: nothing fails."""

    def ticks(self, path: str, attempt: int) -> int:
        """Return how many ticks an attempt takes, 1 to 3."""
        return random.Random(f"{self.seed} ticks {path} {attempt}").randint(1, 3)

    def failure(self, path: str, attempt: int) -> NodeFailure | None:
        """Return why an attempt fails; None: it does not."""
        dice = random.Random(f"{self.seed} failure {path}")
        times = dice.choice([0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 5, 20])
        code = dice.choice(_CODES)
        if self.is_kind or attempt > times:
            return None
        return NodeFailure(code=code, message=f"{code} at {path}", is_retryable=code.is_retryable)

    def output(self, path: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a node gives for its inputs: a number, and a list."""
        numbers = [each for each in inputs.values() if isinstance(each, int)]
        total = sum(numbers, start=len(path))
        return {"n": total, "list": list(range(total % 4))}


def random_plan(seed: int) -> Workflow:
    """Return a plan of 1 to 12 nodes with conditions, loops, retries and recoveries."""
    dice = random.Random(seed)
    ids = [f"n{number}" for number in range(dice.randint(1, 12))]
    sources: dict[str, list[str]] = {each: [] for each in ids}
    for place, node_id in enumerate(ids):
        for source in ids[:place]:
            if dice.random() < 2 / len(ids):
                sources[node_id].append(source)
    before: dict[str, list[str]] = {}
    nodes = []
    for node_id in ids:
        further = {each for source in sources[node_id] for each in before[source]}
        before[node_id] = sorted({*sources[node_id], *further})
        nodes.append(_node(dice, node_id, before[node_id], ids))
    kinds = {each.node_id: each.type for each in nodes}
    edges = [
        Edge(source=source, target=node_id, condition=_edge(dice, kinds[source], source, before))
        for node_id in ids
        for source in sources[node_id]
    ]
    # The order of a plan's lists is not that of its runs.
    dice.shuffle(nodes)
    dice.shuffle(edges)
    return Workflow(
        workflow_id="w",
        nodes=tuple(nodes),
        edges=tuple(edges),
        inputs={"level": WorkflowInput(type="integer", default=dice.randint(0, 9))},
    )


def _node(dice: random.Random, node_id: str, before: list[str], ids: list[str]) -> Node:
    kind = dice.choice([*_PLAIN, *_PLAIN, NodeType.CONDITION, NodeType.LOOP, NodeType.START])
    if kind is NodeType.LOOP:
        node = _loop(dice, node_id, before)
    elif kind is NodeType.CONDITION:
        node = a_node(node_id, kind, expression=condition(dice, before))
    elif kind is NodeType.START:
        return a_node(node_id, kind)
    else:
        node = a_node(node_id, kind, inputs=_inputs(dice, before))
    return _with_strategies(dice, node, ids)


def _inputs(dice: random.Random, before: list[str], *more: str) -> dict[str, Any]:
    forms = ["${input.level}", "${level}", 7, *more]
    forms += [f"${{{each}.output.n}}" for each in before for _ in range(2)]
    return {f"x{number}": dice.choice(forms) for number in range(dice.randint(0, 3))}


def _loop(dice: random.Random, node_id: str, before: list[str]) -> Node:
    items = [[1, 2, 3], [5], *(f"${{{each}.output.list}}" for each in before)]
    config: dict[str, Any] = {"max_iterations": dice.randint(1, 4)}
    form = dice.choice(["items", "condition", "both"])
    if form != "condition":
        config["items"] = dice.choice(items)
    if form != "items":
        first = f"{node_id}_0"
        turns = f"${{index}} < {dice.randint(0, 4)}"
        config["condition"] = dice.choice([turns, f"${{index}} == 0 || ${{{first}.output.n}} > 8"])
    given = ["${index}", *(["${item}"] if form != "condition" else [])]
    body: list[Node] = []
    for number in range(dice.randint(1, 2)):
        earlier = [f"${{{each.node_id}.output.n}}" for each in body]
        inputs = _inputs(dice, before, *given, *given, *earlier)
        inner = a_node(f"{node_id}_{number}", NodeType.PYTHON, inputs=inputs)
        body.append(_with_strategies(dice, inner, []))
    return a_loop(node_id, *body, **config)


def _with_strategies(dice: random.Random, node: Node, ids: list[str]) -> Node:
    """Return the node with retries and a recovery of its own, one of them, or none."""
    if dice.random() < 0.3:
        retries = {"max_retries": dice.randint(0, 2), "retry_delay": dice.randint(0, 2)}
        node = replace(node, retry_config=retries)
    if dice.random() < 0.5:
        node = replace(node, on_failure=_recovery(dice, node.node_id, ids))
    return node


def _recovery(dice: random.Random, node_id: str, ids: list[str]) -> dict[str, Any]:
    action = dice.choice(["RETRY", "RETRY", "SKIP", "SKIP", "ABORT", "MODIFY"])
    plan: dict[str, Any] = {"action": action}
    if dice.random() < 0.5:
        plan["delay"] = dice.randint(0, 2)
    if action == "RETRY" or dice.random() < 0.3:
        plan["max_attempts"] = dice.randint(1, 3)
    if action == "MODIFY" or (action == "RETRY" and dice.random() < 0.3):
        plan["modifications"] = {"input_mapping.extra": dice.randint(1, 5)}
    others = [each for each in ids if each != node_id]
    if others and dice.random() < 0.3:
        plan["alternative_node"] = dice.choice(others)
    return plan


def condition(dice: random.Random, before: list[str]) -> str:
    """Return a condition over nodes that run before, the run's input, or neither."""
    forms = ["true"]
    forms += [f"${{{name}}} > {dice.randint(0, 9)}" for name in ("input.level", "level")]
    for each in before:
        forms += [
            f"${{{each}.output.n}} > {dice.randint(0, 9)}",
            f"${{{each}.output.n}} == null",
            f"${{{each}.output.nowhere}} > 1",
        ]
    return dice.choice(forms)


def _edge(dice: random.Random, kind: NodeType, source: str, before: Mapping[str, list[str]]) -> str:
    if kind is NodeType.CONDITION:
        return dice.choice(["true", "false", "true", "false", ""])
    return dice.choice(["", "", "", "false", condition(dice, [*before[source], source])])
