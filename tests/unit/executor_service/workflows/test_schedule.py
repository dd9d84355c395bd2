"""What may begin in a run, what is skipped, and when it is over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from executor_service.workflows.schedule import MOST_AT_ONCE, Schedule, next_steps, step_order
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeRecord, NodeState, RunProgress, RunState, SkipReason
from heartrule.domain.workflows import Edge, NodeType, Workflow
from tests.support.workflow_builders import a_loop, a_node, a_plan

DONE, FAILED, RUNNING = NodeState.COMPLETED, NodeState.FAILED, NodeState.RUNNING


def completed(path: str, output: JsonValue = None) -> NodeRecord:
    return NodeRecord(path=path, state=DONE, output=output)


def left_out(path: str, reason: SkipReason) -> NodeRecord:
    return NodeRecord(path=path, state=NodeState.SKIPPED, skip_reason=reason)


def schedule(plan: Workflow, *records: NodeRecord, **inputs: JsonValue) -> Schedule:
    nodes = {each.path: each for each in records}
    return next_steps(RunProgress(workflow=plan, inputs=inputs, nodes=nodes))


def test_nodes_without_edges_to_them_begin() -> None:
    """Everything else waits."""
    plan = a_plan(*map(a_node, "abc"), edges=["a>c", "b>c"])
    assert schedule(plan).ready == ("a", "b")
    assert schedule(plan, completed("a")).ready == ("b",)


def test_a_node_waits_for_all_before_it_and_needs_one_way_in() -> None:
    """A join is an OR: an edge whose source was skipped closes nothing."""
    plan = a_plan(*map(a_node, "abc"), edges=["a>c", "b>c"])
    skipped = left_out("b", SkipReason.CONDITION)
    assert schedule(plan, completed("a"), skipped).ready == ("c",)


def test_a_false_condition_skips_what_lies_behind_it() -> None:
    """The node itself by the condition, those behind it as nothing before them ran."""
    edge = Edge(source="a", target="b", condition="${a.output.n} > 3")
    plan = a_plan(*map(a_node, "abc"), edges=[edge, "b>c"])
    found = schedule(plan, completed("a", {"n": 3}))
    assert found.skipped == {"b": SkipReason.CONDITION, "c": SkipReason.UPSTREAM}
    assert (found.outcome, found.failed_conditions) == (RunState.COMPLETED, {})
    assert schedule(plan, completed("a", {"n": 4})).ready == ("b",)


def test_a_condition_that_cannot_be_computed_is_false_and_told() -> None:
    """The edge is named at the node that it leads to."""
    edge = Edge(source="a", target="b", condition="${a.output.n} > 3")
    found = schedule(a_plan(*map(a_node, "ab"), edges=[edge]), completed("a", {"n": "many"}))
    assert found.skipped == {"b": SkipReason.CONDITION}
    assert found.failed_conditions == {"b": ("a->b",)}


@pytest.mark.parametrize(
    ("ended", "ready"),
    [
        (completed("a", {"result": True}), ("b",)),
        (completed("a", {"result": False}), ("c",)),
        (left_out("a", SkipReason.RECOVERY), ()),
    ],
)
def test_edges_from_a_condition_say_true_or_false(ended: NodeRecord, ready: tuple[str]) -> None:
    """They pass by its result; behind one that a recovery skipped neither does."""
    edges = [Edge(source="a", target="b", condition="true")]
    edges += [Edge(source="a", target="c", condition="false")]
    plan = a_plan(a_node("a", NodeType.CONDITION), a_node("b"), a_node("c"), edges=edges)
    found = schedule(plan, ended)
    assert found.ready == ready
    assert bool(found.failed_conditions) == (not ready)


def test_an_edge_passes_behind_a_node_that_a_recovery_skipped() -> None:
    """Its output is null, whatever is read of it."""
    edge = Edge(source="a", target="b", condition="${a.output.n} == null")
    plan = a_plan(*map(a_node, "ab"), edges=[edge])
    assert schedule(plan, left_out("a", SkipReason.RECOVERY)).ready == ("b",)


def test_four_nodes_have_begun_at_most() -> None:
    """One that waits to be tried again, or for a decision, keeps its place."""
    plan = a_plan(*map(a_node, "abcdef"))
    assert schedule(plan).ready == tuple("abcd"[:MOST_AT_ONCE])
    states = (RUNNING, NodeState.RETRYING, NodeState.WAITING_DECISION)
    begun = [NodeRecord(path=path, state=at) for path, at in zip("abc", states, strict=True)]
    found = schedule(plan, *begun)
    assert (found.begun, found.ready) == (("a", "b", "c"), ("d",))


def test_a_loop_counts_once() -> None:
    """Its body is part of it."""
    plan = a_plan(a_loop("l", a_node("i"), items=[1]), a_node("b"), edges=["l>b"])
    records = [NodeRecord(path=path, state=RUNNING) for path in ("l", "l/0/i")]
    assert schedule(plan, *records) == Schedule(begun=("l",))


def test_a_failed_node_ends_the_run() -> None:
    """What has not ended is cancelled: what waits, what runs, and what runs in a loop."""
    plan = a_plan(*map(a_node, "ab"), a_loop("l", a_node("i"), items=[1]), edges=["a>b"])
    records = [NodeRecord(path=path, state=RUNNING) for path in ("l", "l/0/i")]
    found = schedule(plan, NodeRecord(path="a", state=FAILED), *records)
    assert (found.outcome, found.ready) == (RunState.FAILED, ())
    assert found.cancelled == ("b", "l", "l/0/i")


def test_a_run_is_over_when_every_node_ended() -> None:
    """Skipped ones have ended too."""
    plan = a_plan(*map(a_node, "ab"), edges=["a>b"])
    found = schedule(plan, completed("a"), left_out("b", SkipReason.CONDITION))
    assert found == Schedule(outcome=RunState.COMPLETED)


def test_steps_are_in_the_order_of_the_plan_where_edges_allow_it() -> None:
    """So their numbers never depend on what ended first."""
    plan = a_plan(*map(a_node, "dcba"), edges=["a>c"])
    assert step_order(plan) == ("d", "b", "a", "c")


def test_an_input_of_the_run_decides_an_edge() -> None:
    """By `${input.x}` and by its name."""
    edge = Edge(source="a", target="b", condition="${input.level} > 3 && ${level} > 3")
    plan = replace(a_plan(*map(a_node, "ab"), edges=[edge]))
    assert schedule(plan, completed("a"), level=4).ready == ("b",)
    assert schedule(plan, completed("a"), level=3).skipped == {"b": SkipReason.CONDITION}
