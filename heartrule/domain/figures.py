"""How the sessions of one version of a script went, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from heartrule.domain.action_result import ProgressSuggestion
from heartrule.domain.exits import ExitReason
from heartrule.domain.monitoring import AdviceState, StrategySuggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitCount:
    """How often an action ended for one reason."""

    exit_reason: ExitReason
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceCount:
    """How much advice is in one state."""

    state: AdviceState
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressCount:
    """How many rounds were judged in one way."""

    progress_suggestion: ProgressSuggestion
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFigures:
    """What happened in one action over the sessions."""

    phase_id: str
    topic_id: str
    action_id: str
    technique_id: str = ""
    """The technique that defines it; empty: the topic does."""
    action_type: str = ""
    sessions: int = 0
    """That reached it."""
    begun: int = 0
    completed: int = 0
    skipped: int = 0
    rounds: int = 0
    """In which something was judged."""
    exits: tuple[ExitCount, ...] = ()
    stopped: int = 0
    """Sessions that stand there."""
    advice: tuple[AdviceCount, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyFigures:
    """How the rounds that used a strategy were judged, and the rounds that came next."""

    suggestion: StrategySuggestion | None = None
    """Of an advice; None: none of these, or a recommendation."""
    recommended: bool = False
    """True: the strategy engine recommended it."""
    used: int = 0
    before: tuple[ProgressCount, ...] = ()
    after: tuple[ProgressCount, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFigures:
    """The calls of one model for one purpose."""

    purpose: str
    provider: str
    model: str
    calls: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptFigures:
    """How the newest sessions of a version went, those forked from others left out."""

    script_id: str
    script_version: str
    sessions: int = 0
    has_more: bool = False
    """True: there are more than are counted."""
    started: int = 0
    finished: int = 0
    idle: int = 0
    failed: int = 0
    actions: tuple[ActionFigures, ...] = ()
    strategies: tuple[StrategyFigures, ...] = ()
    models: tuple[ModelFigures, ...] = ()
