"""Crisis words: a client who names suicide gets the resources before any model call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import StepHook
from executor_service.ports import CrisisMatch, CrisisWords
from heartrule.domain.conversation import Message, Role, text_part
from heartrule.domain.position import ExecutionStatus
from heartrule.domain.safety import SafetyCard, SafetyLevel, SafetySource, Subject
from session_store.records import SafetyStep, StepCommit

# The only step there is: the resources were shown.
_STEP = "resources"


class CrisisResources(StepHook):
    """Answers crisis words with a fixed text, in a step of its own before the round."""

    def __init__(self, turn: RunningTurn, *, words: CrisisWords) -> None:
        """Look for `words`."""
        super().__init__(turn)
        self._words = words

    async def before_turn(self) -> StepCommit | None:
        """Return the step with the resources; None where no crisis word was written.

        Inputs that no step judges are checked as well. Only those are checked that came since the
        turn's last committed step, so a turn that is resumed does not send the resources twice.
        """
        snapshot = self.turn.snapshot
        if not snapshot.new_inputs:
            return None
        match = self._words.find("\n".join(_written_in(snapshot.new_inputs)))
        if match is None:
            return None
        message = Message(
            message_id=self.turn.new_id("msg"),
            role=Role.SYSTEM,
            parts=(text_part(self._words.message(snapshot.locale)),),
            turn_id=snapshot.turn_id,
        )
        return StepCommit(
            turn_id=snapshot.turn_id,
            attempt=snapshot.attempt,
            status=ExecutionStatus.RUNNING,
            position=snapshot.position,
            messages=(message,),
            safety=self._found(match),
        )

    def _found(self, match: CrisisMatch) -> SafetyStep:
        """Return where the session is once the resources were shown; the script goes on."""
        snapshot = self.turn.snapshot
        level = max(snapshot.safety.level, SafetyLevel.CRISIS)
        state = replace(snapshot.safety, level=level, step=_STEP, last_card_turn=snapshot.turn_no)
        card = SafetyCard(
            level=SafetyLevel.CRISIS,
            text=self._words.message(snapshot.locale),
            locale=snapshot.locale,
        )
        return SafetyStep(
            state=state,
            level=SafetyLevel.CRISIS,
            source=SafetySource.RULE,
            rules=(match.rule,),
            subject=Subject.SELF,
            card=card,
            client_message_ids=tuple(each.client_message_id for each in snapshot.new_inputs),
            raised=True,
            alert=True,
        )


def _written_in(inputs: Iterable[Message]) -> Iterator[str]:
    """Yield the inputs' texts and those of submitted forms, whose message only names the form."""
    for message in inputs:
        yield message.plain_text()
        for part in message.parts:
            if part.form is not None:
                yield from (text for text in part.form.values.values() if isinstance(text, str))
