"""The strategy engine: which actions ask for its recommendation."""

from __future__ import annotations

from dataclasses import replace

from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round, StepHook
from executor_service.strategy.adviser import Strategies, StrategyAdviser
from heartrule.model.ports import ChatModel


class StrategyAdvice(StepHook):
    """Gives a round an adviser where script, session or action turn the strategy engine on."""

    def __init__(self, turn: RunningTurn, *, model: ChatModel, strategies: Strategies) -> None:
        """Ask `model` within the limits of `strategies`."""
        super().__init__(turn)
        self._model = model
        self._strategies = strategies

    async def before_round(self, round_: Round) -> Round:
        """Add the adviser; none where the engine is off for the action."""
        context = round_.context
        wanted = strategy_wanted(
            script=self.turn.script.strategy_engine,
            session=self.turn.snapshot.strategy_engine,
            action=context.action.strategy_engine,
        )
        if not (wanted and self._strategies.enabled):
            return round_
        adviser = StrategyAdviser(
            model=self._model,
            templates=context.templates,
            ledger=self.turn.calls,
            session=self.turn.snapshot.lease.key,
            instance_id=context.instance.action_instance_id,
            round=context.round,
            scheme=context.scene.scheme,
            language=context.scene.language,
            words=context.scene.words,
            strategies=self._strategies,
        )
        return replace(round_, context=replace(context, strategy=adviser))


def strategy_wanted(*, script: bool, session: bool | None, action: bool | None) -> bool:
    """Return whether a model is asked for this action; the innermost setting counts."""
    if action is not None:
        return action
    return script if session is None else session
