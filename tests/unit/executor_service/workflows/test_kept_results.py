"""What a run of a workflow that was planned anew keeps of the run before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from executor_service.workflows.kept_results import kept_results
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeRecord, NodeState, RunProgress
from heartrule.domain.workflows import Node, NodeType, Workflow
from tests.support.workflow_builders import a_loop, a_node, a_plan

CODE = a_node("sum", NodeType.PYTHON, inputs={"rows": "${data.output.rows}"})
LOOP = a_loop("each", a_node("letter", prompt="Write about ${item} and ${word}."), items=["x"])
PLAN = a_plan(a_node("data"), CODE, LOOP, a_node("end"), edges=["data>sum", "sum>each", "each>end"])
INPUTS: dict[str, JsonValue] = {"word": "rain"}
ALL = ("data", "sum", "each", "end")


def kept(
    new: Workflow = PLAN, preserve: Iterable[str] = ALL, inputs: dict[str, JsonValue] = INPUTS
) -> set[str]:
    """Return the paths that a new run keeps of one in which all but `end` completed."""
    paths = ("data", "sum", "each", "each/0/letter")
    nodes = {path: NodeRecord(path=path, state=NodeState.COMPLETED) for path in paths}
    nodes["end"] = NodeRecord(path="end", state=NodeState.FAILED)
    old = RunProgress(workflow=PLAN, inputs=INPUTS, nodes=nodes)
    return set(kept_results(old, new, inputs, tuple(preserve)))


def with_node(node: Node) -> Workflow:
    nodes = tuple(node if each.node_id == node.node_id else each for each in PLAN.nodes)
    return replace(PLAN, nodes=nodes)


def test_what_completed_and_is_preserved_is_kept() -> None:
    """A loop with its turns; what failed runs again."""
    assert kept() == {"data", "sum", "each", "each/0/letter"}


def test_what_is_not_preserved_runs_again_and_what_reads_it() -> None:
    """A result may be another, and so may all that comes of it."""
    assert kept(preserve=["sum", "each"]) == {"each", "each/0/letter"}


@pytest.mark.parametrize(
    "node",
    [
        a_node("data", prompt="Say more."),
        a_node("data", NodeType.HTTP),
        a_node("data", outputs={"rows": "${data.output.text}"}),
    ],
)
def test_a_changed_node_runs_again(node: Node) -> None:
    """By its type, its configuration, or what it makes of its output."""
    assert "data" not in kept(with_node(node))


def test_names_and_retries_change_nothing() -> None:
    """They are no part of what a node does."""
    node = replace(PLAN.nodes[0], name="other", retry_config={"max_retries": 2})
    assert "data" in kept(with_node(node))


def test_an_input_of_the_run_that_changed_runs_what_reads_it() -> None:
    """In the body of a loop too."""
    assert kept(inputs={"word": "snow"}) == {"data", "sum"}


def test_code_that_finds_another_environment_runs_again() -> None:
    """`env` is what PYTHON nodes see, and no other node."""
    new = replace(PLAN, global_config={"env": {"A": "1"}})
    assert kept(new) == {"data", "each", "each/0/letter"}


def test_what_is_gone_is_not_kept() -> None:
    """The new workflow does not have it."""
    new = a_plan(a_node("data"), a_node("end"), edges=["data>end"])
    assert kept(new) == {"data"}
