"""A round to judge, as the executor reports it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from heartrule.domain.action_result import ActionMetrics, ProgressSuggestion
from heartrule.domain.conversation import Role
from heartrule.domain.monitoring import (
    AnalysisReport,
    DialogueLine,
    RoundMetrics,
    TopicStrategy,
)

ASK_ROUND = AnalysisReport(
    session_id="s1",
    action_id="ask_father",
    action_instance_id="inst_1",
    action_type="ai_ask",
    turn_id="turn_2",
    round=2,
    max_rounds=5,
    metrics=ActionMetrics(
        information_completeness="还不知道职业",
        user_engagement="回答很短",
        emotional_intensity="语气平静",
        reply_relevance="没有回答问题",
    ),
    progress_suggestion=ProgressSuggestion.BLOCKED,
    target_variables=("父亲职业", "工作年限"),
    topic_strategy=TopicStrategy(text="先建立信任", max_retry_count="3"),
    trend=(
        RoundMetrics(
            round=1,
            metrics=ActionMetrics(user_engagement="愿意谈", emotional_intensity="有些紧张"),
            progress_suggestion=ProgressSuggestion.CONTINUE_NEEDED,
        ),
    ),
    dialogue=(
        DialogueLine(role=Role.ASSISTANT, text="您父亲做什么工作？"),
        DialogueLine(role=Role.CLIENT, text="不想说"),
        DialogueLine(role=Role.ASSISTANT, text="没关系。"),
    ),
)
"""The second round of an ai_ask whose client does not want to talk."""
SAY_ROUND = replace(
    ASK_ROUND,
    action_id="explain",
    action_type="ai_say",
    metrics=ActionMetrics(
        user_engagement="在听", emotional_intensity="平静", understanding_level="没有听懂术语"
    ),
    progress_suggestion=ProgressSuggestion.CONTINUE_NEEDED,
    target_variables=(),
)
"""A round of an ai_say whose client does not follow."""


def ask_round(**changes: Any) -> AnalysisReport:
    """Return the ai_ask round with some fields changed."""
    return replace(ASK_ROUND, **changes)
