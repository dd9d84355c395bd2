"""A failed node becomes a decision of the coordinator's, through the gate (section 6.2)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from executor_service.decisions.policy import DecisionPolicies, DecisionPolicy, DefaultRecovery
from heartrule.domain.decision_events import DecisionMade, DecisionRejected, DecisionValidated
from heartrule.domain.decisions import DecisionAuthor, DecisionState, FindingCode
from heartrule.domain.errors import LeaseLost, RevisionConflict
from heartrule.domain.json_value import JsonValue
from heartrule.domain.run_events import Activity, NodeChanged, NodeExecutionFailed, RunChanged
from heartrule.domain.runs import NodeFailure, NodeState, RunErrorCode, RunState
from heartrule.domain.workflows import Node, Workflow
from session_store.open import open_in_memory
from session_store.records import KeptDecision, Page, SafetyClosing
from session_store.records.runs import RunPause, StartedNode
from session_store.sql.store import SqlStore
from tests.support.decision_examples import part_at
from tests.support.failing_runs import (
    TIMED_OUT,
    ConflictingStore,
    FailingRun,
    a_failing_run,
)
from tests.support.judges import BUSY, FailingPool
from tests.support.store_builders import accept, begun, last_step
from tests.support.store_runs import MINUTE, taken
from tests.support.store_safety import raised
from tests.support.workflow_builders import a_node

BROKEN = NodeFailure(code=RunErrorCode.CODE_ERROR, message="KeyError", is_retryable=False)
# No text: neither decision can say why, so that both are rejected.
SILENT = NodeFailure(code=RunErrorCode.TIMEOUT, message="", is_retryable=True)


def recovering(**plan: Any) -> Node:
    """Return the node that fails, with a recovery of its own."""
    return replace(a_node("call"), on_failure=plan)


NOWHERE = recovering(action="SKIP", alternative_node="nowhere")


@pytest.fixture
async def store() -> AsyncIterator[SqlStore]:
    """A store in memory."""
    made = open_in_memory()
    yield made
    await made.aclose()


async def decisions_of(run: FailingRun) -> list[KeptDecision]:
    """Return what the coordinator decided, in order."""
    kept, _ = await run.store.list_decisions(run.key, Page())
    return [each for each in kept if each.decision.author is DecisionAuthor.COORDINATOR]


async def actions_of(run: FailingRun) -> list[JsonValue]:
    """Return the actions of the recoveries."""
    payloads = (each.decision.payload for each in await decisions_of(run))
    return [part_at(each, "recovery_plan.action") for each in payloads]


async def test_a_failure_is_told_decided_validated_and_takes_effect_at_once(
    store: SqlStore,
) -> None:
    """The sequence of section 6.2, in one transaction; the worker goes on with the node."""
    run = await a_failing_run(store)
    told = await run.recover()
    assert [type(each.body) for each in told.events] == [
        NodeChanged,
        NodeExecutionFailed,
        DecisionMade,
        DecisionValidated,
        NodeChanged,
    ]
    assert await run.states() == {"run": "running", "before": "completed", "call": "retrying"}
    assert told.effect is not None
    (again,) = told.effect.nodes
    assert (again.last_attempt, again.delay_s) == (4, 1.0)
    await store.begin_node(
        run.lease, StartedNode(record=replace(again, state=NodeState.RUNNING, attempt=2))
    )


async def test_the_coordinator_is_the_author_and_the_failure_the_cause(store: SqlStore) -> None:
    """The failure is named by run, node and attempt (D22)."""
    run = await a_failing_run(store)
    await run.recover()
    (kept,) = await decisions_of(run)
    assert (kept.state, kept.turn_id) == (DecisionState.DONE, "")
    assert kept.decision.causation_id == "run_1/call/1"
    assert kept.decision.correlation_id == kept.decision.decision_id
    assert part_at(kept.decision.payload, "failure_reason") == TIMED_OUT.message


async def test_an_invalid_recovery_becomes_a_new_plan_which_suggests_nothing(
    store: SqlStore,
) -> None:
    """Made, rejected, made anew, validated; then the run has failed, and there is no loop (D14)."""
    run = await a_failing_run(store, NOWHERE)
    told = await run.recover()
    assert [type(each.body) for each in told.events] == [
        NodeChanged,
        NodeExecutionFailed,
        DecisionMade,
        DecisionRejected,
        DecisionMade,
        DecisionValidated,
        NodeChanged,
        NodeChanged,
        RunChanged,
        Activity,
    ]
    ended = {"before": "completed", "call": "failed", "after": "cancelled"}
    assert await run.states() == {"run": "failed", **ended}
    recovery, replan = await decisions_of(run)
    assert recovery.verdict is not None
    assert [each.code for each in recovery.verdict.errors] == [FindingCode.UNKNOWN_REFERENCE]
    assert replan.decision.causation_id == recovery.decision.decision_id
    assert replan.decision.correlation_id == recovery.decision.correlation_id


async def test_a_new_plan_that_is_rejected_too_fails_the_run(store: SqlStore) -> None:
    """Both verdicts are told, and the run's failure is the node's (D14)."""
    run = await a_failing_run(store)
    await run.recover(SILENT)
    states = [(str(each.decision.decision_type), each.state) for each in await decisions_of(run)]
    rejected = DecisionState.REJECTED
    assert states == [("error_recovery", rejected), ("replan_workflow", rejected)]
    details = await store.get_run(run.key, "run_1")
    assert (details.run.state, details.run.failure) == (RunState.FAILED, SILENT)
    with pytest.raises(LeaseLost):
        await store.begin_node(run.lease, StartedNode(record=details.nodes[-1].record))


async def test_what_cannot_be_applied_is_rejected_whatever_the_gate_said(store: SqlStore) -> None:
    """An executor that raises has allowed nothing (D21)."""
    run = await a_failing_run(store)
    await run.recover(state=NodeState.FAILED)
    recovery, replan = await decisions_of(run)
    assert recovery.verdict is not None
    assert [each.code for each in recovery.verdict.errors] == [FindingCode.VALIDATOR_ERROR]
    assert (replan.state, (await run.states())["run"]) == (DecisionState.DONE, "failed")


@pytest.mark.parametrize(
    ("failing", "failure", "action"),
    [
        (None, TIMED_OUT, "RETRY"),
        (None, BROKEN, "ABORT"),
        (recovering(action="SKIP"), BROKEN, "SKIP"),
    ],
    ids=["default", "does-not-pass", "own"],
)
async def test_the_strategy_is_the_nodes_else_the_policys(
    store: SqlStore, failing: Node | None, failure: NodeFailure, action: str
) -> None:
    """Where neither says something it is RETRY, and ABORT for what does not pass (D22)."""
    run = await a_failing_run(store, failing)
    await run.recover(failure)
    assert await actions_of(run) == [action]


async def test_the_policy_of_the_tenant_has_a_default_of_its_own(store: SqlStore) -> None:
    """It counts for nodes that say nothing."""
    run = await a_failing_run(store)
    policy = DecisionPolicy(default_recovery=DefaultRecovery(action="SKIP"))
    await run.recover(BROKEN, policies=DecisionPolicies(default=policy))
    assert (await run.states())["call"] == "skipped"


async def test_after_the_attempts_of_a_recovery_the_next_one_is_abort(store: SqlStore) -> None:
    """`max_attempts` counts what comes after the first run; then the run ends (D23, R17)."""
    run = await a_failing_run(store, recovering(action="RETRY", max_attempts=2))
    told = await run.recover()
    assert told.effect is not None
    assert told.effect.nodes[0].last_attempt == 3
    again = replace(told.effect.nodes[0], state=NodeState.RUNNING, attempt=3)
    await store.begin_node(run.lease, StartedNode(record=again))
    over = await run.recover(attempt=3, last_attempt=3)
    assert over.effect is not None
    assert over.effect.end is not None
    assert await actions_of(run) == ["RETRY", "ABORT"]
    failure = (await store.get_run(run.key, "run_1")).run.failure
    assert failure is not None
    assert failure.code is RunErrorCode.ABORTED


async def test_a_recovery_is_judged_by_the_runs_own_copy(store: SqlStore) -> None:
    """A node that an earlier recovery put there is one, whatever the session's revision has."""
    spare = recovering(action="RETRY", max_attempts=1, alternative_node="spare")

    def with_spare(plan: Workflow) -> Workflow:
        return replace(plan, nodes=(*plan.nodes, a_node("spare", prompt="Another way.")))

    run = await a_failing_run(store, spare, copied=with_spare)
    told = await run.recover()
    assert told.effect is not None
    assert told.effect.workflow is not None
    assert told.effect.workflow.nodes[1].config["prompt"] == "Another way."
    assert (await decisions_of(run))[0].state is DecisionState.DONE


async def test_in_a_frozen_session_the_failure_is_told_and_the_run_waits(store: SqlStore) -> None:
    """Nothing is decided while a safety level holds the session."""
    run = await a_failing_run(store)
    await accept(store, run.key, "danger")
    snapshot = await begun(store, run.key)
    await store.commit_step(snapshot.lease, last_step(snapshot, safety=raised()))
    told = await run.recover()
    assert told.effect is None
    assert [type(each.body) for each in told.events] == [NodeChanged, NodeExecutionFailed]
    assert await decisions_of(run) == []
    await store.pause_run(run.lease, RunPause(state=RunState.WAITING_DECISION))
    assert (await run.states())["call"] == "waiting_decision"


async def test_a_run_that_waited_is_decided_about_once_nothing_freezes_the_session(
    store: SqlStore,
) -> None:
    """It is due at once; its failure was told before, and is not told again."""
    run = await a_failing_run(store)
    await accept(store, run.key, "danger")
    snapshot = await begun(store, run.key)
    await store.commit_step(snapshot.lease, last_step(snapshot, safety=raised()))
    await run.recover()
    assert (await run.recover(is_spent=False)).events == ()
    await store.pause_run(run.lease, RunPause(state=RunState.WAITING_DECISION))
    assert await store.due_runs(9, again_after=MINUTE) == ()
    await store.close_safety(run.key, SafetyClosing(operator="ann"))
    assert await store.due_runs(9, again_after=MINUTE) == ("run_1",)
    again = replace(run, lease=(await taken(store)).lease)
    told = await again.recover(is_spent=False)
    assert [type(each.body) for each in told.events] == [
        DecisionMade,
        DecisionValidated,
        NodeChanged,
    ]


async def test_a_decision_that_comes_too_late_is_judged_anew(store: SqlStore) -> None:
    """Three times in all; only the last one is written."""
    run = await a_failing_run(store)
    with pytest.raises(RevisionConflict):
        await run.recover(store=ConflictingStore(store, 3))
    assert await decisions_of(run) == []
    await run.recover(store=ConflictingStore(store, 2))
    assert await actions_of(run) == ["RETRY"]


async def test_busy_judges_are_waited_for(store: SqlStore) -> None:
    """A failed node is no reason to lose the run; each pause is longer than the one before."""
    run = await a_failing_run(store)
    await run.recover(pool=FailingPool(BUSY, times=3))
    assert run.pauses == [0.2, 0.4, 0.8]
    assert await actions_of(run) == ["RETRY"]


async def test_a_run_that_another_worker_took_is_left_alone(store: SqlStore) -> None:
    """Its failure is not written, and nothing is decided about it."""
    run = await a_failing_run(store)
    await store.take_run("run_1", owner="w2")
    with pytest.raises(LeaseLost):
        await run.recover()
    assert await decisions_of(run) == []
