"""The interface of a step hook: a rule that cuts across actions, at four points of a turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.engine.running_turn import RunningTurn
from heartrule.chassis.telemetry import Attribute, SpanLink
from session_store.records import StepCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round of one action before it runs."""

    context: RoundContext
    """What the action is given."""
    links: tuple[SpanLink, ...] = ()
    """Links of the round's span."""
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    """Further attributes of the round's span."""


class StepHook:
    """A rule around the rounds of a turn; every method changes nothing unless overridden.

    An object serves one attempt of one turn, so it may keep state between its methods.
    """

    def __init__(self, turn: RunningTurn) -> None:
        """Serve `turn`."""
        self.turn = turn

    async def before_turn(self) -> StepCommit | None:
        """Prepare the turn before its first action is chosen; return a step to commit, or None.

        A step with an end ends the turn: no later hook and no action runs.
        """

    async def before_round(self, round_: Round) -> Round:
        """Return the round with what the rule adds to the action's context."""
        return round_

    def after_round(self, outcome: RoundOutcome) -> RoundOutcome:
        """Return the outcome as the rule leaves it; the plan has not moved on yet."""
        return outcome

    def before_commit(self, step: StepCommit) -> StepCommit:
        """Return the step as it is to be committed; the plan has moved on."""
        return step


#: Makes a hook for one attempt.
HookFactory: TypeAlias = Callable[[RunningTurn], StepHook]
