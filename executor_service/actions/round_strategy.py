"""The strategy of one round: when a model is asked for it, how long a message waits for it.

Document 001, section 4.2.4; RESOLUTIONS C27.
"""

from __future__ import annotations

from dataclasses import asdict, replace

from executor_service.actions.action_context import RoundContext
from executor_service.actions.outgoing_rules import Judges, goes_on, is_last
from executor_service.actions.prompting import Brief
from executor_service.actions.talk import Talk, talk
from executor_service.scripts.model.actions import ADVISED, ActionType
from executor_service.scripts.model.exits import ExitCriteria
from executor_service.strategy.adviser import Asked, StrategyAdviser
from executor_service.strategy.kept import MOST_MISSED, KeptStrategy, kept_in, trend_text
from executor_service.strategy.profile import StrategyProfile
from heartrule.domain.conversation import Completeness, Role
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import Advice, StrategySuggestion
from heartrule.domain.strategy import (
    StrategyAction,
    StrategyContext,
    StrategyDecision,
    StrategyLine,
    StrategySituation,
)
from heartrule.model.prompt_words import PromptWords

# Characters of one message of the history that are kept: one message must not crowd out others.
_LONGEST_CONTENT = 2_000
# Characters of each text of the situation: all of them enter one prompt.
_LONGEST_TEXT = 500


def strategy_context(
    context: RoundContext, brief: Brief, profile: StrategyProfile
) -> StrategyContext:
    """Return what a recommendation for this round is made from."""
    return StrategyContext(
        user_profile=profile.of(context.variables.visible()),
        conversation_history=_history(context)[-profile.history :],
        current_situation=_situation(context, brief),
        action_config=StrategyAction(
            action_type=context.action.action_type.value,
            subtype=brief.subtype,
            max_rounds=brief.max_rounds,
            exit_criteria=_criteria(brief.criteria),
        ),
    )


def _history(context: RoundContext) -> tuple[StrategyLine, ...]:
    """Return the messages, the reply that is judged now last."""
    lines = [
        (Role.CLIENT if message.role == "user" else Role.ASSISTANT, message.content)
        for message in context.history
    ]
    if context.reply is not None:
        lines.append((Role.CLIENT, context.reply))
    return tuple(StrategyLine(role=role, content=text[:_LONGEST_CONTENT]) for role, text in lines)


def _situation(context: RoundContext, brief: Brief) -> StrategySituation:
    phase, topic, words = context.scene.phase, context.scene.topic, context.scene.words
    task = f"{words.semicolon}{words.step}{words.colon}{brief.task}" if brief.task else ""
    described = _named(topic.topic_name or topic.topic_id, topic.topic_goal, words)
    return StrategySituation(
        topic_description=f"{described}{task}"[:_LONGEST_TEXT],
        current_phase=_named(phase.phase_name or phase.phase_id, phase.phase_goal, words)[
            :_LONGEST_TEXT
        ],
        progress_summary=_progress(context, brief)[:_LONGEST_TEXT],
        understanding_trend=trend_text(kept_in(context.instance.memory).levels, words),
    )


def _named(name: str, goal: str, words: PromptWords) -> str:
    return f"{name}{words.colon}{goal}" if goal else name


def _progress(context: RoundContext, brief: Brief) -> str:
    """Return the round, which outputs are known, and what the monitor saw."""
    words = context.scene.words
    parts = [words.round_of.format(round=context.round, rounds=brief.max_rounds)]
    names = [output.get for output in brief.outputs]
    known = [name for name in names if context.variables.get(name) not in {None, ""}]
    if known:
        parts.append(f"{words.known}{words.colon}{words.comma.join(known)}")
    if missing := [name for name in names if name not in known]:
        parts.append(f"{words.unknown}{words.colon}{words.comma.join(missing)}")
    if context.exit_hint:
        parts.append(context.exit_hint)
    if context.signals:
        parts.append(f"{words.noticed}{words.colon}{words.comma.join(context.signals)}")
    if context.advice is not None:
        analysis = context.advice.analysis
        seen = (analysis.intervention_reason, analysis.strategy_suggestion)
        parts.append(
            f"{words.colleague_saw}{words.colon}{' '.join(str(each) for each in seen if each)}"
        )
    return words.semicolon.join(parts)


def _criteria(criteria: ExitCriteria | None) -> dict[str, JsonValue]:
    """Return the criteria that are set, by the script's names."""
    if criteria is None:
        return {}
    criteria_values: dict[str, JsonValue] = {
        "understanding_threshold": criteria.understanding_threshold,
        "has_questions": criteria.has_questions,
        "min_rounds": criteria.min_rounds,
    }
    conditions: list[JsonValue] = [asdict(each) for each in criteria.custom_conditions]
    if conditions:
        criteria_values["custom_conditions"] = conditions
    return {name: value for name, value in criteria_values.items() if value is not None}


# Suggestions of an advice after which a strategy no longer fits (RESOLUTIONS C27).
_MADE_ANEW = frozenset(
    {
        StrategySuggestion.REPHRASE,
        StrategySuggestion.COMFORT,
        StrategySuggestion.ACCEPT_PARTIAL,
    }
)


async def talk_by_strategy(context: RoundContext, brief: Brief, judges: Judges = goes_on) -> Talk:
    """Send a message as `talk` does, with a strategy where the engine is on for this action.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: No text was sent. A strategy that fails
            raises nothing: the reply is made without it.
    """
    last = is_last(context, brief)
    strategy = await begin_strategy(context, brief, last_round=last)
    if strategy is None:
        return await talk(context, brief, judges)
    try:
        talk_result = await talk(context, strategy.advised(brief), judges)
    except BaseException:  # cancellation, too: no call outlives its round
        await strategy.drop()
        raise
    return await strategy.end(talk_result, last_round=last)


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

    def advised(self, brief: Brief) -> Brief:
        """Return the brief with the strategy for this round's prompt, where it has come by now."""
        new = self._asked.recommendation if self._asked else None
        text = new.strategy_prompt if new else self._kept.prompt
        if not text:
            return brief
        note = self._context.scene.words.strategy_note
        return replace(brief, values={**brief.values, "strategy_prompt": f"{text}\n{note}"})

    async def end(self, talk_result: Talk, *, last_round: bool) -> Talk:
        """Return the talk with what is kept; a late strategy is left to the next round."""
        kept = replace(self._kept, levels=self._kept.with_level(_level(talk_result)))
        if self._asked is None:
            return replace(talk_result, memory=kept.memory())
        exits = talk_result.made.reply is not None and talk_result.made.reply.exit
        cut = talk_result.message.completeness is Completeness.INTERRUPTED
        needed = not (last_round or exits or cut)
        found = await self._adviser.end(self._asked, needed=needed)
        new = self._asked.recommendation
        degradations = (*talk_result.degradations, *found)
        if new is None:
            missed = kept.missed + (0 if self._asked.running else 1)
            memory = replace(kept, missed=missed).memory()
            return replace(talk_result, memory=memory, degradations=degradations)
        decision = StrategyDecision(
            action_id=self._context.action.action_id,
            action_instance_id=self._context.instance.action_instance_id,
            round=self._context.round,
            context=self._asked.context,
            recommendation=new,
        )
        kept = replace(kept, prompt=new.strategy_prompt, missed=0)
        return replace(
            talk_result, memory=kept.memory(), strategy=decision, degradations=degradations
        )

    async def drop(self) -> None:
        """End the asking: the round failed."""
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
    late = adviser.take_late()
    patient = context.reply is None or _calls_for_new(context.advice)
    if patient and late is not None:  # the advice contradicts what it was made from
        await late.drop(adviser.ledger)
    elif late is not None:
        return RoundStrategy(context, adviser, kept, late)
    retried = not kept.prompt and kept.missed < MOST_MISSED and not last_round
    if not patient and not retried:
        return RoundStrategy(context, adviser, kept, None)
    question = strategy_context(context, brief, adviser.profile)
    asked = await adviser.begin(question, patient=patient)
    return RoundStrategy(context, adviser, kept, asked)


def _has_strategy(context: RoundContext, brief: Brief) -> bool:
    """Return whether such an action has a strategy: ai_say, and ai_ask of several rounds."""
    kind = context.action.action_type
    return kind in ADVISED and (kind is ActionType.AI_SAY or brief.max_rounds > 1)


def _calls_for_new(advice: Advice | None) -> bool:
    return advice is not None and advice.analysis.strategy_suggestion in _MADE_ANEW


def _level(talk_result: Talk) -> float | None:
    """Return how far the client understands, as this round judged it."""
    assessment = talk_result.made.reply.assessment if talk_result.made.reply else None
    return assessment.understanding_level if assessment else None
