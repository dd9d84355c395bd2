"""What becomes of a node that failed: its retries, the coordinator's decision, and its effect."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.decisions.payloads.payload_types import parse_payload
from executor_service.workflows.graph import node_at
from executor_service.workflows.recovery import (
    apply_recovery,
    failing_path,
    recovery_decision,
    replanning_decision,
    retry_delay,
)
from executor_service.workflows.recovery_plan import RecoveryPlan
from heartrule.domain.decisions import DecisionType
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import (
    NodeFailure,
    NodeRecord,
    NodeState,
    RunErrorCode,
    RunProgress,
    SkipReason,
)
from heartrule.domain.workflows import Node, NodeType
from tests.support.workflow_builders import a_loop, a_node, a_plan

DEFAULT = RecoveryPlan(action="RETRY", max_attempts=3, delay=1)
TIMEOUT = NodeFailure(code=RunErrorCode.TIMEOUT, message="no answer within 30 s", is_retryable=True)
BROKEN = NodeFailure(code=RunErrorCode.CODE_ERROR, message="KeyError", is_retryable=False)
HTTP = a_node("call", NodeType.HTTP)


def failing(attempt: int = 1, failure: NodeFailure = TIMEOUT, **changes: Any) -> NodeRecord:
    waiting = NodeState.WAITING_DECISION
    record = NodeRecord(path="call", state=waiting, attempt=attempt, failure=failure)
    return replace(record, **changes)


def a_run(record: NodeRecord, *others: NodeRecord, node: Node = HTTP) -> RunProgress:
    plan = a_plan(a_node("before"), node, a_node("spare"), edges=["before>call", "before>spare"])
    before = NodeRecord(path="before", state=NodeState.COMPLETED, output={"n": 1})
    return RunProgress(workflow=plan, nodes={each.path: each for each in (before, record, *others)})


def decided(progress: RunProgress, **plan: JsonValue) -> RunProgress:
    return apply_recovery(progress, {"failed_node_id": "call", "recovery_plan": plan})


def plan_for(record: NodeRecord, node: Node = HTTP, default: RecoveryPlan = DEFAULT) -> JsonValue:
    return recovery_decision(a_run(record, node=node), record, default)["recovery_plan"]


def test_a_node_is_tried_again_after_growing_delays() -> None:
    """Each is double the one before, and a minute at most."""
    node = replace(HTTP, retry_config={"max_retries": 4, "retry_delay": 20})
    delays = [retry_delay(node, failing(attempt)) for attempt in range(1, 6)]
    assert delays == [20, 40, 60, 60, None]


@pytest.mark.parametrize("retries", [None, {"retry_delay": 1}, {"max_retries": 0}])
def test_a_node_that_asks_for_no_retries_has_none(retries: dict[str, JsonValue] | None) -> None:
    """Then a decision is due at once."""
    assert retry_delay(replace(HTTP, retry_config=retries), failing()) is None


def test_what_does_not_pass_is_not_tried_again() -> None:
    """Unless a recovery says so: its attempts count, whatever they fail with."""
    node = replace(HTTP, retry_config={"max_retries": 4})
    assert retry_delay(node, failing(failure=BROKEN)) is None
    assert retry_delay(node, failing(2, BROKEN, last_attempt=3, delay_s=5.0)) == 5.0
    assert retry_delay(node, failing(3, BROKEN, last_attempt=3, delay_s=5.0)) is None


def test_a_decision_has_the_form_of_scenario_8() -> None:
    """Every field that is printed there, and the gate's schema accepts it."""
    record = failing(attempt=2)
    payload = recovery_decision(a_run(record), record, DEFAULT)
    assert payload == {
        "action_type": "error_recovery",
        "workflow_id": "w",
        "failed_node_id": "call",
        "failure_reason": "no answer within 30 s",
        "error_code": "TIMEOUT",
        "recovery_plan": {"action": "RETRY", "delay": 1.0, "max_attempts": 3},
        "execution_context": {
            "executed_nodes": ["before", "call"],
            "node_outputs": {"before": {"status": "completed"}},
            "retry_count": 1,
        },
    }
    assert not isinstance(parse_payload(DecisionType.ERROR_RECOVERY, payload), tuple)


def test_the_strategy_is_the_nodes_own_or_the_policys() -> None:
    """A default RETRY is ABORT for what does not pass; what a node says itself holds for all."""
    assert plan_for(failing(), replace(HTTP, on_failure={"action": "SKIP"})) == {"action": "SKIP"}
    assert plan_for(failing(failure=BROKEN)) == {"action": "ABORT"}
    skip = RecoveryPlan(action="SKIP")
    assert plan_for(failing(failure=BROKEN), default=skip) == {"action": "SKIP"}
    again: dict[str, JsonValue] = {"action": "RETRY", "max_attempts": 1}
    assert plan_for(failing(failure=BROKEN), replace(HTTP, on_failure=again)) == again


def test_a_recovery_that_is_spent_ends_in_abort() -> None:
    """Whatever the node's strategy says (R17)."""
    node = replace(HTTP, on_failure={"action": "RETRY", "max_attempts": 3})
    assert plan_for(failing(4, last_attempt=4), node) == {"action": "ABORT"}


def test_after_an_invalid_recovery_a_new_plan_is_asked_for() -> None:
    """The decision tells what failed, as section 2.9 wants it (D14)."""
    record = failing(attempt=3)
    payload = replanning_decision(a_run(record), record)
    context = payload["execution_context"]
    assert isinstance(context, dict)
    assert context["node_outputs"]["call"] == {"status": "failed", "error": "TIMEOUT"}
    assert context["failed_attempts"] == 3
    assert not isinstance(parse_payload(DecisionType.REPLAN_WORKFLOW, payload), tuple)


def test_retry_adds_attempts_with_their_delay() -> None:
    """With the modifications that scenario 8 prints, made in the run's own copy."""
    plan: dict[str, JsonValue] = {"max_attempts": 3, "delay": 5.0}
    plan["modifications"] = {"config.timeout": 60}
    progress = decided(a_run(failing(attempt=2)), action="RETRY", **plan)
    record = progress.nodes["call"]
    assert (record.state, record.last_attempt, record.delay_s) == (NodeState.RETRYING, 5, 5.0)
    assert node_at(progress.workflow, "call").config["timeout"] == 60


def test_modify_adds_one_attempt() -> None:
    """Unless it says more."""
    changes: JsonValue = {"config.method": "POST"}
    progress = decided(a_run(failing(attempt=2)), action="MODIFY", modifications=changes)
    assert progress.nodes["call"].last_attempt == 3
    assert node_at(progress.workflow, "call").config["method"] == "POST"


def test_skip_leaves_the_node_out() -> None:
    """Its output is null, and the run goes on."""
    record = decided(a_run(failing()), action="SKIP").nodes["call"]
    assert (record.state, record.skip_reason) == (NodeState.SKIPPED, SkipReason.RECOVERY)
    assert record.output is None


def test_abort_fails_the_node() -> None:
    """And with it the run."""
    assert decided(a_run(failing()), action="ABORT").nodes["call"].state is NodeState.FAILED


def test_an_alternative_that_has_run_gives_its_output() -> None:
    """Under the failed node's id (D29)."""
    spare = NodeRecord(path="spare", state=NodeState.COMPLETED, output={"n": 7})
    progress = a_run(failing(), spare)
    after = decided(progress, action="RETRY", max_attempts=1, alternative_node="spare")
    record = after.nodes["call"]
    assert (record.state, record.output) == (NodeState.COMPLETED, {"n": 7})


@pytest.mark.parametrize("action", ["RETRY", "SKIP", "MODIFY"])
def test_an_alternative_that_has_not_run_takes_the_place(action: str) -> None:
    """The failed node does what it does, as its modifications say; its own place stays (D29)."""
    spare = a_node("spare", outputs={"n": "${spare.output.text}"}, prompt="Say 7.")
    progress = a_run(failing())
    nodes = (*progress.workflow.nodes[:2], spare)
    progress = replace(progress, workflow=replace(progress.workflow, nodes=nodes))
    changes: JsonValue = {"config.temperature": 0} if action == "MODIFY" else None
    after = decided(
        progress, action=action, max_attempts=1, alternative_node="spare", modifications=changes
    )
    node = node_at(after.workflow, "call")
    assert (node.type, node.config["prompt"]) == (NodeType.LLM, "Say 7.")
    assert node.output_mapping == {"n": "${call.output.text}"}
    assert ("temperature" in node.config) == (action == "MODIFY")
    assert after.nodes["call"].state is NodeState.RETRYING
    assert after.state("spare") is NodeState.PENDING


def in_a_loop() -> RunProgress:
    plan = a_plan(a_loop("l", a_node("call", NodeType.HTTP), items=[1, 2]))
    inner = [
        NodeRecord(path="l/0/call", state=NodeState.COMPLETED, output={"n": 1}),
        failing(path="l/1/call"),
    ]
    loop = NodeRecord(path="l", state=NodeState.RUNNING)
    return RunProgress(workflow=plan, nodes={each.path: each for each in (loop, *inner)})


def test_a_node_of_a_body_recovers_in_its_turn() -> None:
    """Other turns stay as they are; a modification is the body's from now on."""
    progress = in_a_loop()
    assert failing_path(progress, "call") == "l/1/call"
    skipped = decided(progress, action="SKIP")
    assert skipped.nodes["l/1/call"].skip_reason is SkipReason.RECOVERY
    assert skipped.nodes["l/0/call"] == progress.nodes["l/0/call"]
    changed = decided(progress, action="MODIFY", modifications={"config.timeout": 9})
    assert node_at(changed.workflow, "l/1/call").config["timeout"] == 9


def test_abort_in_a_body_fails_the_loop() -> None:
    """With the same failure."""
    after = decided(in_a_loop(), action="ABORT")
    assert after.nodes["l"].state is after.nodes["l/1/call"].state is NodeState.FAILED
    assert after.nodes["l"].failure == TIMEOUT


def test_a_loop_that_is_changed_runs_its_turns_anew() -> None:
    """Their results are of another loop; without a change they are kept."""
    progress = in_a_loop()
    nodes = {
        "l/0/call": progress.nodes["l/0/call"],
        "l": replace(progress.nodes["l"], state=NodeState.WAITING_DECISION, failure=BROKEN),
    }
    progress = replace(progress, nodes=nodes)
    plan: dict[str, JsonValue] = {"action": "RETRY", "max_attempts": 1}
    kept = apply_recovery(progress, {"failed_node_id": "l", "recovery_plan": plan})
    assert kept.state("l/0/call") is NodeState.COMPLETED
    plan["modifications"] = {"config.items": [3]}
    anew = apply_recovery(progress, {"failed_node_id": "l", "recovery_plan": plan})
    assert anew.state("l/0/call") is NodeState.CANCELLED


def test_only_a_node_that_waits_recovers() -> None:
    """One that ended, or that this run does not have, is nobody's to recover."""
    progress = a_run(failing())
    for node_id in ("before", "nobody"):
        with pytest.raises(LookupError):
            apply_recovery(
                progress, {"failed_node_id": node_id, "recovery_plan": {"action": "SKIP"}}
            )
