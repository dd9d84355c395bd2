"""Operators and agents begin runs, and decide about those that wait, through the same gate."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from executor_service.decisions.effects import Effect
from executor_service.decisions.judging import Judgement
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.run_decisions import RunDecisions
from executor_service.decisions.stored_session import StoredSessions
from heartrule.domain.decisions import DecisionState, FindingCode
from heartrule.domain.errors import RevisionConflict
from heartrule.domain.ids import new_id
from heartrule.domain.runs import NodeState, RunState
from heartrule.domain.workflows import Workflow
from heartrule_cli.rehearsal.inline_pool import InlinePool
from session_store.open import open_in_memory
from session_store.records import DecisionChange, NewRevision
from session_store.records.runs import EndedNode, NewRun, RunEnd, RunPause
from session_store.sql.store import SqlStore
from tests.support.failing_runs import TIMED_OUT, FailingRun, a_failing_run
from tests.support.gate_ground import a_decision
from tests.support.store_decisions import submission
from tests.support.store_runs import node, taken
from tests.support.workflow_builders import a_node

CONTEXT = {"executed_nodes": ["before", "call"], "failed_node_id": "call"}
EXECUTE = {"action_type": "execute_workflow", "workflow_id": "wf_1"}
SKIP = {
    "action_type": "error_recovery",
    "workflow_id": "wf_1",
    "failed_node_id": "call",
    "failure_reason": "no answer in 30 s",
    "recovery_plan": {"action": "SKIP"},
    "execution_context": CONTEXT,
}
REPLAN = {
    "action_type": "replan_workflow",
    "workflow_id": "wf_1",
    "reason": "the service is down",
    "execution_context": CONTEXT,
    "suggested_changes": {
        "remove_nodes": ["call"],
        "add_nodes": [
            {"node_id": "ask", "type": "LLM", "name": "ask", "config": {"prompt": "Guess."}}
        ],
        "update_edges": [
            {"source": "before", "target": "ask"},
            {"source": "ask", "target": "after"},
        ],
    },
    "preserve_nodes": ["before", "after"],
}
PLAIN_REPLAN = {key: value for key, value in REPLAN.items() if key != "suggested_changes"}


@pytest.fixture
async def store() -> AsyncIterator[SqlStore]:
    """A store in memory."""
    made = open_in_memory()
    yield made
    await made.aclose()


async def a_waiting_run(store: SqlStore, **changes: Any) -> FailingRun:
    """Return a run that its worker has let go of, as it waits for a decision about `call`."""
    run = await a_failing_run(store, **changes)
    failed = node("call", NodeState.WAITING_DECISION, failure=TIMED_OUT)
    await store.end_node(run.lease, EndedNode(record=failed, is_spent=True))
    await store.pause_run(run.lease, RunPause(state=RunState.WAITING_DECISION))
    return run


async def decide(run: FailingRun, payload: dict[str, Any]) -> Judgement:
    """Judge an operator's decision, and write what comes of it."""
    decision = replace(a_decision(payload), decision_id=new_id("op"))
    found = await StoredSessions(store=run.store)(run.key, "")
    deciding = RunDecisions(run.store, new_id, judging=JudgingBeside(InlinePool()))
    made = await deciding.decided(run.key, decision, found)
    is_valid = made.verdict.is_valid
    state = DecisionState.DONE if is_valid else DecisionState.REJECTED
    change = DecisionChange(decision=decision, state=state, verdict=made.verdict)
    wanted = await submission(run.store, run.key)
    effect = made.effect or Effect()
    revisions = (NewRevision(workflow=effect.workflow),) if effect.workflow else ()
    await run.store.submit_decision(
        replace(
            wanted,
            change=change,
            workflows=revisions,
            runs=effect.runs,
            run_effects=effect.run_effects,
        )
    )
    return made


def runs(made: Judgement) -> tuple[NewRun, ...]:
    """Return the runs that begin."""
    return made.effect.runs if made.effect else ()


def codes(made: Judgement) -> list[tuple[FindingCode, str]]:
    """Return codes and paths of what is wrong."""
    return [(each.code, each.path) for each in made.verdict.errors]


async def test_a_recovery_takes_effect_on_the_run_that_waits(store: SqlStore) -> None:
    """It is due at once, and whoever takes it goes on behind the node."""
    run = await a_waiting_run(store)
    made = await decide(run, SKIP)
    assert made.verdict.is_valid
    states = {"run": "running", "before": "completed", "call": "skipped"}
    assert await run.states() == states
    assert await store.due_runs(9, again_after=timedelta(minutes=1)) == ("run_1",)


async def test_a_recovery_is_judged_by_the_runs_own_copy(store: SqlStore) -> None:
    """A node that the session's revision lacks may take the failed one's place."""

    def with_spare(plan: Workflow) -> Workflow:
        return replace(plan, nodes=(*plan.nodes, a_node("spare", prompt="Another way.")))

    run = await a_waiting_run(store, copied=with_spare)
    plan = {"action": "RETRY", "max_attempts": 1, "alternative_node": "spare"}
    made = await decide(run, {**SKIP, "recovery_plan": plan})
    assert made.verdict.is_valid
    progress = await store.read_run_progress(run.key, "run_1")
    assert progress.workflow.nodes[1].config["prompt"] == "Another way."


async def test_a_run_that_a_worker_has_is_not_recovered(store: SqlStore) -> None:
    """It moves on by itself: the decision is rejected, and nothing of it takes effect."""
    run = await a_failing_run(store)
    invalid = [(FindingCode.INVALID_STATE, "workflow_id")]
    assert codes(await decide(run, SKIP)) == invalid
    assert codes(await decide(run, REPLAN)) == invalid
    assert (await run.states())["call"] == "running"


async def test_a_node_that_did_not_fail_is_not_recovered(store: SqlStore) -> None:
    """Though the workflow has it."""
    run = await a_waiting_run(store)
    made = await decide(run, {**SKIP, "failed_node_id": "after"})
    assert codes(made) == [(FindingCode.INVALID_STATE, "failed_node_id")]


async def test_a_new_plan_is_a_revision_and_a_run_that_keeps_results(store: SqlStore) -> None:
    """The run that waited has failed; what completed and is preserved does not run again."""
    run = await a_waiting_run(store)
    made = await decide(run, REPLAN)
    assert made.verdict.is_valid
    assert (await run.states())["run"] == "failed"
    assert (await store.get_workflow(run.key, "wf_1")).workflow.revision == 2
    (begun,) = runs(made)
    again = await taken(store, begun.run_id)
    assert {path: each.output for path, each in again.progress.nodes.items()} == {
        "before": {"n": 1}
    }
    assert [each.node_id for each in again.progress.workflow.nodes] == ["before", "after", "ask"]


async def test_a_failed_run_may_be_planned_anew(store: SqlStore) -> None:
    """It stays as it ended."""
    run = await a_failing_run(store)
    end = RunEnd(state=RunState.FAILED, failure=TIMED_OUT)
    await store.finish_run(run.lease, end)
    made = await decide(run, REPLAN)
    assert made.effect is not None
    assert made.effect.run_effects == ()
    assert [each.path for each in made.effect.runs[0].kept] == ["before"]


async def test_results_that_age_has_emptied_are_not_kept(store: SqlStore) -> None:
    """All of the new run's nodes run."""
    run = await a_failing_run(store)
    await store.finish_run(run.lease, RunEnd(state=RunState.FAILED, failure=TIMED_OUT))
    await store.trim_runs(timedelta(seconds=-1))
    made = await decide(run, REPLAN)
    assert made.verdict.is_valid
    assert runs(made)[0].kept == ()


async def test_a_new_plan_without_suggestions_fails_the_run_that_waits(store: SqlStore) -> None:
    """Nobody has said what to do instead (R17)."""
    run = await a_waiting_run(store)
    made = await decide(run, PLAIN_REPLAN)
    assert (made.verdict.is_valid, runs(made)) == (True, ())
    assert (await run.states())["run"] == "failed"


async def test_a_workflow_that_runs_is_not_begun_again(store: SqlStore) -> None:
    """Once it has completed it is; each run is one of its own."""
    run = await a_failing_run(store)
    assert codes(await decide(run, EXECUTE)) == [(FindingCode.INVALID_STATE, "workflow_id")]
    await store.finish_run(run.lease, RunEnd(state=RunState.COMPLETED))
    made = await decide(run, EXECUTE)
    (begun,) = runs(made)
    assert (await store.get_run(run.key, begun.run_id)).run.state is RunState.QUEUED


async def test_what_is_wrong_with_the_payload_is_found_first(store: SqlStore) -> None:
    """With the path, as the gate says it of any decision."""
    run = await a_waiting_run(store)
    made = await decide(run, {**SKIP, "recovery_plan": {"action": "RETRY"}})
    assert codes(made) == [(FindingCode.MISSING_CONDITIONAL, "recovery_plan.max_attempts")]
    assert runs(await decide(run, {**SKIP, "workflow_id": 7})) == ()


async def test_a_decision_about_a_run_that_moved_is_not_written(store: SqlStore) -> None:
    """Whoever judged it judges it again."""
    run = await a_waiting_run(store)
    found = await StoredSessions(store=store)(run.key, "")
    deciding = RunDecisions(store, new_id, judging=JudgingBeside(InlinePool()))
    late = await deciding.decided(run.key, a_decision(SKIP), found)
    await decide(run, SKIP)
    assert late.effect is not None
    wanted = await submission(store, run.key, run_effects=late.effect.run_effects)
    with pytest.raises(RevisionConflict):
        await store.submit_decision(wanted)
