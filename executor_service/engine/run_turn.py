"""One turn, from the client's text to the next question: the engine's only loop."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.reply_streamer import ReplyStreamer
from executor_service.actions.round_ports import RoundRuns
from executor_service.actions.scene import Scene
from executor_service.decisions.session_runs import agent_judging
from executor_service.decisions.turn_reading import TurnReading
from executor_service.engine.engine_deps import EngineDeps, Sink
from executor_service.engine.outputs_beside import outputs_beside
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round
from executor_service.scripts.model.actions import SPEAKING
from executor_service.scripts.model.agent_config import lands_in
from executor_service.scripts.model.script import Action, Script
from executor_service.scripts.model.settings import SafetyMode, SafetySettings
from heartrule.chassis import telemetry
from heartrule.domain.errors import InvalidScript, LeaseLost
from session_store.records import ActionInstance, InstanceState, StepCommit, TurnEnd, TurnSnapshot

LOG = logging.getLogger(__name__)
# A round waits for a run until the turn has ten seconds left; a reply leaves two of them.
_LEFT_BEHIND_RUNS_S = 8.0


class TooManyActionsInTurn(InvalidScript):
    """The script runs too many actions without waiting for the client."""


async def run_turn(snapshot: TurnSnapshot, script: Script, deps: EngineDeps, sink: Sink) -> TurnEnd:
    """Run actions from the session's position until one waits or the script ends.

    Every step is committed through `sink` before the next begins; after a crash the same call
    with a new snapshot goes on behind the last committed step.

    Raises:
        TooManyActionsInTurn: The limit was passed; what was committed stays.
        LeaseLost: Another holder has the session.
        HeartRuleError: A model or template failed; the turn may be run again.
        Stopped: A stop was requested, and nothing of the current step is kept.
    """
    loop = _Loop(snapshot, script, deps, sink)
    try:
        return await loop.run()
    except LeaseLost:
        raise
    except Exception:
        end = await loop.commit_instead()
        if end is None:
            raise
        LOG.exception("a step was replaced", extra={"turn_id": snapshot.turn_id})
        return end


async def run_without_script(
    snapshot: TurnSnapshot, deps: EngineDeps, sink: Sink
) -> TurnEnd | None:
    """Do what needs no script, such as the crisis path; None where the script would go on."""
    reason = snapshot.safety.opt_out
    safety = SafetySettings(mode=SafetyMode.OFF, reason=reason) if reason else SafetySettings()
    unread = Script(session_id="unread", phases=(), safety=safety)
    return await _Loop(snapshot, unread, replace(deps, hooks=deps.without_script), sink).begin()


class _Loop:
    """Runs one attempt: hooks, a round, hooks, a commit, until the turn ends."""

    def __init__(
        self, snapshot: TurnSnapshot, script: Script, deps: EngineDeps, sink: Sink
    ) -> None:
        self._deps, self._sink = deps, sink
        self._streamer = ReplyStreamer(
            model=deps.model, sink=sink, new_id=deps.new_id, texts=deps.outgoing_texts
        )
        self._turn = RunningTurn(
            snapshot,
            script,
            new_id=deps.new_id,
            clock=deps.clock,
            keyword_scope=deps.keyword_scope,
            calls=sink.calls,
            stop=sink.stop,
        )
        self._reading = TurnReading(
            deps.read_session,
            snapshot.lease.key,
            snapshot.turn_id,
            is_begun=snapshot.steps > 0,
        )
        replies_until = sink.reply_deadline
        self._waits_until = None if replies_until is None else replies_until - _LEFT_BEHIND_RUNS_S
        self._hooks = [make(self._turn) for make in deps.hooks]

    async def run(self) -> TurnEnd:
        """Run the turn to its end."""
        end = await self.begin()
        if end is not None:
            return end
        most = self._deps.max_actions
        for _ in range(most):
            end = await self.run_step()
            if end is not None:
                return end
        raise TooManyActionsInTurn(
            f"{most} actions ran without waiting for the client",
            reason="TOO_MANY_ACTIONS",
            metadata={"max_actions": str(most)},
        )

    async def commit_instead(self) -> TurnEnd | None:
        """Commit what may not be missed in the place of a step that failed; None: nothing is."""
        instead = self._turn.instead
        return None if instead is None else await self._commit(instead)

    async def begin(self) -> TurnEnd | None:
        """Commit what hooks do before the first action; return the end, if one ends the turn."""
        for hook in self._hooks:
            step = await hook.before_turn()
            end = None if step is None else await self._commit(step)
            if end is not None:
                return end
        return None

    async def run_step(self) -> TurnEnd | None:
        """Run one round of the current action and commit it; return the turn's end, or None."""
        turn = self._turn
        current = turn.state.current()
        if current is None:
            return await self._commit(turn.last_step())
        action, instance = current
        # An action that was interrupted before its opening has asked nothing yet.
        if instance.state is InstanceState.PENDING:
            turn.close_reply()
        traceparent = telemetry.traceparent()
        with self._sink.stop:
            outcome = await self._run_round(action, instance)
        for hook in self._hooks:
            outcome = hook.after_round(outcome)
        state = InstanceState.COMPLETED if outcome.result.completed else InstanceState.RUNNING
        if outcome.messages and turn.reply is None:
            turn.state.confirmed()
        turn.state.update(
            replace(instance, state=state, round=outcome.next_round, memory=outcome.memory)
        )
        return await self._commit(turn.step(self._needed(outcome), traceparent))

    async def _run_round(self, action: Action, instance: ActionInstance) -> RoundOutcome:
        round_ = Round(context=self._context(action, instance))
        for hook in self._hooks:
            round_ = await hook.before_round(round_)
        attributes = {
            "heartrule.action_id": action.action_id,
            "heartrule.action_type": action.action_type.value,
            "heartrule.round": instance.round,
            **round_.attributes,
        }
        with telemetry.span("action", links=round_.links, attributes=attributes):
            outcome = await self._deps.actions[action.action_type](round_.context)
        return self._turn.identified(outcome, instance)

    async def _commit(self, step: StepCommit) -> TurnEnd | None:
        for hook in self._hooks:
            step = hook.before_commit(step)
        committed = await self._sink.commit(step)
        self._turn.committed(step, committed.shown)
        self._reading.committed(step.decisions, step.workflows)
        if step.runs or step.run_effects:
            self._reading.forget()
            await self._deps.runs.committed(self._turn.snapshot.lease.key, committed.events)
        return step.end

    def _needed(self, outcome: RoundOutcome) -> RoundOutcome:
        """Return the outcome without a closing line that is spare, where another action speaks."""
        following = self._turn.state.current()
        speaks = following is not None and following[0].action_type in SPEAKING
        messages = tuple(each for each in outcome.messages if not each.spare)
        if not (speaks and outcome.result.completed) or len(messages) == len(outcome.messages):
            return outcome
        return replace(outcome, messages=messages, result=replace(outcome.result, ai_message=""))

    def _context(self, action: Action, instance: ActionInstance) -> RoundContext:
        turn, deps = self._turn, self._deps
        snapshot = turn.snapshot
        version = (snapshot.lease.key.tenant, snapshot.script_id, snapshot.script_version)
        return RoundContext(
            action=action,
            instance=instance,
            reply=turn.reply,
            history=turn.transcript.messages(),
            recent_texts=turn.transcript.recent_texts(),
            summary=snapshot.summary,
            variables=turn.state.variables,
            known_values=turn.state.known_values,
            scene=Scene(
                phase=turn.state.phase,
                topic=turn.state.topic_for(instance),
                scheme=turn.script.template_scheme,
                now=deps.clock(),
                cast=turn.state.cast,
            ),
            just_spoke=turn.just_spoke,
            templates=deps.templates,
            streamer=self._streamer,
            beside=replace(
                outputs_beside(turn.state, turn.script, instance),
                unjudged=turn.unjudged,
                to_confirm=turn.state.to_confirm if turn.reply is None else (),
            ),
            inputs=snapshot.inputs if turn.reply is not None else (),
            make_id=deps.new_id,
            picture=partial(deps.pictures, *version),
            agent_reading=partial(self._reading.of, instance.action_instance_id),
            judging=agent_judging(
                deps.judging.judged, deps.runs, snapshot.lease.key, lands_in=lands_in(action.config)
            ),
            runs=RoundRuns(
                key=snapshot.lease.key,
                until=self._waits_until,
                runs=deps.runs,
                agents=deps.threads,
            ),
        )
