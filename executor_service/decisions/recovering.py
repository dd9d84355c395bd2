"""What the coordinator does about a node whose retries are spent (section 6.2; D14, D22, D23)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import timedelta

from executor_service.decisions.fail_closed import fail_closed
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.run_effects import JudgedRun, given_up, recovered
from executor_service.decisions.turn_reading import SessionRead, SessionReader
from executor_service.workflows.engine.recoverer import Recovered
from executor_service.workflows.recovery import recovery_decision, replanning_decision
from heartrule.chassis.background import pause_after
from heartrule.domain.decisions import (
    Decision,
    DecisionAuthor,
    DecisionState,
    DecisionType,
    Verdict,
)
from heartrule.domain.errors import NotReady, QuotaSpent, RevisionConflict
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeRecord, RunProgress
from session_store.ports import Store
from session_store.records import DecisionChange
from session_store.records.recoveries import NodeRecovery
from session_store.records.runs import EndedNode, RunEffect, RunLease

_TRIES = 3
_FIRST_PAUSE = timedelta(milliseconds=200)
_LONGEST_PAUSES = 32


class CoordinatorRecoveries:
    """Decides about failed nodes as the coordinator: by their own strategy, through the one gate.

    It is the Recoverer of the runs' driver.
    """

    def __init__(
        self,
        store: Store,
        read_session: SessionReader,
        identify: Callable[[str], str],
        *,
        judging: JudgingBeside,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`read_session` reads what the gate may know; `identify` returns ids of decisions."""
        self._store = store
        self._read_session = read_session
        self._identify = identify
        self._judging = judging
        self._sleep = sleep

    async def recover(self, lease: RunLease, progress: RunProgress, failed: EndedNode) -> Recovered:
        """Judge a recovery, and write the failed attempt, the decision and its effect at once.

        One that is rejected is replaced by a REPLAN_WORKFLOW; as that suggests nothing, or is
        rejected too, the run is failed (RESOLUTIONS D14). While a safety level freezes the session
        nothing is decided: the failure alone is written, and the run waits; whoever takes it later
        asks again, with an attempt that is not `is_spent`, as that was told.

        Raises:
            LeaseLost: Another worker has the run; nothing was written.
            RevisionConflict: The run moved on each time that it was judged.
        """
        run = JudgedRun(run_id=lease.run_id, token=lease.token, progress=progress)
        for _ in range(_TRIES - 1):
            try:
                return await self._written(lease, run, failed)
            except RevisionConflict:
                continue
        return await self._written(lease, run, failed)

    async def _written(self, lease: RunLease, run: JudgedRun, ended: EndedNode) -> Recovered:
        found = await self._read_session(lease.key, "")
        changes, effect = await self._decided(run, ended.record, found)
        failed = ended if ended.is_spent else None
        recovery = NodeRecovery(failed=failed, decisions=changes, effect=effect)
        try:
            written = await self._store.decide_recovery(lease, recovery)
        except NotReady as error:
            if error.reason != "SESSION_FROZEN":
                raise
            if failed is None:
                return Recovered()
            written = await self._store.end_node(lease, failed)
            return Recovered(events=written.events)
        return Recovered(effect=effect, events=written.events)

    async def _decided(
        self, run: JudgedRun, record: NodeRecord, found: SessionRead
    ) -> tuple[tuple[DecisionChange, ...], RunEffect]:
        """Return what is decided, in order, and what takes effect of it."""
        decision_id = self._identify("dec")
        # The NodeExecutionFailed that it answers: an event has no id of its own.
        cause = f"{run.run_id}/{record.path}/{record.attempt}"
        payload = recovery_decision(run.progress, record, found.policy.default_recovery)
        recovery = _made(DecisionType.ERROR_RECOVERY, payload, decision_id, cause)
        verdict = await self._verdict(recovery, run, found)
        if verdict.is_valid:
            effect = fail_closed("executors", lambda: recovered(run, _object(verdict.payload)))
            if isinstance(effect, RunEffect):
                return (_judged(recovery, verdict),), effect
            verdict = Verdict.refusing(recovery.payload, effect)
        payload = replanning_decision(run.progress, record)
        replan = _made(DecisionType.REPLAN_WORKFLOW, payload, self._identify("dec"), decision_id)
        replan = replace(replan, correlation_id=decision_id)
        judged_anew = await self._verdict(replan, run, found)
        changes = (_judged(recovery, verdict), _judged(replan, judged_anew))
        return changes, given_up(run, record.path)

    async def _verdict(self, decision: Decision, run: JudgedRun, found: SessionRead) -> Verdict:
        """Return the verdict; while too much is being judged, wait: the run's deadline ends it."""
        ground = found.ground.of_run(run.progress.workflow)
        failures = 0
        while True:
            try:
                return (await self._judging.judged(decision, ground, found.policy)).verdict
            except QuotaSpent:
                failures += 1
                pause = pause_after(failures, first=_FIRST_PAUSE, most=_LONGEST_PAUSES)
                await self._sleep(pause.total_seconds())


def _made(
    kind: DecisionType, payload: Mapping[str, JsonValue], decision_id: str, cause: str
) -> Decision:
    """Return a decision of the coordinator."""
    return Decision(
        decision_id=decision_id,
        correlation_id=decision_id,
        decision_type=kind,
        payload=payload,
        author=DecisionAuthor.COORDINATOR,
        causation_id=cause,
    )


def _judged(decision: Decision, verdict: Verdict) -> DecisionChange:
    state = DecisionState.DONE if verdict.is_valid else DecisionState.REJECTED
    return DecisionChange(decision=decision, state=state, verdict=verdict)


def _object(payload: JsonValue) -> Mapping[str, JsonValue]:
    assert isinstance(payload, Mapping), "a valid payload is an object"
    return payload
