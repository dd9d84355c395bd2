"""The steps that a condition skipped (SCRIPT-LANGUAGE, Conditions)."""

from __future__ import annotations

from dataclasses import dataclass

from heartrule.domain.json_value import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAnswer:
    """A value that the client gave before the question for it was put."""

    variable: str
    value: JsonValue
    quote: str = ""
    """The client's words for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSkipped:
    """An action, or a whole phase, that did not begin; reported as an event of its own."""

    phase_id: str
    topic_id: str = ""
    """Empty, as the next two, where the whole phase was skipped."""
    action_id: str = ""
    action_instance_id: str = ""
    condition: str = ""
    """As the script has it; no values."""
    reason: str = ""
    """CONDITION_FALSE, or why there was no verdict: NO_VALUE, WRONG_TYPE, NOT_COMPUTABLE; or
    KNOWN_CONFIRMED, KNOWN_SKIPPED: the client has answered before."""
    variable: str = ""
    """The error that prevented a verdict, where it is known."""
    answers: tuple[KnownAnswer, ...] = ()
    """What the client gave before, where that is the reason."""
