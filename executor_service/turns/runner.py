"""Runs one attempt to its end: lease kept, time limited, every failure written down."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta

from executor_service.engine.engine_deps import EngineDeps
from executor_service.engine.run_turn import run_turn, run_without_script
from executor_service.failpoints import Failpoint, Failpoints
from executor_service.hub import SessionHub
from executor_service.ports import ScriptLibrary
from executor_service.turn_stopping import Stopped
from executor_service.turns.attempt import Attempt
from executor_service.turns.stop_registry import StopRegistry
from heartrule.chassis import log_context, telemetry
from heartrule.chassis.errors import model_details, to_problem
from heartrule.domain.errors import (
    DeadlinePassed,
    HeartRuleError,
    LeaseLost,
    PromptTooLong,
    StoreUnavailable,
)
from heartrule.domain.events import Outcome
from session_store.ports import Store
from session_store.records import (
    Lease,
    MonitorTicket,
    MonitorWork,
    StopKind,
    TurnEnd,
    TurnFailure,
    TurnSnapshot,
)

LOG = logging.getLogger(__name__)
# Spans of a turn's actions and model calls; with its own, its rpc's and its analysis', ten.
_MOST_SPANS = 7
# Of a turn's time two seconds, or a quarter where that is less, are left for the commit.
_TO_COMMIT_S = 2.0
_SHARE_TO_STREAM = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerDeps:
    """What every attempt needs."""

    store: Store
    hub: SessionHub
    stops: StopRegistry
    scripts: ScriptLibrary
    engine: EngineDeps
    failpoints: Failpoints
    hand_over: Callable[[MonitorTicket | MonitorWork], None]
    summarize: Callable[[TurnSnapshot], None]
    """Given the turn, once it has ended, whose prompt was nearly too long."""
    analyst: str = ""
    """The process that claims the analyses of steps; empty: they are claimed when taken up."""
    lease_ttl: timedelta
    turn_timeout: timedelta


class TurnRunner:
    """Runs attempts; it keeps nothing between them."""

    def __init__(self, deps: RunnerDeps) -> None:
        """Use `deps` for every attempt."""
        self._deps = deps

    async def run(self, snapshot: TurnSnapshot) -> bool:
        """Run the attempt; True when a further one may begin at once: inputs wait, or it was left.

        Never raises for what one turn does wrong: a lost lease is left to its new holder, every
        other failure is committed as a FAILED end (RESOLUTIONS C24).
        """
        deps = self._deps
        limit = min(snapshot.turn_timeout or deps.turn_timeout, deps.turn_timeout)
        attempt = Attempt(
            snapshot,
            store=deps.store,
            hub=deps.hub,
            failpoints=deps.failpoints,
            stop=deps.stops.begin(snapshot),
            reply_deadline=asyncio.get_running_loop().time() + _streaming_time(limit),
            analyst=deps.analyst,
        )
        with (
            _turn_span(snapshot) as span,
            log_context.bind(session_id=snapshot.lease.key.session_id, turn_id=snapshot.turn_id),
        ):
            try:
                with telemetry.limited(_MOST_SPANS) as spans:
                    end = await self._guarded(snapshot, attempt, limit)
                _record_end(span, end, spans)
            except LeaseLost:
                LOG.warning("turn preempted", extra={"turn_id": snapshot.turn_id})
                deps.hub.changed(snapshot.lease.key)
                return False
            except Exception as error:  # noqa: BLE001  any failure of a turn becomes its FAILED end
                span.fail(type(error).__name__)
                return await self._fail(snapshot, attempt, error)
            finally:
                deps.stops.end(snapshot)
                for ticket in attempt.owed_analyses():
                    deps.hand_over(ticket)
                if attempt.crowded:
                    deps.summarize(snapshot)
        return end is None or attempt.inputs_waiting

    async def _guarded(
        self, snapshot: TurnSnapshot, attempt: Attempt, limit: timedelta
    ) -> TurnEnd | None:
        """Run the engine while its lease is renewed; the clock or a lost lease ends it."""
        renewal = Renewal(self._deps.store, snapshot.lease, self._deps.lease_ttl)
        clock = asyncio.timeout(limit.total_seconds())
        try:
            async with clock:
                renewal.begin(lambda: _stop(clock))
                return await self._engine(snapshot, attempt)
        except Exception as error:
            if not clock.expired():
                raise
            # A lost lease brings the same timeout forward; `failure` distinguishes the two causes.
            raise renewal.failure or _too_late(limit) from error
        finally:
            await renewal.end()

    async def _engine(self, snapshot: TurnSnapshot, attempt: Attempt) -> TurnEnd | None:
        """Run the engine to the turn's end; None where the turn was left to begin anew."""
        try:
            script = await self._deps.scripts.get(
                snapshot.lease.key.tenant,
                snapshot.script_id,
                snapshot.script_version,
                snapshot.replacements,
            )
        except Exception:  # whatever is wrong with it
            end = await run_without_script(snapshot, self._deps.engine, attempt)
            if end is None:
                raise
            return end
        try:
            return await run_turn(snapshot, script, self._deps.engine, attempt)
        except Stopped as stopped:
            if stopped.request.kind is StopKind.INTERRUPT:
                return await attempt.interrupt()
        await attempt.leave()
        return None

    async def _fail(self, snapshot: TurnSnapshot, attempt: Attempt, error: Exception) -> bool:
        """Commit the failure; where even that fails, the sweep finds the orphan later.

        A turn that was interrupted meanwhile ends as interrupted. True where inputs may wait that
        need not wait for this turn.
        """
        if isinstance(error, HeartRuleError):
            known = model_details(error)
            facts = {"reason": error.reason, "error": error.message}
            LOG.warning("turn failed", extra={**facts, **(known.logged if known else {})})
        try:
            if attempt.stop.interrupted:
                await attempt.interrupt()
                return attempt.inputs_waiting
            self._deps.failpoints.hit(Failpoint.BEFORE_FAILURE)
            failure = _failure(snapshot, attempt, error)
            events = await self._deps.store.fail_turn(snapshot.lease, failure)
            attempt.log.saw_calls(failure.calls)
            attempt.log.tell(Outcome.FAILED)
        except HeartRuleError as second:
            LOG.warning("failure not recorded", extra={"reason": second.reason})
            self._deps.hub.changed(snapshot.lease.key)
            return False
        self._deps.failpoints.hit(Failpoint.AFTER_FAILURE)
        self._deps.hub.publish(snapshot.lease.key, events)
        return failure.is_final


def _failure(snapshot: TurnSnapshot, attempt: Attempt, error: Exception) -> TurnFailure:
    return TurnFailure(
        turn_id=snapshot.turn_id,
        attempt=snapshot.attempt,
        problem=to_problem(error),
        drafts_shown=attempt.drafts_open,
        calls=tuple(attempt.calls),
        degradations=attempt.degradations,
        is_final=isinstance(error, PromptTooLong),
    )


def _streaming_time(limit: timedelta) -> float:
    """Return the seconds a reply on the screen may take; the rest is for keeping it."""
    return max(limit.total_seconds() - _TO_COMMIT_S, limit.total_seconds() * _SHARE_TO_STREAM)


def _stop(clock: asyncio.Timeout) -> None:
    """Expire the time limit now."""
    if not clock.expired():
        clock.reschedule(asyncio.get_running_loop().time())


def _too_late(limit: timedelta) -> DeadlinePassed:
    return DeadlinePassed(
        f"the turn took longer than {limit.total_seconds():g} s",
        reason="TURN_TIMEOUT",
        metadata={"stage": "turn"},
    )


def _turn_span(snapshot: TurnSnapshot) -> AbstractContextManager[telemetry.Span]:
    """Open the turn's span: below its first input's, or below the call that began the opening."""
    parent, *merged = snapshot.traceparents or (None,)
    others = [each for each in dict.fromkeys(merged) if each and each != parent]
    return telemetry.span(
        "turn",
        session_id=snapshot.lease.key.session_id,
        parent=parent,
        links=[telemetry.SpanLink(traceparent=t, relation="merged_input") for t in others],
        attributes={"heartrule.turn_id": snapshot.turn_id, "heartrule.attempt": snapshot.attempt},
    )


def _record_end(span: telemetry.Span, end: TurnEnd | None, spans: telemetry.SpanLimit) -> None:
    """Record on the span how the turn ended and its degradations; no text of the conversation."""
    span.set(outcome=end.outcome.value if end is not None else StopKind.RESTART.value)
    if end is not None and end.degradations:
        span.set(degradations=[f"{each.stage}/{each.reason}" for each in end.degradations])
    if spans.left_out:
        span.set(spans_left_out=spans.left_out)


class Renewal:
    """Prolongs one lease every third of its life, until it is ended or the lease is gone."""

    def __init__(self, store: Store, lease: Lease, ttl: timedelta) -> None:
        """Nothing runs before `begin`."""
        self.failure: Exception | None = None
        """Why the attempt must stop: LeaseLost, or what went wrong with renewing."""
        self._store = store
        self._lease = lease
        self._ttl = ttl
        self._task: asyncio.Task[None] | None = None

    def begin(self, stop: Callable[[], None]) -> None:
        """Start to renew; `stop` is called once, when there is a `failure`."""
        self._task = asyncio.create_task(self._renew(stop))

    async def end(self) -> None:
        """Stop renewing; nothing runs any more when this returns."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _renew(self, stop: Callable[[], None]) -> None:
        """Renew after every pause.

        A store that fails to answer costs nothing yet: the next step's commit is fenced anyway.
        """
        try:
            while True:
                await asyncio.sleep(self._ttl.total_seconds() / 3)
                try:
                    held = await self._store.renew_lease(self._lease, self._ttl)
                except StoreUnavailable:
                    LOG.warning("lease not renewed", extra={"error_class": "StoreUnavailable"})
                    held = True
                if not held:
                    raise LeaseLost("the session was taken over", reason="LEASE_LOST")
        except Exception as error:  # noqa: BLE001  whatever it is, the attempt fails with it
            self.failure = error
            stop()
