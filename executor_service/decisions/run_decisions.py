"""Decisions of operators and agents that begin runs, or change those that wait (D10, D15, R17)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from executor_service.decisions.decision_case import DecisionCase
from executor_service.decisions.effects import OF_RUNS, Effect
from executor_service.decisions.fail_closed import fail_closed
from executor_service.decisions.judging import Judgement
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.payloads.running import ExecuteWorkflowPayload
from executor_service.decisions.run_effects import (
    BeginningRun,
    JudgedRun,
    begun_run,
    left_behind,
    not_failing,
    recovered,
    replanned,
)
from executor_service.decisions.turn_reading import SessionRead
from heartrule.chassis import telemetry
from heartrule.domain.decisions import Decision, DecisionType, FindingCode, RuleFinding, Verdict
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunProgress, RunState
from session_store.ports import Store
from session_store.records import Page
from session_store.records.kept_runs import KeptRun, RunFilter

_CHANGING = OF_RUNS - {DecisionType.EXECUTE_WORKFLOW}
# A run that a worker has moves on while a decision about it is judged; one that waits does not.
_STATES: Mapping[DecisionType, frozenset[RunState]] = {
    DecisionType.ERROR_RECOVERY: frozenset({RunState.WAITING_DECISION}),
    DecisionType.REPLAN_WORKFLOW: frozenset({RunState.WAITING_DECISION, RunState.FAILED}),
}
_NEWEST = Page(size=1, order_by="create_time desc")


class RunDecisions:
    """Judges decisions that begin runs or change them (`OF_RUNS`), whoever made them."""

    def __init__(
        self, store: Store, identify: Callable[[str], str], *, judging: JudgingBeside
    ) -> None:
        """`identify` returns ids of runs."""
        self._store = store
        self._identify = identify
        self._judging = judging

    async def decided(
        self, key: SessionKey, decision: Decision, found: SessionRead, *, lands_in: str = ""
    ) -> Judgement:
        """Return the verdict and what comes of it; nothing is written.

        A recovery is judged by the run's own copy of its workflow, anything else by the newest
        revision. What moves before it is written makes the write a RevisionConflict, and the
        decision is to be judged again. A run that begins is part of the caller's trace.

        Args:
            key: The session.
            decision: Of one of the types.
            found: The session as it is.
            lands_in: The variable that gets its result; empty: that of the run it replaces, if any.

        Raises:
            QuotaSpent: Too much is being judged.
        """
        kept = await self._newest_run(key, decision)
        run = await self._judged_run(key, kept) if kept is not None else None
        ground = found.ground
        if run is not None and decision.decision_type == DecisionType.ERROR_RECOVERY:
            ground = ground.of_run(run.progress.workflow)
        judgement = await self._judging.judged(decision, ground, found.policy)
        verdict = judgement.verdict
        if not verdict.is_valid:
            return judgement
        case = DecisionCase.of(decision, verdict.payload, ground, found.policy)
        begins = BeginningRun(
            run_id=self._identify("run"),
            decision_id=decision.decision_id,
            traceparent=telemetry.traceparent(),
            lands_in=lands_in,
        )
        made = await asyncio.to_thread(fail_closed, "executors", lambda: _made(case, run, begins))
        if isinstance(made, RuleFinding):
            return Judgement(verdict=Verdict.refusing(decision.payload, made))
        return Judgement(verdict=verdict, effect=made)

    async def _newest_run(self, key: SessionKey, decision: Decision) -> KeptRun | None:
        """Return the newest run of the workflow, where the decision may change it."""
        kind, payload = decision.decision_type, decision.payload
        if kind not in _CHANGING or not isinstance(payload, Mapping):
            return None
        wanted = RunFilter(workflow_id=str(payload.get("workflow_id")))
        newest, _ = await self._store.list_runs(key, _NEWEST, wanted)
        states = _STATES[DecisionType(kind)]
        return next((each for each in newest if each.state in states), None)

    async def _judged_run(self, key: SessionKey, kept: KeptRun) -> JudgedRun:
        progress = await self._store.read_run_progress(key, kept.run_id)
        if kept.is_trimmed:
            # States without their outputs: there is no result to keep.
            progress = RunProgress(workflow=progress.workflow, inputs=progress.inputs)
        return JudgedRun(
            run_id=kept.run_id, token=kept.token, progress=progress, lands_in=kept.lands_in
        )


def _made(case: DecisionCase, run: JudgedRun | None, begins: BeginningRun) -> Effect | RuleFinding:
    """Return what a valid decision does, or why the session's runs do not allow it.

    Its agent waits for a run that goes on, unless it began it as `async`.
    """
    if case.decision_type is DecisionType.EXECUTE_WORKFLOW:
        is_sync = case.read(ExecuteWorkflowPayload).execution_mode == "sync"
        return Effect(runs=(begun_run(case, begins),), waits_for=begins.run_id if is_sync else "")
    if run is None:
        return _no_run(case.decision_type)
    if case.decision_type is DecisionType.ERROR_RECOVERY:
        if wrong := not_failing(run, case.payload):
            return wrong
        after = recovered(run, case.payload)
        return Effect(run_effects=(after,), waits_for="" if after.end else run.run_id)
    begun, over = replanned(case, run, begins), left_behind(run)
    effects = () if over is None else (over,)
    if begun is None:
        return Effect(run_effects=effects)
    return Effect(
        workflow=begun.workflow, runs=(begun,), run_effects=effects, waits_for=begun.run_id
    )


def _no_run(kind: DecisionType) -> RuleFinding:
    has_failed = kind is DecisionType.REPLAN_WORKFLOW
    states = "waits for a decision or has failed" if has_failed else "waits for a decision"
    message = f"workflow_id names a workflow whose newest run is none that {states}"
    rule = "2.9 runs" if has_failed else "2.8 runs"
    return RuleFinding(FindingCode.INVALID_STATE, "workflow_id", message, rule)
