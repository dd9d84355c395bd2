"""Why an action ends (document 000, exit_reason; document 001 section 3.2, ExitDecision)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ExitReason(StrEnum):
    """Classification of an exit, present also while the action goes on (RESOLUTIONS C6)."""

    MAX_ROUNDS_REACHED = "max_rounds_reached"
    EXIT_CRITERIA_MET = "exit_criteria_met"
    USER_BLOCKED = "user_blocked"
    OFF_TOPIC = "off_topic"


class DecisionSource(StrEnum):
    """Which of the four sources decided, in their order of precedence (RESOLUTIONS C7)."""

    MAX_ROUNDS = "max_rounds"
    EXIT_FLAG = "exit_flag"
    EXIT_CRITERIA = "exit_criteria"
    LLM_SUGGESTION = "llm_suggestion"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitDecision:
    """The decision whether the action ends, with its source."""

    should_exit: bool
    reason: str = ""
    """Readable: the model's exit_reason or BRIEF, or the criterion met (RESOLUTIONS C21)."""
    decision_source: DecisionSource | None = None
    """None while no source asked for an exit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRoundInfo:
    """The progress of the action judged last (document 001, lastActionRoundInfo)."""

    action_id: str
    action_instance_id: str = ""
    current_round: int = 0
    max_rounds: int = 0
    exit_decision: ExitDecision | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitHistoryEntry:
    """One decision on one round (document 001, exitHistory)."""

    action_id: str
    action_instance_id: str = ""
    action_type: str = ""
    round: int = 0
    max_rounds: int = 0
    decision: ExitDecision
    exit_reason: ExitReason | None = None
    """The classification, present also where the action goes on (RESOLUTIONS C6)."""
    timestamp: datetime | None = None
