"""From a round to what the strategy engine is told of it: pure (document 001, section 4.2.2)."""

from __future__ import annotations

from dataclasses import asdict

from executor_service.actions.context import RoundContext
from executor_service.actions.prompting import Brief
from executor_service.scripts.model.exits import ExitCriteria
from executor_service.strategy.kept import kept_in, trend_text
from executor_service.strategy.profile import StrategyProfile
from heartrule.domain.conversation import Role
from heartrule.domain.json_value import JsonValue
from heartrule.domain.strategy import (
    StrategyAction,
    StrategyContext,
    StrategyLine,
    StrategySituation,
)

LONGEST_CONTENT = 2_000
"""Characters of one message of the history that are kept."""
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
    return tuple(StrategyLine(role=role, content=text[:LONGEST_CONTENT]) for role, text in lines)


def _situation(context: RoundContext, brief: Brief) -> StrategySituation:
    phase, topic = context.scene.phase, context.scene.topic
    task = f"；这一步：{brief.task}" if brief.task else ""
    described = _named(topic.topic_name or topic.topic_id, topic.topic_goal)
    return StrategySituation(
        topic_description=f"{described}{task}"[:_LONGEST_TEXT],
        current_phase=_named(phase.phase_name or phase.phase_id, phase.phase_goal)[:_LONGEST_TEXT],
        progress_summary=_progress(context, brief)[:_LONGEST_TEXT],
        understanding_trend=trend_text(kept_in(context.instance.memory).levels),
    )


def _named(name: str, goal: str) -> str:
    return f"{name}：{goal}" if goal else name


def _progress(context: RoundContext, brief: Brief) -> str:
    """Return the round, which outputs are known, and what the monitor saw."""
    parts = [f"第 {context.round} 轮，最多 {brief.max_rounds} 轮"]
    names = [output.get for output in brief.outputs]
    known = [name for name in names if context.variables.get(name) not in {None, ""}]
    if known:
        parts.append(f"已经知道：{'、'.join(known)}")
    if missing := [name for name in names if name not in known]:
        parts.append(f"还不知道：{'、'.join(missing)}")
    if context.exit_hint:
        parts.append(context.exit_hint)
    if context.advice is not None:
        analysis = context.advice.analysis
        seen = (analysis.intervention_reason, analysis.strategy_suggestion)
        parts.append(f"旁观的同事看到：{' '.join(str(each) for each in seen if each)}")
    return "；".join(parts)


def _criteria(criteria: ExitCriteria | None) -> dict[str, JsonValue]:
    """Return the criteria that are set, by the script's names."""
    if criteria is None:
        return {}
    told: dict[str, JsonValue] = {
        "understanding_threshold": criteria.understanding_threshold,
        "has_questions": criteria.has_questions,
        "min_rounds": criteria.min_rounds,
    }
    conditions: list[JsonValue] = [asdict(each) for each in criteria.custom_conditions]
    if conditions:
        told["custom_conditions"] = conditions
    return {name: value for name, value in told.items() if value is not None}
