"""The working data of one attempt of a turn, and the steps it commits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from functools import cached_property

from executor_service.actions.action_context import RoundOutcome
from executor_service.engine.turn_state import TurnState
from executor_service.scripts.model.script import Script
from executor_service.turn_stopping import StopToken
from heartrule.domain.action_result import ActionResult, DebugInfo
from heartrule.domain.conversation import Completeness, Message, Role
from heartrule.domain.events import Outcome
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import DialogueLine
from heartrule.domain.position import ExecutionStatus
from heartrule.domain.problem import Degradation
from heartrule.domain.variables import VariableScope
from heartrule.model.ports import ChatMessage
from session_store.records import ActionInstance, StepCommit, TurnEnd, TurnSnapshot

# Messages a new one is compared with, so that the assistant does not repeat itself.
_RECENT = 3


class Transcript:
    """The messages of the window, and what this turn adds."""

    def __init__(self, window: Iterable[DialogueLine]) -> None:
        """Start with the committed messages of the window."""
        self._messages: list[ChatMessage] = []
        self._texts: list[str] = []
        for line in window:
            add = self.add_client if line.role is Role.CLIENT else self.add_assistant
            add(line.text)

    def add_client(self, text: str) -> None:
        """Add a text of the client."""
        self._add(ChatMessage(role="user", content=text))

    def add_assistant(self, text: str) -> None:
        """Add a text of the assistant."""
        self._texts.append(text)
        self._add(ChatMessage(role="assistant", content=text))

    def messages(self) -> tuple[ChatMessage, ...]:
        """Return the conversation; neighbours of one role are one message, as servers demand."""
        return tuple(self._messages)

    def recent_texts(self) -> tuple[str, ...]:
        """Return the assistant's latest messages, oldest first."""
        return tuple(self._texts[-_RECENT:])

    def _add(self, message: ChatMessage) -> None:
        last = self._messages[-1] if self._messages else None
        if last is not None and last.role == message.role:
            joined = f"{last.content}\n{message.content}"
            self._messages[-1] = ChatMessage(role=last.role, content=joined)
        else:
            self._messages.append(message)


class RunningTurn:
    """One attempt of a turn: its snapshot, its working copy, and what it has committed."""

    def __init__(
        self,
        snapshot: TurnSnapshot,
        script: Script,
        *,
        new_id: Callable[[str], str],
        clock: Callable[[], datetime],
        keyword_scope: Callable[[str], VariableScope | None],
        calls: list[LLMDebugInfo],
        stop: StopToken,
    ) -> None:
        """Start with the snapshot; its plan may be replaced until `state` is first read."""
        self.snapshot = snapshot
        self.script = script
        self.new_id = new_id
        self.calls = calls
        """Records of the model calls since the last step."""
        self.reply = _reply_of(snapshot)
        """The client's text that no step has judged yet; None once it is history."""
        self.unjudged = ""
        """What became history without being judged, until an opening reads it."""
        self.transcript = Transcript(snapshot.window)
        self.just_spoke = False
        """Whether the last message of this turn has words; False before its first."""
        self.instead: StepCommit | None = None
        """What is committed where the step under way fails, which nothing stops or delays then."""
        self._clock = clock
        self._keyword_scope = keyword_scope
        self._stop = stop
        self._degradations = snapshot.degradations
        self._message_ids = snapshot.message_ids
        self._judged: ActionResult | None = None

    @cached_property
    def state(self) -> TurnState:
        """The turn's working copy; made from the snapshot when it is first read."""
        return TurnState(
            self.script,
            self.snapshot,
            new_id=self.new_id,
            clock=self._clock,
            keyword_scope=self._keyword_scope,
        )

    def hold(self, instead: StepCommit) -> None:
        """Let nothing stop or delay the step under way: the client must read what it says.

        Where it fails, `instead` is committed in its place.
        """
        self.instead, self._stop.held = instead, True

    def close_reply(self) -> None:
        """Make the client's reply part of the history: no further round judges it."""
        if self.reply is not None:
            self.transcript.add_client(self.reply)
            self.unjudged, self.reply = self.reply, None

    def identified(self, outcome: RoundOutcome, instance: ActionInstance) -> RoundOutcome:
        """Return the outcome with the action and the model calls named in its result."""
        ids = tuple(call.call_id for call in self.calls)
        result = replace(
            outcome.result,
            action_id=instance.action_id,
            action_instance_id=instance.action_instance_id,
            action_type=instance.action_type,
            debug_info=DebugInfo(call_ids=ids) if ids else None,
        )
        return replace(outcome, result=result)

    def step(self, outcome: RoundOutcome, traceparent: str) -> StepCommit:
        """Return the step of a round; the turn's state has moved on already."""
        result = outcome.result
        if result.exit_decision is not None and not outcome.goes_on:
            self._judged = result
        goes_on = outcome.goes_on or result.completed
        messages = tuple(
            Message(
                message_id=each.message_id,
                role=Role.ASSISTANT,
                parts=each.parts(),
                action_instance_id=result.action_instance_id,
                action_id=result.action_id,
                completeness=each.completeness,
                turn_id=self.snapshot.turn_id,
            )
            for each in outcome.messages
        )
        step = replace(
            self._moved(self._status(goes_on=goes_on), outcome.degradations),
            messages=messages,
            calls=tuple(self.calls),
            strategy=outcome.strategy,
            result=None if outcome.goes_on else result,
            decisions=outcome.decisions,
            workflows=outcome.workflows,
            runs=outcome.of_runs.begun,
            run_effects=outcome.of_runs.effects,
            threads=outcome.of_runs.threads,
            runs_taken_up=outcome.of_runs.taken_up,
            requested=outcome.requested,
            open_request="" if result.completed else outcome.open_request,
            monitor_requested=outcome.analyze,
            traceparent=traceparent,
        )
        return self._ended(step, stops=goes_on or self._stop.cut)

    def last_step(self) -> StepCommit:
        """Return the step of a session whose conditions pass over all that is left."""
        return self._ended(self._moved(ExecutionStatus.COMPLETED, ()), stops=False)

    def committed(self, step: StepCommit, shown: Iterable[Message] = ()) -> None:
        """Note a committed step: the next action finds its messages in the history.

        A placeholder is no part of it; `shown` are the results that took the places of some.
        """
        for result in shown:
            self.transcript.add_assistant(result.plain_text())
            if result.turn_id == self.snapshot.turn_id:
                self._message_ids += (result.message_id,)
        if step.inputs_consumed:
            self.close_reply()
        judged = step.result is not None and step.result.exit_decision is not None
        if step.calls and (step.messages or judged):
            self.unjudged = ""
        for message in step.messages:
            self._message_ids += (message.message_id,)
            text = message.plain_text()
            self.just_spoke = bool(text)
            if message.completeness is not Completeness.PLACEHOLDER:
                self.transcript.add_assistant(text)

    def _moved(self, status: ExecutionStatus, degradations: tuple[Degradation, ...]) -> StepCommit:
        """Return a step with everything that changed in the turn's state since the last one."""
        changes = self.state.variables.take_changes()
        found = (*degradations, *self.state.take_degradations())
        self._degradations += found
        return StepCommit(
            turn_id=self.snapshot.turn_id,
            attempt=self.snapshot.attempt,
            status=status,
            position=self.state.position,
            instances=self.state.take_plan(),
            variables=changes.variables,
            operations=changes.operations,
            scopes_left=changes.scopes_left,
            definitions=changes.definitions,
            skipped=self.state.take_skipped(),
            inputs_consumed=True,
            degradations=found,
        )

    def _status(self, *, goes_on: bool) -> ExecutionStatus:
        if not goes_on:
            return ExecutionStatus.WAITING_INPUT
        if self.state.current() is None:
            return ExecutionStatus.COMPLETED
        stops = self._stop.interrupted
        return ExecutionStatus.WAITING_INPUT if stops else ExecutionStatus.RUNNING

    def _ended(self, step: StepCommit, *, stops: bool) -> StepCommit:
        """Return the step with the turn's end, where the session waits or is at its end.

        `stops`: the session waits for no other reason than that the turn was interrupted.
        """
        if step.status is ExecutionStatus.RUNNING:
            return step
        waits = Outcome.INTERRUPTED if stops else Outcome.WAITING
        completed = step.status is ExecutionStatus.COMPLETED
        end = TurnEnd(
            outcome=Outcome.SESSION_COMPLETED if completed else waits,
            degradations=self._degradations,
            message_ids=(*self._message_ids, *(each.message_id for each in step.messages)),
            exit_reason=self._judged.exit_reason if self._judged else None,
            exit_decision=self._judged.exit_decision if self._judged else None,
        )
        return replace(step, end=end)


def _reply_of(snapshot: TurnSnapshot) -> str | None:
    """Return the turn's inputs as one text, a line each; None where a step has judged them."""
    if snapshot.inputs_consumed or not snapshot.inputs:
        return None
    return "\n".join(message.plain_text() for message in snapshot.inputs)
