"""One turn, from the client's words to the next question: the only loop there is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from executor_service.actions.context import RoundContext, RoundOutcome, Said, Scene
from executor_service.actions.voice import Voice
from executor_service.engine.advisers import adviser_of
from executor_service.engine.awaiting import UNADVISED, advised
from executor_service.engine.clock import local_time
from executor_service.engine.crisis import crisis_answer
from executor_service.engine.deps import EngineDeps, Sink
from executor_service.engine.exit_trail import remembered
from executor_service.engine.history import Transcript
from executor_service.engine.plan_edits import with_edits
from executor_service.engine.walk import Walk
from executor_service.engine.words import message_of, reply_of, spoken_of
from executor_service.monitoring.pacing import BY_CADENCE, Pace, is_due, pace_of
from executor_service.scripts.model import Action, Script
from heartrule.chassis import telemetry
from heartrule.domain.action_result import ActionResult
from heartrule.domain.errors import InvalidScript
from heartrule.domain.events import Outcome
from heartrule.domain.position import ExecutionStatus
from session_store.records import (
    ActionInstance,
    InstanceState,
    StepCommit,
    TurnEnd,
    TurnSnapshot,
)


class TooManyActions(InvalidScript):
    """The script runs on without ever waiting for the client."""


async def run_turn(snapshot: TurnSnapshot, script: Script, deps: EngineDeps, sink: Sink) -> TurnEnd:
    """Run actions from where the session stands until one waits or the script ends.

    Every step is committed through `sink` before the next begins; after a crash the same call
    with a new snapshot goes on behind the last committed step.

    Raises:
        TooManyActions: The limit was passed; what was committed stays.
        LeaseLost: Another holder has the session.
        HeartRuleError: A model or template failed; the turn may be run again.
        Stopped: It was asked to stop, and nothing of the step under way is to be kept.
    """
    snapshot, sink = with_edits(snapshot, script, deps, sink)
    turn = _Turn(snapshot, script, deps, sink)
    await turn.answer_crisis()
    for _ in range(deps.max_actions):
        end = await turn.step()
        if end is not None:
            return end
    raise TooManyActions(
        f"{deps.max_actions} actions ran without waiting for the client",
        reason="TOO_MANY_ACTIONS",
        metadata={"max_actions": str(deps.max_actions)},
    )


class _Turn:
    """The working state of one attempt."""

    def __init__(
        self, snapshot: TurnSnapshot, script: Script, deps: EngineDeps, sink: Sink
    ) -> None:
        self._snapshot = snapshot
        self._script = script
        self._deps = deps
        self._sink = sink
        self._walk = Walk(
            script,
            snapshot,
            new_id=deps.new_id,
            clock=deps.clock,
            keyword_scope=deps.keyword_scope,
        )
        self._voice = Voice(deps.model, sink, new_id=deps.new_id)
        self._transcript = Transcript(snapshot.window)
        self._advice = snapshot.advice
        self._reply = reply_of(snapshot)
        self._degradations = snapshot.degradations
        self._message_ids = snapshot.message_ids
        self._judged: ActionResult | None = None
        version = (snapshot.lease.key.tenant, snapshot.script_id, snapshot.script_version)
        self._picture = partial(deps.pictures, *version)

    async def answer_crisis(self) -> None:
        """Say the resources before any model speaks, where the client names suicide or self-harm.

        A step committed before the inputs were judged can only have been this one, so a turn
        that is taken up again does not say it twice.
        """
        if self._reply is None or self._snapshot.steps > 0:
            return
        found = crisis_answer(self._reply, self._snapshot, self._deps)
        if found is None:
            return
        said, step = found
        await self._sink.commit(step)
        self._message_ids += (said.message_id,)
        self._remember((said,))

    async def step(self) -> TurnEnd | None:
        """Run one round of the current action and commit it; the turn's end, or None."""
        current = self._walk.current()
        if current is None:
            return await self._nothing_begins()
        action, instance = current
        if instance.state is InstanceState.PENDING:  # it was interrupted before it said anything
            self._hear()
        traceparent = telemetry.traceparent()
        pace = pace_of(self._script, self._walk.topic_for(instance), action)
        with self._sink.stop:
            outcome = await self._run(action, instance, pace)
        if outcome.analyze and not is_due(pace, outcome.result):
            outcome = outcome.without_analysis(BY_CADENCE)
        place = self._walk.place
        state = InstanceState.COMPLETED if outcome.result.completed else InstanceState.RUNNING
        self._walk.update(
            replace(instance, state=state, round=outcome.next_round, memory=remembered(outcome))
        )
        if self._walk.place != place or self._walk.current() is None:
            outcome = outcome.without_analysis()
        step = self._step_commit(outcome, instance, traceparent)
        await self._sink.commit(step)
        self._after(outcome)
        return step.end

    def _hear(self) -> None:
        if self._reply is not None:  # from now on it is history
            self._transcript.client_said(self._reply)
            self._reply = None

    async def _nothing_begins(self) -> TurnEnd:
        """End the session where conditions passed over all that is left before it began."""
        changes = self._walk.variables.take_changes()
        degradations = self._walk.take_degradations()
        self._degradations += degradations
        end = self._end(ExecutionStatus.COMPLETED)
        step = StepCommit(
            turn_id=self._snapshot.turn_id,
            attempt=self._snapshot.attempt,
            status=ExecutionStatus.COMPLETED,
            position=self._walk.position,
            instances=self._walk.take_plan(),
            variables=changes.variables,
            operations=changes.operations,
            scopes_left=changes.scopes_left,
            definitions=changes.definitions,
            skipped=self._walk.take_skipped(),
            inputs_consumed=True,
            degradations=degradations,
            end=end,
        )
        await self._sink.commit(step)
        assert end is not None, "a completed session ends its turn"
        return end

    async def _run(self, action: Action, instance: ActionInstance, pace: Pace) -> RoundOutcome:
        found = (
            await advised(self._advice, instance, pace, turn=self._snapshot, deps=self._deps)
            if self._reply is not None
            else UNADVISED
        )
        self._advice = advice = found.advice
        made_by = advice.traceparent if advice else ""
        links = [telemetry.SpanLink(traceparent=made_by, relation="advice")] if made_by else []
        with telemetry.span(
            "action",
            links=links,
            attributes={
                "heartrule.action_id": action.action_id,
                "heartrule.action_type": action.action_type.value,
                "heartrule.round": instance.round,
                **found.attributes(),
            },
        ):
            return await self._deps.actions[action.action_type].run(
                RoundContext(
                    action=action,
                    instance=instance,
                    reply=self._reply,
                    history=self._transcript.messages(),
                    last_said=self._transcript.last_said(),
                    advice=advice,
                    variables=self._walk.variables,
                    scene=self._scene(instance),
                    templates=self._deps.templates,
                    voice=self._voice,
                    monitored=self._deps.monitored,
                    exit_hint=self._exit_hint(instance),
                    inputs=self._snapshot.inputs if self._reply is not None else (),
                    make_id=self._deps.new_id,
                    picture=self._picture,
                    strategy=adviser_of(
                        action, self._script, self._snapshot, self._deps, calls=self._sink.calls
                    ),
                )
            )

    def _exit_hint(self, instance: ActionInstance) -> str:
        """Return what an opening is told of how the action before it ended; else nothing."""
        if self._reply is not None:
            return ""
        reason = self._walk.exit_before(instance)
        return self._deps.exit_hints.line(reason, self._script.template_scheme)

    def _scene(self, instance: ActionInstance) -> Scene:
        cast = self._walk.cast
        return Scene(
            phase=self._walk.phase,
            topic=self._walk.topic_for(instance),
            scheme=self._script.template_scheme,
            now=local_time(self._deps.clock(), self._snapshot.time_zone),
            who=cast.who,
            user=cast.user,
            tone=cast.tone,
        )

    def _step_commit(
        self, outcome: RoundOutcome, instance: ActionInstance, traceparent: str
    ) -> StepCommit:
        changes = self._walk.variables.take_changes()
        result = replace(outcome.result, action_instance_id=instance.action_instance_id)
        if result.exit_decision is not None:
            self._judged = result
        degradations = (*outcome.degradations, *self._walk.take_degradations())
        self._degradations += degradations
        self._message_ids += tuple(said.message_id for said in outcome.said)
        status = self._status(completed=result.completed)
        stops = result.completed or self._sink.stop.cut
        advice = self._advice if outcome.advice_used else None
        return StepCommit(
            turn_id=self._snapshot.turn_id,
            attempt=self._snapshot.attempt,
            status=status,
            position=self._walk.position,
            messages=tuple(
                message_of(said, instance, self._snapshot.turn_id) for said in outcome.said
            ),
            instances=self._walk.take_plan(),
            variables=changes.variables,
            operations=changes.operations,
            scopes_left=changes.scopes_left,
            definitions=changes.definitions,
            skipped=self._walk.take_skipped(),
            strategy=outcome.strategy,
            result=result,
            inputs_consumed=True,
            requested=outcome.requested,
            open_request="" if result.completed else outcome.open_request,
            advice_consumed=advice.advice_id if advice else "",
            monitor_requested=outcome.analyze,
            traceparent=traceparent,
            degradations=degradations,
            end=self._end(status, stops=stops),
        )

    def _status(self, *, completed: bool) -> ExecutionStatus:
        if not completed:
            return ExecutionStatus.WAITING_INPUT
        if self._walk.current() is None:
            return ExecutionStatus.COMPLETED
        stops = self._sink.stop.interrupted
        return ExecutionStatus.WAITING_INPUT if stops else ExecutionStatus.RUNNING

    def _end(self, status: ExecutionStatus, *, stops: bool = False) -> TurnEnd | None:
        """Return the turn's end, where the session waits or is at its end.

        `stops`: it waits for no other reason than that the turn was interrupted.
        """
        if status is ExecutionStatus.RUNNING:
            return None
        waits = Outcome.INTERRUPTED if stops else Outcome.WAITING
        completed = status is ExecutionStatus.COMPLETED
        return TurnEnd(
            outcome=Outcome.SESSION_COMPLETED if completed else waits,
            degradations=self._degradations,
            message_ids=self._message_ids,
            exit_reason=self._judged.exit_reason if self._judged else None,
            exit_decision=self._judged.exit_decision if self._judged else None,
        )

    def _after(self, outcome: RoundOutcome) -> None:
        """Let the next action of this turn find reply and answer in its history."""
        self._hear()
        self._advice = None
        self._remember(outcome.said)

    def _remember(self, said: tuple[Said, ...]) -> None:
        for one in said:
            self._transcript.assistant_said(spoken_of(one))
