"""The turns of a loop: what runs next, and what it gives."""

from __future__ import annotations

import pytest

from executor_service.workflows.loops import LoopStep, next_in_loop, values_at
from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.references import read_reference
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeRecord, NodeState, RunErrorCode, RunProgress, SkipReason
from tests.support.workflow_builders import a_loop, a_node, a_plan

BODY = (a_node("i"), a_node("j"))


def running(*done: str, output: JsonValue = None, **config: JsonValue) -> RunProgress:
    """Return a run in whose loop the nodes at some paths completed."""
    plan = a_plan(a_node("a"), a_loop("l", *BODY, **config), edges=["a>l"])
    records = [
        NodeRecord(path=path, state=NodeState.COMPLETED, output=output or {"at": path})
        for path in ("a", *done)
    ]
    loop = NodeRecord(path="l", state=NodeState.RUNNING)
    return RunProgress(workflow=plan, nodes={each.path: each for each in (loop, *records)})


def test_the_body_runs_in_order_turn_by_turn() -> None:
    """Once for each item."""
    items: list[JsonValue] = ["x", "y"]
    assert next_in_loop(running(items=items), "l").path == "l/0/i"
    assert next_in_loop(running("l/0/i", items=items), "l").path == "l/0/j"
    assert next_in_loop(running("l/0/i", "l/0/j", items=items), "l").path == "l/1/i"


def test_a_loop_gives_what_the_last_node_of_each_turn_gave() -> None:
    """With the number of its turns."""
    progress = running("l/0/i", "l/0/j", items=["x"])
    output: JsonValue = {"items": [{"at": "l/0/j"}], "count": 1}
    assert next_in_loop(progress, "l") == LoopStep(output=output)


def test_max_iterations_ends_a_loop() -> None:
    """Whatever items are left."""
    progress = running("l/0/i", "l/0/j", items=["x", "y"], max_iterations=1)
    assert next_in_loop(progress, "l").path == ""


@pytest.mark.parametrize(("last", "path"), [(2, "l/1/i"), (3, "")])
def test_a_condition_reads_the_turn_before(last: int, path: str) -> None:
    """In the first turn what a body gave is null."""
    condition = "${index} == 0 || ${j.output.n} < 3"
    progress = running("l/0/i", "l/0/j", output={"n": last}, condition=condition)
    assert next_in_loop(progress, "l").path == path


def test_a_condition_that_cannot_be_computed_ends_the_loop() -> None:
    """And its turn is told."""
    found = next_in_loop(running(condition="${j.output.n} < 3"), "l")
    assert (found.output, found.failed_conditions) == ({"items": [], "count": 0}, ("l/0",))


@pytest.mark.parametrize(
    ("items", "code"),
    [
        ("${a.output.nothing}", RunErrorCode.MISSING_VALUE),
        ("${a.output.at}", RunErrorCode.UNREADABLE),
    ],
)
def test_items_are_a_list(items: str, code: RunErrorCode) -> None:
    """A reference to anything else fails the loop."""
    with pytest.raises(NodeFailed) as unresolved:
        next_in_loop(running(items=items), "l")
    assert unresolved.value.failure.code is code


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("item", "y"),
        ("index", 1),
        ("i.output.at", "l/1/i"),
        ("a.output.at", "a"),
    ],
)
def test_a_body_reads_its_turn_and_what_ran_before_the_loop(text: str, value: JsonValue) -> None:
    """Of other turns it reads nothing."""
    progress = running("l/0/i", "l/0/j", "l/1/i", items=["x", "y"])
    assert values_at(progress, "l/1/j").find(read_reference(text)) == value


def test_a_node_that_a_recovery_skipped_ends_its_turn_as_others_do() -> None:
    """What it gives is null."""
    progress = running("l/0/i", items=["x"])
    skipped = NodeRecord(path="l/0/j", state=NodeState.SKIPPED, skip_reason=SkipReason.RECOVERY)
    nodes = {**progress.nodes, "l/0/j": skipped}
    found = next_in_loop(RunProgress(workflow=progress.workflow, nodes=nodes), "l")
    assert found.output == {"items": [None], "count": 1}
