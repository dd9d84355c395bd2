"""Decisions of operators and agents that begin runs, or change those that wait (D10, D15, R17)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from executor_service.decisions.decision_case import DecisionCase
from executor_service.decisions.effects import OF_RUNS
from executor_service.decisions.fail_closed import fail_closed
from executor_service.decisions.judging_beside import JudgingBeside
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
from heartrule.domain.decisions import (
    Decision,
    DecisionType,
    FindingCode,
    RuleFinding,
    Verdict,
)
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunProgress, RunState
from session_store.ports import Store
from session_store.records import NewRevision, Page
from session_store.records.kept_runs import KeptRun, RunFilter
from session_store.records.runs import NewRun, RunEffect

_CHANGING = OF_RUNS - {DecisionType.EXECUTE_WORKFLOW}
# A run that a worker has moves on while a decision about it is judged; one that waits does not.
_STATES: Mapping[DecisionType, frozenset[RunState]] = {
    DecisionType.ERROR_RECOVERY: frozenset({RunState.WAITING_DECISION}),
    DecisionType.REPLAN_WORKFLOW: frozenset({RunState.WAITING_DECISION, RunState.FAILED}),
}
_NEWEST = Page(size=1, order_by="create_time desc")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedRuns:
    """The verdict on a decision about runs, and what is to be written with it."""

    verdict: Verdict
    workflows: tuple[NewRevision, ...] = ()
    runs: tuple[NewRun, ...] = ()
    effects: tuple[RunEffect, ...] = ()


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
        self,
        key: SessionKey,
        decision: Decision,
        found: SessionRead,
        *,
        traceparent: str = "",
        lands_in: str = "",
    ) -> DecidedRuns:
        """Return the verdict and what comes of it; nothing is written.

        A recovery is judged by the run's own copy of its workflow, anything else by the newest
        revision. What moves before it is written makes the write a RevisionConflict, and the
        decision is to be judged again.

        Args:
            key: The session.
            decision: Of one of the types.
            found: The session as it is.
            traceparent: What a run that begins is part of.
            lands_in: The variable that gets its result; empty: that of the run it replaces, if any.

        Raises:
            QuotaSpent: Too much is being judged.
        """
        kept = await self._newest_run(key, decision)
        run = await self._judged_run(key, kept) if kept is not None else None
        ground = found.ground
        if run is not None and decision.decision_type == DecisionType.ERROR_RECOVERY:
            ground = ground.of_run(run.progress.workflow)
        verdict = await self._judging.verdict(decision, ground, found.policy)
        if not verdict.is_valid:
            return DecidedRuns(verdict=verdict)
        case = DecisionCase.of(decision, verdict.payload, ground, found.policy)
        begins = BeginningRun(
            run_id=self._identify("run"),
            decision_id=decision.decision_id,
            traceparent=traceparent,
            lands_in=lands_in,
        )
        made = await asyncio.to_thread(
            fail_closed, "executors", lambda: _made(case, verdict, run, begins)
        )
        if isinstance(made, RuleFinding):
            rejected = Verdict(is_valid=False, payload=decision.payload, errors=(made,))
            return DecidedRuns(verdict=rejected)
        return made

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


def _made(
    case: DecisionCase, verdict: Verdict, run: JudgedRun | None, begins: BeginningRun
) -> DecidedRuns | RuleFinding:
    """Return what a valid decision does, or why the session's runs do not allow it."""
    if case.decision_type is DecisionType.EXECUTE_WORKFLOW:
        return DecidedRuns(verdict=verdict, runs=(begun_run(case, begins),))
    if run is None:
        return _no_run(case.decision_type)
    if case.decision_type is DecisionType.ERROR_RECOVERY:
        wrong = not_failing(run, case.payload)
        return wrong or DecidedRuns(verdict=verdict, effects=(recovered(run, case.payload),))
    begun, over = replanned(case, run, begins), left_behind(run)
    effects = () if over is None else (over,)
    if begun is None:
        return DecidedRuns(verdict=verdict, effects=effects)
    revision = NewRevision(workflow=begun.workflow, decision_id=begins.decision_id)
    return DecidedRuns(verdict=verdict, workflows=(revision,), runs=(begun,), effects=effects)


def _no_run(kind: DecisionType) -> RuleFinding:
    has_failed = kind is DecisionType.REPLAN_WORKFLOW
    states = "waits for a decision or has failed" if has_failed else "waits for a decision"
    return RuleFinding(
        code=FindingCode.INVALID_STATE,
        path="workflow_id",
        message=f"workflow_id names a workflow whose newest run is none that {states}",
        rule="2.8 runs" if not has_failed else "2.9 runs",
    )
