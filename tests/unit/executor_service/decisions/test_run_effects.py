"""What decisions about runs begin, change and end; documents' examples where there are any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from executor_service.decisions.decision_case import DecisionCase
from executor_service.decisions.ground import Ground
from executor_service.decisions.run_effects import (
    BeginningRun,
    JudgedRun,
    begun_run,
    given_up,
    left_behind,
    not_failing,
    recovered,
    replanned,
)
from heartrule.domain.decisions import DecisionType, FindingCode
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import (
    NodeFailure,
    NodeRecord,
    NodeState,
    RunErrorCode,
    RunProgress,
    RunState,
)
from heartrule.domain.workflows import Workflow, WorkflowStatus
from tests.support.decision_examples import example
from tests.support.gate_ground import GROUND, SALES, judged, printed, with_sales
from tests.support.workflow_builders import a_loop, a_node, a_plan

BEGINS = BeginningRun(run_id="run_2", decision_id="dec_2", traceparent="00-a-b-01")
TIMED_OUT = NodeFailure(code=RunErrorCode.TIMEOUT, message="no answer", is_retryable=True)
EXECUTE = example("002-04-execute-workflow")
REPLAN = printed("002-09-replan-workflow")


def a_case(payload: Mapping[str, Any], ground: Ground = GROUND) -> DecisionCase:
    """Return a valid decision with its effective payload."""
    verdict = judged(payload, ground)
    assert verdict.is_valid, verdict.errors
    assert isinstance(verdict.payload, Mapping)
    kind = DecisionType(payload["action_type"])
    return DecisionCase(decision_type=kind, payload=verdict.payload, ground=ground)


def failing(path: str) -> NodeRecord:
    """Return a node that waits for a decision."""
    return NodeRecord(path=path, state=NodeState.WAITING_DECISION, failure=TIMED_OUT)


def completed(path: str) -> NodeRecord:
    """Return a node that ended well."""
    return NodeRecord(path=path, state=NodeState.COMPLETED, output={"data": path})


def a_run(*records: NodeRecord, workflow: Workflow = SALES) -> JudgedRun:
    """Return a run whose nodes stand like this."""
    nodes = {each.path: each for each in records}
    progress = RunProgress(workflow=workflow, inputs={"date_range": "may"}, nodes=nodes)
    return JudgedRun(run_id="run_1", token=7, progress=progress)


def a_recovery(node_id: str = "node_1", **plan: JsonValue) -> dict[str, JsonValue]:
    """Return the payload of a recovery."""
    return {"failed_node_id": node_id, "recovery_plan": plan}


def test_a_workflow_that_is_executed_begins_a_run_of_its_newest_revision() -> None:
    """With the inputs that are given; it may take an hour, and the client hears of it."""
    run = begun_run(a_case(EXECUTE), BEGINS)
    assert (run.run_id, run.decision_id, run.traceparent) == ("run_2", "dec_2", "00-a-b-01")
    assert (run.workflow, run.inputs) == (SALES, EXECUTE["input_params"])
    assert (run.timeout, run.is_announced, run.kept) == (timedelta(hours=1), True, ())


def test_the_workflow_says_how_long_and_the_decision_whether_it_is_announced() -> None:
    """`global_config.timeout` is in seconds."""
    quiet = {**EXECUTE, "notify_on_completion": False}
    run = begun_run(a_case(quiet, with_sales(global_config={"timeout": 90})), BEGINS)
    assert (run.timeout, run.is_announced) == (timedelta(seconds=90), False)


def test_a_retry_changes_the_failed_node_alone_and_wakes_the_run_after_its_delay() -> None:
    """The run's copy of the workflow stays, as nothing modifies it."""
    run = a_run(completed("node_0"), failing("node_1"))
    effect = recovered(run, a_recovery(action="RETRY", max_attempts=3, delay=5.0))
    assert (effect.run_id, effect.token, effect.workflow, effect.end) == ("run_1", 7, None, None)
    assert [(each.path, each.state, each.last_attempt) for each in effect.nodes] == [
        ("node_1", NodeState.RETRYING, 4)
    ]
    assert effect.wake_after == timedelta(seconds=5)


def test_a_modification_changes_the_runs_own_copy() -> None:
    """As scenario 8 prints it: a retry with a longer timeout."""
    effect = recovered(a_run(failing("node_1")), a_case(example("002-08-error-recovery")).payload)
    assert effect.workflow is not None
    assert effect.workflow.nodes[1].config["timeout"] == 60
    assert SALES.nodes[1].config["timeout"] == 30


def test_a_node_that_is_skipped_lets_the_run_go_on_at_once() -> None:
    """Its output is null."""
    effect = recovered(a_run(failing("node_1")), a_recovery(action="SKIP"))
    assert [each.state for each in effect.nodes] == [NodeState.SKIPPED]
    assert (effect.wake_after, effect.end) == (timedelta(0), None)


def test_an_abort_ends_the_run_with_all_that_has_not_ended() -> None:
    """The node failed, what runs beside it and what was to come is cancelled."""
    beside = NodeRecord(path="node_0", state=NodeState.RUNNING)
    effect = recovered(a_run(beside, failing("node_1")), a_recovery(action="ABORT"))
    assert effect.end is not None
    assert effect.nodes == ()
    assert effect.end.failure is not None
    assert (effect.end.state, effect.end.failure.code) == (RunState.FAILED, RunErrorCode.ABORTED)
    states = {each.path: each.state.value for each in effect.end.nodes}
    others = ("node_0", "node_2", "node_3", "node_4")
    assert states == {"node_1": "failed", **dict.fromkeys(others, "cancelled")}


def test_a_run_that_is_given_up_has_the_failure_of_its_node() -> None:
    """In the body of a loop the loop fails with it (D14)."""
    plan = a_plan(a_loop("loop", a_node("inner"), items=["x"]))
    loop = NodeRecord(path="loop", state=NodeState.RUNNING)
    effect = given_up(a_run(loop, failing("loop/0/inner"), workflow=plan), "loop/0/inner")
    assert effect.end is not None
    assert effect.end.failure == TIMED_OUT
    states = {each.path: each.state for each in effect.end.nodes}
    assert states == {"loop/0/inner": NodeState.FAILED, "loop": NodeState.FAILED}


@pytest.mark.parametrize("record", [completed("node_1"), failing("node_2")])
def test_a_node_that_waits_for_nothing_is_not_recovered(record: NodeRecord) -> None:
    """The gate judges by the workflow; whether the run has failed there is another question."""
    found = not_failing(a_run(record), a_recovery(action="SKIP"))
    assert found is not None
    assert (found.code, found.path) == (FindingCode.INVALID_STATE, "failed_node_id")
    assert not_failing(a_run(failing("node_1")), a_recovery(action="SKIP")) is None


def test_a_new_plan_is_a_run_of_a_new_revision() -> None:
    """As scenario 9 prints it; the inputs are those of the run before (D10)."""
    made = replanned(a_case(REPLAN), a_run(completed("node_0"), failing("node_1")), BEGINS)
    assert made is not None
    assert (made.workflow.revision, made.workflow.status) == (2, WorkflowStatus.READY)
    assert "DATABASE" in {each.type.value for each in made.workflow.nodes}
    assert (made.run_id, made.replaces) == ("run_2", "run_1")
    assert made.inputs == {"date_range": "may"}


def test_a_new_run_keeps_what_is_preserved_and_reads_the_same() -> None:
    """What read the failed node runs again, preserved or not."""
    preserving = {**REPLAN, "preserve_nodes": ["node_0", "node_2", "node_3"]}
    records = (completed("node_0"), failing("node_1"), completed("node_2"), completed("node_3"))
    made = replanned(a_case(preserving), a_run(*records), BEGINS)
    assert made is not None
    assert [each.path for each in made.kept] == ["node_0", "node_3"]


def test_the_run_before_fails_where_it_still_waits() -> None:
    """One that has failed by then stays as it ended."""
    effect = left_behind(a_run(failing("node_1")))
    assert effect is not None
    assert effect.end is not None
    assert effect.end.failure == TIMED_OUT
    assert left_behind(a_run(replace(failing("node_1"), state=NodeState.FAILED))) is None


def test_a_new_plan_that_suggests_nothing_makes_nothing() -> None:
    """Somebody has to plan."""
    silent = {key: value for key, value in REPLAN.items() if key != "suggested_changes"}
    assert replanned(a_case(silent), a_run(failing("node_1")), BEGINS) is None


def test_a_decision_about_a_run_is_judged_by_its_own_copy() -> None:
    """It stands in place of the session's revision; other workflows stay."""
    other = replace(SALES, workflow_id="other")
    copy = replace(SALES, nodes=SALES.nodes[:1], edges=())
    ground = replace(GROUND, workflows=(SALES, other)).of_run(copy)
    assert ground.workflow(SALES.workflow_id) == copy
    assert ground.workflow("other") == other
