"""A valid decision that drafts makes the next revision of a workflow (RESOLUTIONS D25)."""

from __future__ import annotations

from typing import Any

from executor_service.decisions.decision_case import DecisionCase
from executor_service.decisions.drafting import drafted
from executor_service.decisions.ground import Ground
from heartrule.domain.decisions import DecisionType
from heartrule.domain.workflows import Workflow, WorkflowStatus
from tests.support.decision_examples import example
from tests.support.gate_ground import GROUND, SALES, a_new_node
from tests.support.workflow_builders import a_node, a_plan

WRITER = a_new_node("LLM", model="m", prompt="p")


def made(payload: dict[str, Any], ground: Ground = GROUND) -> Workflow:
    """Return what a payload makes of a session."""
    kind = DecisionType(str(payload["action_type"]))
    return drafted(DecisionCase(decision_type=kind, payload=payload, ground=ground))


def test_a_node_begins_a_draft_where_there_is_none() -> None:
    """One node by itself is a workflow that may run."""
    found = made(WRITER, Ground())
    assert (found.workflow_id, found.revision, found.status) == ("", 1, WorkflowStatus.READY)
    assert [(each.node_id, each.name) for each in found.nodes] == [("node_1", "n")]


def test_a_node_is_added_to_the_newest_draft() -> None:
    """Two nodes without an edge between them may not run yet."""
    draft = a_plan(a_node("a"), revision=4, status=WorkflowStatus.READY)
    found = made(WRITER, Ground(workflows=(SALES, draft)))
    assert (found.workflow_id, found.revision, found.status) == ("w", 5, WorkflowStatus.DRAFT)
    assert [each.node_id for each in found.nodes] == ["a", "node_1"]


def test_what_a_script_brought_is_no_draft() -> None:
    """A node that no edge leads to would only disturb it."""
    ground = Ground(workflows=(SALES,), of_script=frozenset({SALES.workflow_id}))
    assert (made(WRITER, ground).workflow_id, made(WRITER).workflow_id) == (
        "",
        SALES.workflow_id,
    )


def test_a_plan_is_a_workflow_of_its_own() -> None:
    """It is the first revision, whatever else is drafted."""
    found = made(example("002-03-create-workflow-plan"))
    assert (found.workflow_id, found.revision, found.status) == ("", 1, WorkflowStatus.READY)


def test_a_changed_node_makes_a_revision() -> None:
    """The other nodes and the id stay, and the earlier revision is as it was."""
    found = made(example("002-07-modify-node"))
    assert (found.workflow_id, found.revision) == (SALES.workflow_id, SALES.revision + 1)
    assert found.nodes[0] == SALES.nodes[0]
    assert found != SALES
