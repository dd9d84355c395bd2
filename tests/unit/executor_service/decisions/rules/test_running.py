"""EXECUTE_WORKFLOW, ERROR_RECOVERY, REPLAN_WORKFLOW and SPAWN_SUBAGENT against the session."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.decisions.ground import Ground
from executor_service.decisions.policy import DecisionPolicy
from heartrule.domain.decisions import Correction, FindingCode
from heartrule.domain.workflows import NodeType, WorkflowStatus
from session_store.records.spending import SpentSoFar
from tests.support.decision_examples import changed, example, part_at
from tests.support.gate_ground import GROUND, a_new_node, judged, printed, refused, with_sales
from tests.support.workflow_builders import a_loop, a_node, a_plan

UNKNOWN = FindingCode.UNKNOWN_REFERENCE
EXECUTE, RECOVER = "002-04-execute-workflow", "002-08-error-recovery"
REPLAN, SPAWN = "002-09-replan-workflow", "002-10-spawn-subagent"


@pytest.mark.parametrize("name", [EXECUTE, RECOVER, REPLAN])
def test_the_workflow_is_one_of_the_session(name: str) -> None:
    """Another id is an unknown reference, and nothing else is told."""
    assert refused(printed(name), Ground()) == [(UNKNOWN, "workflow_id")]


@pytest.mark.parametrize("status", WorkflowStatus)
def test_a_workflow_runs_when_it_is_ready_or_has_run(status: WorkflowStatus) -> None:
    """A draft, a running and a failed one do not (section 2.4)."""
    can_run = status in {WorkflowStatus.READY, WorkflowStatus.COMPLETED}
    found = [] if can_run else [(FindingCode.INVALID_STATE, "workflow_id")]
    assert refused(example(EXECUTE), with_sales(status=status)) == found


def test_what_the_installation_lost_since_stops_a_run() -> None:
    """A workflow of yesterday is judged by the sandboxes and secrets of today."""
    plan = replace(a_plan(a_node("a", NodeType.PYTHON)), status=WorkflowStatus.READY)
    payload = {"action_type": "execute_workflow", "workflow_id": "w"}
    assert refused(payload, replace(GROUND, workflows=(plan,))) == []
    found = refused(payload, Ground(workflows=(plan,)))
    assert found == [(FindingCode.FORBIDDEN_OPERATION, "workflow_id")]


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("input_params.date_range", 3, FindingCode.WRONG_TYPE),
        ("input_params.date_range", ..., FindingCode.MISSING_FIELD),
    ],
)
def test_inputs_are_those_of_the_workflow(path: str, value: object, code: FindingCode) -> None:
    """Required ones are there, and each is of its type (D24)."""
    assert refused(changed(EXECUTE, path, value)) == [(code, path)]


def test_an_input_that_is_only_used_is_required_too() -> None:
    """Every `${input.x}` is an input of the workflow (D24)."""
    node = a_node("a", prompt="Say ${input.word}.")
    plan = replace(a_plan(node), status=WorkflowStatus.READY)
    payload = {"action_type": "execute_workflow", "workflow_id": "w"}
    ground = replace(GROUND, workflows=(plan,))
    assert refused(payload, ground) == [(FindingCode.MISSING_FIELD, "input_params.word")]
    assert refused({**payload, "input_params": {"word": "hi"}}, ground) == []


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("failed_node_id", "node_9", UNKNOWN),
        ("recovery_plan.alternative_node", "node_9", UNKNOWN),
        ("recovery_plan.alternative_node", "node_1", FindingCode.CONFLICT),
        ("recovery_plan.max_attempts", ..., FindingCode.MISSING_CONDITIONAL),
    ],
)
def test_a_recovery_names_what_is_there(path: str, value: object, code: FindingCode) -> None:
    """The failed node, and another one in its place (section 2.8, D29)."""
    assert refused(changed(RECOVER, path, value)) == [(code, path)]


def test_a_recovery_changes_no_field_that_the_node_does_not_have() -> None:
    """Its modifications are those of MODIFY_NODE, at their own path."""
    changes = {"config.timeout": 60, "config.colour": 1}
    verdict = judged(changed(RECOVER, "recovery_plan.modifications", changes))
    path = "recovery_plan.modifications.config.colour"
    assert verdict.corrections == (Correction(path=path, before=1, is_removed=True),)


def a_recovery(ground_node: str, **plan: Any) -> list[tuple[FindingCode, str]]:
    """Return what is refused of a recovery in a plan with a loop `l`, its body `i`, and `a`."""
    plan_ = a_plan(a_node("a"), a_loop("l", a_node("i", NodeType.HTTP), items=["x"]), edges=["a>l"])
    payload = {
        "action_type": "error_recovery",
        "workflow_id": "w",
        "failed_node_id": ground_node,
        "failure_reason": "none",
        "recovery_plan": plan,
        "execution_context": {"retry_count": 1},
    }
    return refused(payload, replace(GROUND, workflows=(plan_,)))


def test_a_node_of_a_loop_recovers_as_others_do() -> None:
    """By its id; what is wrong with its modifications is told at their path."""
    path = "recovery_plan.modifications.config.method"
    assert a_recovery("i", action="MODIFY", modifications={"config.timeout": 9}) == []
    found = a_recovery("i", action="MODIFY", modifications={"config.method": "SHOUT"})
    assert found == [(FindingCode.BAD_ENUM, path)]


def test_no_loop_stands_in_for_a_node_of_a_loop() -> None:
    """There is no loop in a loop's body."""
    path = "recovery_plan.alternative_node"
    assert a_recovery("i", action="SKIP", alternative_node="a") == []
    found = a_recovery("i", action="SKIP", alternative_node="l")
    assert found == [(FindingCode.CONFLICT, path)]


def test_modifications_are_those_of_what_runs_in_the_failed_ones_place() -> None:
    """An LLM node has no method, though the failed one has (D29)."""
    changes = {"config.temperature": 1}
    assert a_recovery("i", action="MODIFY", modifications=changes, alternative_node="a") == []


def test_an_unknown_sub_agent_is_refused() -> None:
    """Only registered types are spawned (section 2.10)."""
    assert refused(changed(SPAWN, "subagent_type", "hacker")) == [(UNKNOWN, "subagent_type")]


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("task_payload.query", ..., FindingCode.MISSING_FIELD),
        ("task_payload.query", 3, FindingCode.WRONG_TYPE),
        ("task_payload.max_results", True, FindingCode.WRONG_TYPE),
    ],
)
def test_a_task_is_what_the_type_takes(path: str, value: object, code: FindingCode) -> None:
    """Its fields are there, and of their types."""
    assert refused(changed(SPAWN, path, value)) == [(code, path)]


def test_three_point_zero_is_a_whole_number() -> None:
    """Numbers that came in a Struct are all floats (R7)."""
    assert refused(changed(SPAWN, "task_payload.max_results", 3.0)) == []


def test_a_session_has_no_more_than_200_sub_agents_waiting() -> None:
    """One more is refused, whatever its task."""
    assert refused(example(SPAWN), replace(GROUND, subagents_waiting=199)) == []
    found = refused(example(SPAWN), replace(GROUND, subagents_waiting=200))
    assert found == [(FindingCode.OUT_OF_RANGE, "subagent_type")]


def test_without_a_token_left_no_sub_agent_begins() -> None:
    """How many it needs is known when it asks; one must be left."""
    policy = DecisionPolicy(llm_tokens_per_session=100)
    spent = replace(GROUND, spent=SpentSoFar(llm_tokens=100))
    assert refused(example(SPAWN), spent, policy) == [(FindingCode.OUT_OF_RANGE, "subagent_type")]


def a_loop_of_calls() -> Any:
    return a_loop("l", a_node("b", NodeType.HTTP), items=["x"], max_iterations=5)


def test_a_run_keeps_within_what_is_left_of_the_sessions_calls() -> None:
    """A loop counts as often as it may run (section 3.2.3)."""
    plan = replace(a_plan(a_loop_of_calls()), status=WorkflowStatus.READY)
    ground = replace(GROUND, workflows=(plan,), spent=SpentSoFar(api_calls=6))
    payload = {"action_type": "execute_workflow", "workflow_id": "w"}
    assert refused(payload, ground, DecisionPolicy(api_calls_per_session=11)) == []
    found = refused(payload, ground, DecisionPolicy(api_calls_per_session=10))
    assert found == [(FindingCode.OUT_OF_RANGE, "workflow_id")]


def test_a_tenant_without_a_call_left_in_this_minute_calls_nothing() -> None:
    """The count of the minute is the tenant's (section 3.2.2)."""
    ground = replace(GROUND, spent=SpentSoFar(tenant_api_calls=60))
    found = refused(example(EXECUTE), ground, DecisionPolicy(api_calls_per_minute=60))
    assert found == [(FindingCode.OUT_OF_RANGE, "workflow_id")]


def test_a_node_keeps_within_the_sessions_tokens() -> None:
    """What a node may answer at most is counted when it is drafted."""
    payload = a_new_node("LLM", prompt="hello", max_tokens=1000)
    ground = Ground(spent=SpentSoFar(llm_tokens=500))
    assert refused(payload, ground, DecisionPolicy(llm_tokens_per_session=1500)) == []
    found = refused(payload, ground, DecisionPolicy(llm_tokens_per_session=1499))
    assert found == [(FindingCode.OUT_OF_RANGE, "config")]


def replanned(**changes: Any) -> dict[str, Any]:
    """Return the printed re-planning with other changes."""
    return {**printed(REPLAN), "suggested_changes": changes, "preserve_nodes": None}


ADDED: dict[str, Any] = {"type": "DATABASE", "name": "d", "config": {"query": "SELECT 1"}}


def test_an_added_node_takes_the_place_of_the_one_that_was_removed() -> None:
    """It gets the id, and with it the edges and the dependants (D10)."""
    verdict = judged(printed(REPLAN))
    path = "suggested_changes.add_nodes.0.node_id"
    assert verdict.corrections == (Correction(path=path, after="node_1"),)


def test_where_two_were_removed_an_added_node_gets_an_id_of_its_own() -> None:
    """Nobody knows whose place it takes; it may stand without edges (D10)."""
    edges = [{"source": "node_0", "target": "node_4"}]
    verdict = judged(
        replanned(
            remove_nodes=["node_1", "node_2", "node_3"],
            add_nodes=[ADDED, ADDED],
            update_edges=edges,
        )
    )
    assert (verdict.errors, part_at(verdict.payload, "suggested_changes.add_nodes.1.node_id")) == (
        (),
        "added_2",
    )


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"remove_nodes": ["node_9"]}, UNKNOWN, "suggested_changes.remove_nodes.0"),
        (
            {"add_nodes": [{**ADDED, "node_id": "x"}]},
            FindingCode.ORPHAN_NODE,
            "suggested_changes.add_nodes.0",
        ),
        (
            {"add_nodes": [{**ADDED, "node_id": "node_2"}]},
            FindingCode.DUPLICATE_ID,
            "suggested_changes.add_nodes.0.node_id",
        ),
        (
            {"update_edges": [{"source": "node_4", "target": "node_0"}]},
            FindingCode.CYCLE,
            "suggested_changes.update_edges.0",
        ),
        (
            {"update_edges": [{"source": "node_4", "target": "node_9"}]},
            UNKNOWN,
            "suggested_changes.update_edges.0.target",
        ),
    ],
    ids=str,
)
def test_the_result_of_re_planning_is_a_valid_plan(
    changes: dict[str, Any], code: FindingCode, path: str
) -> None:
    """Its findings stand where the change is that brought them (D10)."""
    assert (code, path) in refused(replanned(**changes))


def test_a_node_that_loses_its_edges_is_told_at_the_changes() -> None:
    """It stands in the workflow, and not in the payload."""
    nodes = tuple(map(a_node, ("node_3", "node_4", "node_5", "node_6")))
    edges = a_plan(*nodes, edges=("node_3>node_4", "node_5>node_6")).edges
    found = refused(replanned(remove_nodes=["node_4"]), with_sales(nodes=nodes, edges=edges))
    assert found == [(FindingCode.ORPHAN_NODE, "suggested_changes")]


def test_what_is_preserved_is_there_and_stays() -> None:
    """A preserved node exists and is not removed (section 2.9, D10)."""
    path = "preserve_nodes.1"
    payload = {**printed(REPLAN), "preserve_nodes": ["node_2", "node_9"]}
    assert refused(payload) == [(UNKNOWN, path)]
    conflict = {**printed(REPLAN), "preserve_nodes": ["node_2", "node_1"]}
    assert refused(conflict) == [(FindingCode.CONFLICT, path)]
