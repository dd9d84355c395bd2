"""Advice in a turn: the advice of a round, and whether the round is analysed."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.engine.cursor import TopicPlace
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round, StepHook
from executor_service.monitoring.advice_rules import facts_of
from executor_service.monitoring.pacing import BY_CADENCE, Pace, is_due, pace_of
from executor_service.scripts.model.settings import Cadence
from heartrule.chassis.telemetry import SpanLink
from heartrule.domain.monitoring import Advice
from session_store.records import MonitorTicket, StepCommit

#: Returns the advice on a round within so many seconds; None where none comes.
AwaitAdvice: TypeAlias = Callable[[MonitorTicket, float], Awaitable[Advice | None]]


class MonitorAdvice(StepHook):
    """Adds the advice to a round, consumes it with the round's step, and paces the analyses."""

    def __init__(
        self,
        turn: RunningTurn,
        *,
        await_advice: AwaitAdvice,
        monitored: bool,
    ) -> None:
        """Wait for an analysis by `await_advice`; not `monitored`: no analysis is asked for."""
        super().__init__(turn)
        self._await_advice = await_advice
        self._monitored = monitored
        self._pace = Pace()
        self._place: TopicPlace | None = None
        self._advice: Advice | None = None
        self._consumed = ""

    async def before_round(self, round_: Round) -> Round:
        """Add the newest advice about an earlier round, after the wait the script grants."""
        context = round_.context
        topic, self._place = context.scene.topic, self.turn.state.place
        self._advice = None
        self._pace = pace_of(self.turn.script, topic, context.action)
        watched = self._pace.cadence is not Cadence.OFF
        context = replace(context, scene=replace(context.scene, watched=watched))
        if context.reply is None or self.turn.instead:  # an opening judges nothing
            return replace(round_, context=context)
        advice, attributes = self.turn.snapshot.advice, round_.attributes
        ticket = self._wanted(context, advice)
        if ticket is not None:
            begun = time.monotonic()
            advice = await self._await_advice(ticket, self._pace.wait_ms / 1000) or advice
            waited = round((time.monotonic() - begun) * 1000)
            attributes = {**attributes, "heartrule.advice_wait_ms": waited}
        self._advice = advice
        made_by = advice.traceparent if advice else ""
        links = (SpanLink(traceparent=made_by, relation="advice"),) if made_by else ()
        return replace(
            round_,
            context=replace(context, advice=advice),
            links=(*round_.links, *links),
            attributes=attributes,
        )

    def after_round(self, outcome: RoundOutcome) -> RoundOutcome:
        """Note the advice that the round's prompt held, and whether the round did what it said."""
        advice = self._advice if outcome.advice_used else None
        self._consumed = advice.advice_id if advice else ""
        if advice is None:
            return outcome
        metadata = {**outcome.result.metadata, **facts_of(advice, outcome.result)}
        return replace(outcome, result=replace(outcome.result, metadata=metadata))

    def before_commit(self, step: StepCommit) -> StepCommit:
        """Consume the advice, and ask for no analysis that the script or the position rules out.

        A round that ended its topic is not analysed: no advice could serve it (RESOLUTIONS C13).
        """
        consumed, self._consumed = self._consumed, ""
        step = replace(step, advice_consumed=consumed)
        if not step.monitor_requested or step.result is None:
            return step
        if not self._monitored:
            return _not_analysed(step)
        if not is_due(self._pace, step.result):
            return _not_analysed(step, reason=BY_CADENCE)
        left = self.turn.state.place != self._place or self.turn.state.current() is None
        return _not_analysed(step) if left else step

    def _wanted(self, context: RoundContext, known: Advice | None) -> MonitorTicket | None:
        """Return the round before, where the script grants a wait and its advice is not here."""
        before = context.round - 1
        here = known is not None and known.about_round >= before
        # Before the instance's second round no round of it was judged.
        if not self._pace.wait_ms or context.instance.round < 2 or here:
            return None
        return MonitorTicket(
            key=self.turn.snapshot.lease.key,
            action_instance_id=context.instance.action_instance_id,
            round=before,
        )


def _not_analysed(step: StepCommit, reason: str = "") -> StepCommit:
    assert step.result is not None, "only a judged round may be analysed"
    why = {"analysis_reason": reason} if reason else {}
    metadata = {**step.result.metadata, "analysis": "skipped", **why}
    result = replace(step.result, metadata=metadata)
    return replace(step, monitor_requested=False, result=result)
