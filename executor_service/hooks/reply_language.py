"""After a reply in a wrong language the next prompt asks for the right one (ADR 87)."""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.action_context import RoundOutcome
from executor_service.actions.language_check import WRONG_LANGUAGE
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round, StepHook
from executor_service.scripts.model.actions import INTERACTIVE
from session_store.records import ActionInstance, InstanceState, Plan

_KEY = "wrong_language"


class ReplyLanguage(StepHook):
    """Keeps in each instance that its last reply was in a wrong language, and tells the next."""

    def __init__(self, turn: RunningTurn) -> None:
        """Know nothing of this turn's replies yet."""
        super().__init__(turn)
        self._was_wrong: bool | None = None

    async def before_round(self, round_: Round) -> Round:
        """Let the round's prompt ask for the right language, where the reply before lacked it."""
        context = round_.context
        if self._was_wrong is None:
            self._was_wrong = was_wrong(self.turn.state.plan, context.instance)
        return replace(round_, context=replace(context, wrong_language=self._was_wrong))

    def after_round(self, outcome: RoundOutcome) -> RoundOutcome:
        """Keep it in the instance's memory; a round without a message changes nothing."""
        if outcome.result.action_type not in INTERACTIVE:
            return outcome
        if outcome.messages:
            self._was_wrong = any(one.reason == WRONG_LANGUAGE for one in outcome.degradations)
        return (
            replace(outcome, memory={**outcome.memory, _KEY: True}) if self._was_wrong else outcome
        )


def was_wrong(plan: Plan, instance: ActionInstance) -> bool:
    """Return whether the last reply of an instance, or of the one before it, was wrong."""
    for one in sorted(plan, key=lambda each: each.ordinal, reverse=True):
        began = one.state is not InstanceState.PENDING and one.action_type in INTERACTIVE
        if one.ordinal <= instance.ordinal and began:
            return bool(one.memory.get(_KEY))
    return False
