"""The result of one round of an action (document 000, ActionResult)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from heartrule.domain.exits import ExitDecision, ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.domain.problem import Problem

# Every metric of an unreadable reply; the text is fixed by document 000, getDefaultMetrics.
UNREADABLE_METRIC = "LLM输出解析失败,无法评估"
# A metric the reply left out; the text is fixed by document 000, ai_ask.
MISSING_METRIC = "信息不可用"
# A metric of a round whose metrics nobody reads, and that was not asked for.
NOT_ASSESSED = "未评估"
#: Key of a result's metadata: the variables that the client gave before their question was put.
GATHERED_AHEAD = "gathered_ahead"


class ProgressSuggestion(StrEnum):
    """The model's hint on what comes next; code only routes on it."""

    CONTINUE_NEEDED = "continue_needed"
    COMPLETED = "completed"
    BLOCKED = "blocked"
    OFF_TOPIC = "off_topic"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionMetrics:
    """System variables: the model's description of the client; no code compares them."""

    information_completeness: str = ""
    """ai_ask."""
    user_engagement: str = ""
    """ai_ask, ai_say."""
    emotional_intensity: str = ""
    """ai_ask, ai_say."""
    reply_relevance: str = ""
    """ai_ask."""
    understanding_level: str = ""
    """ai_say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DebugInfo:
    """The ids of the model calls of a round."""

    call_ids: tuple[str, ...] = ()
    """In the order in which the calls ended; the ledger has their records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionResult:
    """The outcome of one round of one action instance."""

    success: bool
    completed: bool
    ai_message: str = ""
    extracted_variables: Mapping[str, JsonValue] = field(default_factory=dict)
    """User variables, as the script's `output` names them."""
    metrics: ActionMetrics | None = None
    """None on an opening call, which judges nothing."""
    progress_suggestion: ProgressSuggestion | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    """Further facts, such as parseError, parseRetryCount, late_exit, repeated_content."""
    debug_info: DebugInfo | None = None
    """None where the round made no model call."""
    error: Problem | None = None
    action_id: str = ""
    action_instance_id: str = ""
    action_type: str = ""
    round: int = 0
    max_rounds: int = 0
    """Rounds the action had at most; 0 where nothing was judged."""
    exit_reason: ExitReason | None = None
    exit_decision: ExitDecision | None = None
