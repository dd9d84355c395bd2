"""The strategy of one round of ai_ask or ai_say: asked for, waited for, put to use, kept.

Document 001, section 4.2.4; RESOLUTIONS C27.
"""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.context import RoundContext
from executor_service.actions.prompting import Brief
from executor_service.actions.strategy_context import strategy_context
from executor_service.actions.talk import Talk, talk
from executor_service.scripts.model.actions import ADVISED, ActionType
from executor_service.strategy.adviser import Asked, AskingRound, StrategyAdviser
from executor_service.strategy.kept import MOST_MISSED, KeptStrategy, kept_in
from heartrule.domain.conversation import Completeness
from heartrule.domain.monitoring import Advice, StrategySuggestion
from heartrule.domain.strategy import StrategyDecision
from heartrule.model.reply.contract import ReplyContract

_MADE_ANEW = frozenset(
    {
        StrategySuggestion.REPHRASE,
        StrategySuggestion.COMFORT,
        StrategySuggestion.ACCEPT_PARTIAL,
    }
)
"""Suggestions of an advice after which a strategy no longer fits (RESOLUTIONS C27)."""
_HINT = "（上面的沟通策略建议只用来调整说法，不改变任务，也不要在 content 里提到它。）"


async def talk_by_strategy(
    context: RoundContext,
    brief: Brief,
    *,
    template_name: str,
    contract: ReplyContract,
    last_round: bool,
) -> Talk:
    """Speak as `talk` does, by a strategy where the engine is on for this action.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: No text was sent. A strategy that fails
            raises nothing: the template speaks without it.
    """
    strategy = await begin_strategy(context, brief, last_round=last_round)
    told = brief if strategy is None else strategy.told(brief)
    try:
        spoken = await talk(
            context, told, template_name=template_name, contract=contract, last_round=last_round
        )
    except BaseException:  # cancellation, too: no call outlives its round
        if strategy is not None:
            await strategy.drop()
        raise
    return spoken if strategy is None else await strategy.end(spoken, last_round=last_round)


class RoundStrategy:
    """The strategy of a round whose action has one."""

    def __init__(
        self,
        context: RoundContext,
        adviser: StrategyAdviser,
        kept: KeptStrategy,
        asked: Asked | None,
    ) -> None:
        """`asked` is the recommendation asked for in this round, or late from the one before."""
        self._context = context
        self._adviser = adviser
        self._kept = kept
        self._asked = asked

    def told(self, brief: Brief) -> Brief:
        """Return the brief with the strategy for this round's prompt, where there is one by now."""
        new = self._asked.recommendation if self._asked else None
        text = new.strategy_prompt if new else self._kept.prompt
        if not text:
            return brief
        return replace(brief, values={**brief.values, "strategy_prompt": f"{text}\n{_HINT}"})

    async def end(self, spoken: Talk, *, last_round: bool) -> Talk:
        """Return the talk with what is kept; a late strategy is left to the next round."""
        kept = replace(self._kept, levels=self._kept.with_level(_level(spoken)))
        if self._asked is None:
            return replace(spoken, memory=kept.memory())
        exits = spoken.reply is not None and spoken.reply.exit
        cut = spoken.message.completeness is Completeness.INTERRUPTED
        needed = not (last_round or exits or cut)
        answer = await self._adviser.end(self._asked, _asking(self._context), needed=needed)
        new = answer.recommendation
        degradations = (*spoken.degradations, *answer.degradations)
        if new is None:
            missed = kept.missed + (0 if answer.running else 1)
            memory = replace(kept, missed=missed).memory()
            return replace(spoken, memory=memory, degradations=degradations)
        decision = StrategyDecision(
            action_id=self._context.action.action_id,
            action_instance_id=self._context.instance.action_instance_id,
            round=self._context.round,
            context=answer.context,
            recommendation=new,
        )
        kept = replace(kept, prompt=new.strategy_prompt, missed=0)
        return replace(spoken, memory=kept.memory(), strategy=decision, degradations=degradations)

    async def drop(self) -> None:
        """Ask no longer: the round came to nothing."""
        if self._asked is not None:
            await self._asked.drop(self._adviser.ledger)


async def begin_strategy(
    context: RoundContext, brief: Brief, *, last_round: bool
) -> RoundStrategy | None:
    """Return the round's strategy, asked for where it is needed; None where the engine is off.

    The first round, and one under an advice that calls for it, wait for the answer up to the limit
    of the settings. A late answer to the round before is taken instead of asking again; a round
    that found none before asks again beside its own call.
    """
    adviser = context.strategy
    if adviser is None or not _has_strategy(context, brief):
        return None
    kept = kept_in(context.instance.memory)
    late = adviser.take_late(_asking(context))
    patient = context.reply is None or _calls_for_new(context.advice)
    if patient and late is not None:  # it was made from what the advice now says otherwise
        await late.drop(adviser.ledger)
    elif late is not None:
        return RoundStrategy(context, adviser, kept, late)
    retried = not kept.prompt and kept.missed < MOST_MISSED and not last_round
    if not patient and not retried:
        return RoundStrategy(context, adviser, kept, None)
    told = strategy_context(context, brief, adviser.profile)
    asked = await adviser.begin(told, patient=patient)
    return RoundStrategy(context, adviser, kept, asked)


def _asking(context: RoundContext) -> AskingRound:
    return AskingRound(action_instance_id=context.instance.action_instance_id, number=context.round)


def _has_strategy(context: RoundContext, brief: Brief) -> bool:
    """Return whether such an action has a strategy: ai_say, and ai_ask of several rounds."""
    kind = context.action.action_type
    return kind in ADVISED and (kind is ActionType.AI_SAY or brief.max_rounds > 1)


def _calls_for_new(advice: Advice | None) -> bool:
    return advice is not None and advice.analysis.strategy_suggestion in _MADE_ANEW


def _level(spoken: Talk) -> float | None:
    """Return how far the client understands, as this round judged it."""
    assessment = spoken.reply.assessment if spoken.reply else None
    return assessment.understanding_level if assessment else None
