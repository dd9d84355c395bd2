"""All that a decision about an exit is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from executor_service.exits.policy import EVERY_SOURCE, EffectiveExitPolicy
from executor_service.scripts.model.exits import ExitCriteria
from heartrule.domain.action_result import ProgressSuggestion
from heartrule.domain.json_value import JsonValue
from heartrule.model.prompt_words import PromptWords, base_words
from heartrule.model.reply.field_reader import Assessment


def _unset(_name: str) -> JsonValue:
    return None


def _unknown(_name: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitInputs:
    """All a decision is made of; the metrics are no part of it (document 000).

    The numbers compared here are those a script author wrote; nothing else sets a threshold.
    """

    round: int
    """ai_ask: answers judged so far; ai_say: utterances so far."""
    max_rounds: int
    policy: EffectiveExitPolicy = EVERY_SOURCE
    exit_flag: bool = False
    """The reply's EXIT, parsed by RESOLUTIONS C5."""
    exit_reason_text: str = ""
    """The reply's own `exit_reason`."""
    brief: str = ""
    """The reply's BRIEF."""
    should_exit: bool = False
    """The reply's `should_exit`; a progress_suggestion of `completed` decides nothing."""
    progress_suggestion: ProgressSuggestion | None = None
    assessment: Assessment | None = None
    client_has_spoken: bool = True
    """Whether the client answered in this action; until then nothing ends it (C9)."""
    criteria: ExitCriteria | None = None
    complete: str = ""
    """In words, that a form is filled in; it counts as criteria met (RESOLUTIONS C21)."""
    lookup: Callable[[str], JsonValue] = _unset
    """Value of a variable as seen from the action; None while it has none."""
    required: tuple[str, ...] = ()
    """Outputs that an ai_ask must have."""
    known: Callable[[str], bool] = _unknown
    """Whether the client gave an output in this session."""
    words: PromptWords = field(default_factory=base_words)
    """What the reason of a decision is written in."""
