"""What comes next in a run: which nodes may begin, which are skipped, and whether it is over.

All of it follows from the run's definition and the states of its nodes, so whoever takes a run over
comes to the same answer. The bodies of loops are `executor_service.workflows.loops`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from executor_service.conditions.plan import compile_plan_condition
from executor_service.workflows.node_values import condition_values, graph_values
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import (
    BEGUN_NODES,
    ENDED_NODES,
    NodeRecord,
    NodeState,
    RunProgress,
    RunState,
    SkipReason,
)
from heartrule.domain.workflows import Edge, NodeType, Workflow

MOST_AT_ONCE = 4
"""Nodes of a run that have begun and not ended; one that waits for an attempt keeps its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """What follows from how far a run is; nodes are named in the order of `step_order`."""

    ready: tuple[str, ...] = ()
    """Nodes that may begin now."""
    begun: tuple[str, ...] = ()
    """Nodes that have begun and not ended: whoever takes the run over goes on with them."""
    skipped: Mapping[str, SkipReason] = field(default_factory=dict)
    """Nodes that are now known not to run."""
    failed_conditions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By node of `ready` and `skipped`: its edges whose condition could not be computed."""
    cancelled: tuple[str, ...] = ()
    """Paths that the end of the run cancels: what has not ended, pending nodes included."""
    outcome: RunState | None = None
    """COMPLETED, FAILED or CANCELLED where the run is over."""


def step_order(workflow: Workflow) -> tuple[str, ...]:
    """Return the ids of the nodes so that no edge leads back, otherwise as the plan lists them.

    The body of a loop is part of the loop. The graph has passed `check_graph`.
    """
    sources: dict[str, set[str]] = {node.node_id: set() for node in workflow.nodes}
    for edge in workflow.edges:
        sources[edge.target].add(edge.source)
    order: dict[str, None] = {}
    while len(order) < len(sources):
        free = (each for each in sources if each not in order and sources[each] <= order.keys())
        order[next(free)] = None
    return tuple(order)


def next_steps(progress: RunProgress) -> Schedule:
    """Return what comes next in a run.

    A node may begin when all before it ended and one edge to it passes. It is skipped when all
    before it ended and none passes. A run is over when all nodes ended, or one failed for good.
    """
    order = step_order(progress.workflow)
    states = {each: progress.state(each) for each in order}
    if outcome := _ended_early(states.values()):
        return Schedule(outcome=outcome, cancelled=unfinished(progress))
    begun = tuple(each for each in order if states[each] in BEGUN_NODES)
    passing = _Passing(progress)
    ready, skipped = _decided(progress.workflow, states, passing)
    ready = ready[: max(0, MOST_AT_ONCE - len(begun))]
    known = {*ready, *skipped}
    return Schedule(
        ready=ready,
        begun=begun,
        skipped=skipped,
        failed_conditions={each: passing.failed[each] for each in passing.failed if each in known},
        outcome=RunState.COMPLETED if ENDED_NODES.issuperset(states.values()) else None,
    )


def cancelled(progress: RunProgress, paths: Iterable[str]) -> tuple[NodeRecord, ...]:
    """Return the records of nodes that the end of their run cancels."""
    return tuple(
        replace(record, state=NodeState.CANCELLED)
        if (record := progress.nodes.get(path))
        else NodeRecord(path=path, state=NodeState.CANCELLED, attempt=0)
        for path in paths
    )


def _decided(
    workflow: Workflow, states: dict[str, NodeState], passing: _Passing
) -> tuple[tuple[str, ...], Mapping[str, SkipReason]]:
    """Return which pending nodes can begin, and which are skipped, as `states` then says too."""
    ready: list[str] = []
    skipped: dict[str, SkipReason] = {}
    for node_id, state in states.items():
        edges = [edge for edge in workflow.edges if edge.target == node_id]
        is_next = all(states[edge.source] in ENDED_NODES for edge in edges)
        if state is not NodeState.PENDING or not is_next:
            continue
        if not edges or passing.any_of(edges):
            ready.append(node_id)
        else:
            # What comes behind it sees it in this round.
            states[node_id] = NodeState.SKIPPED
            could = any(map(passing.can_pass, edges))
            skipped[node_id] = SkipReason.CONDITION if could else SkipReason.UPSTREAM
    return tuple(ready), skipped


class _Passing:
    """Which edges of a run pass, and which conditions cannot be computed."""

    def __init__(self, progress: RunProgress) -> None:
        self._progress = progress
        self._values = graph_values(progress)
        self._types = {node.node_id: node.type for node in progress.workflow.nodes}
        self.failed: dict[str, tuple[str, ...]] = {}

    def any_of(self, edges: Iterable[Edge]) -> bool:
        """Return whether one of the edges passes; all are looked at, for `failed`."""
        passing = [edge for edge in edges if self.can_pass(edge) and self._holds(edge)]
        return bool(passing)

    def can_pass(self, edge: Edge) -> bool:
        """Return whether the edge's source has run, or was skipped by a recovery."""
        record = self._progress.nodes.get(edge.source)
        return record is not None and (
            record.state is NodeState.COMPLETED or record.skip_reason is SkipReason.RECOVERY
        )

    def _holds(self, edge: Edge) -> bool:
        verdict = self._verdict(edge)
        if verdict is None:
            name = f"{edge.source}->{edge.target}"
            self.failed[edge.target] = (*self.failed.get(edge.target, ()), name)
        return bool(verdict)

    def _verdict(self, edge: Edge) -> bool | None:
        text = edge.condition.strip()
        if not text:
            return True
        if self._types[edge.source] is NodeType.CONDITION and text in {"true", "false"}:
            result = _result(self._progress.nodes[edge.source].output)
            return None if result is None else result == (text == "true")
        condition = compile_plan_condition(edge.condition)
        return condition.evaluate(condition_values(condition, self._values)).value


def _result(output: JsonValue) -> bool | None:
    """Return what a CONDITION found; None where a recovery put something else in its place."""
    result = output.get("result") if isinstance(output, Mapping) else None
    return result if isinstance(result, bool) else None


def _ended_early(states: Iterable[NodeState]) -> RunState | None:
    found = set(states)
    if NodeState.FAILED in found:
        return RunState.FAILED
    return RunState.CANCELLED if NodeState.CANCELLED in found else None


def unfinished(progress: RunProgress) -> tuple[str, ...]:
    """Return what has not ended: nodes of the graph, then those of loops that have begun."""
    paths = dict.fromkeys((*step_order(progress.workflow), *progress.nodes))
    return tuple(path for path in paths if progress.state(path) not in ENDED_NODES)
