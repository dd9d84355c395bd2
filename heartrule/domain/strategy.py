"""The strategy for talking with a client: the input of the recommending model, and its output.

The names are those of document 001, section 4.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from heartrule.domain.conversation import Role
from heartrule.domain.json_value import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyLine:
    """One message of the conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategySituation:
    """The current place in the conversation."""

    topic_description: str = ""
    current_phase: str = ""
    progress_summary: str = ""
    """The action's progress, in a few words."""
    understanding_trend: str = ""
    """The trend of the client's understanding; empty while nothing was judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyAction:
    """The action whose reply comes next."""

    action_type: str = ""
    subtype: str = ""
    """The action's subtype; empty where the script names none."""
    max_rounds: int = 0
    exit_criteria: Mapping[str, JsonValue] = field(default_factory=dict)
    """The script's criteria, those set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyContext:
    """All that a recommendation is made from."""

    user_profile: Mapping[str, JsonValue] = field(default_factory=dict)
    """The client's known facts by the profile's field names."""
    conversation_history: tuple[StrategyLine, ...] = ()
    """The last messages, oldest first."""
    current_situation: StrategySituation = StrategySituation()
    action_config: StrategyAction = StrategyAction()


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyReasoning:
    """The model's reasoning; a part it left out is empty."""

    user_state_analysis: str = ""
    key_considerations: tuple[str, ...] = ()
    strategy_rationale: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyRecommendation:
    """The model's recommendation."""

    strategy_prompt: str
    """The block that the action's prompt holds."""
    reasoning: StrategyReasoning = StrategyReasoning()


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyDecision:
    """One recommendation and what it was made from (document 001, strategyDecisions)."""

    action_id: str
    action_instance_id: str = ""
    round: int = 0
    """The round in which it was made, from 1."""
    context: StrategyContext
    recommendation: StrategyRecommendation
    timestamp: datetime | None = None
    """None until it is stored."""
