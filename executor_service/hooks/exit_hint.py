"""Exit hints: an opening learns how the action before it ended (document 000, scene 5)."""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.action_context import RoundOutcome
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round, StepHook
from executor_service.exits.decision import kept_reason
from executor_service.exits.hints import ExitHints
from executor_service.exits.policy import policy_of
from executor_service.scripts.model.actions import ActionType
from heartrule.domain.action_result import ActionResult
from heartrule.domain.exits import ExitReason
from session_store.records import ActionInstance, InstanceState, Plan

_KEY = "exit_reason"


class ExitHint(StepHook):
    """Keeps in each instance why it ended, and adds the line for that to the next opening."""

    def __init__(self, turn: RunningTurn, *, hints: ExitHints) -> None:
        """Use the lines of `hints`."""
        super().__init__(turn)
        self._hints = hints

    async def before_round(self, round_: Round) -> Round:
        """Add the line to an opening's context."""
        context = round_.context
        if context.reply is not None:
            return round_
        reason, scene = exit_before(self.turn.state.plan, context.instance), context.scene
        line = self._hints.line(reason, scene.scheme, scene.language)
        return replace(round_, context=replace(context, exit_hint=line))

    def after_round(self, outcome: RoundOutcome) -> RoundOutcome:
        """Keep in the instance's memory why its action ended."""
        result = outcome.result
        reason = kept_reason(result)
        if not result.completed or reason is None or _tells_nothing(result, reason):
            return outcome
        return replace(outcome, memory={**outcome.memory, _KEY: reason.value})


def exit_before(plan: Plan, instance: ActionInstance) -> ExitReason | None:
    """Return why the action before an instance ended, in its topic; None where none did.

    Actions without exits, and those that were skipped, are ignored.
    """
    before = [one for one in plan if one.ordinal < instance.ordinal]
    for one in reversed(before):
        talked = policy_of(one.action_type).supports_exit
        if talked and one.state is InstanceState.COMPLETED:
            reason = one.memory.get(_KEY)
            return None if reason is None else ExitReason(str(reason))
    return None


def _tells_nothing(result: ActionResult, reason: ExitReason) -> bool:
    """Return whether an ai_say left nothing undone: it was understood, or said once and heard.

    It gathers nothing, so the line of a gathering that is complete would be wrong.
    """
    done = result.max_rounds == 1 or reason is ExitReason.EXIT_CRITERIA_MET
    return result.action_type == ActionType.AI_SAY and done
