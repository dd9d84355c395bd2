"""The steps that a condition skipped (SCRIPT-LANGUAGE, Conditions)."""

from __future__ import annotations

from dataclasses import dataclass


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
    """CONDITION_FALSE, or why there was no verdict: NO_VALUE, WRONG_TYPE, NOT_COMPUTABLE."""
    variable: str = ""
    """The error that prevented a verdict, where it is known."""
