"""Reads a monitor model's object into an analysis; wrong fields give warnings, never guesses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import (
    DECLINED,
    InterventionLevel,
    MonitorAnalysis,
    StrategySuggestion,
)
from heartrule.model.reply.flags import read_flag
from heartrule.model.reply.prose import Skeleton

# Characters of one text that are kept: it enters a prompt, and must not crowd it out.
LONGEST_TEXT = 2_000
_SPACES = re.compile(r"[\s-]+")

WordT = TypeVar("WordT", bound=StrEnum)


def read_analysis(
    value: Mapping[str, JsonValue], *, own_words: Skeleton, required: str
) -> tuple[MonitorAnalysis, tuple[str, ...]]:
    """Return the analysis a reply holds and one warning for each wrong field.

    Args:
        value: The reply's object.
        own_words: The template's; a text that copies them is absent (RESOLUTIONS C36).
        required: The truth value every reply of this kind has to give; false where it does not.

    An absent `intervention_needed` takes the value of `understanding_issue` (RESOLUTIONS C17).
    """
    fields = _AnalysisFields(value, own_words)
    fields.demand(required)
    issue, needed = fields.truth("understanding_issue"), fields.truth("intervention_needed")
    feedback = fields.text("feedback_for_action")
    analysis = MonitorAnalysis(
        intervention_needed=bool(issue if needed is None else needed),
        intervention_reason=fields.text("intervention_reason"),
        intervention_level=fields.word("intervention_level", InterventionLevel),
        strategy_suggestion=fields.word("strategy_suggestion", StrategySuggestion),
        feedback_for_action=feedback,
        modified_approach=fields.text("modified_approach"),
        orchestration_needed=bool(fields.truth("orchestration_needed")),
        orchestration_reason=fields.text("orchestration_reason"),
        suggested_orchestration=fields.object("suggested_orchestration"),
        understanding_issue=bool(issue),
        issue_type=fields.text("issue_type"),
        example_suggestion=fields.text("example_suggestion"),
        metadata={DECLINED: True} if feedback and needed is False else {},
    )
    return analysis, tuple(fields.warnings)


class ReplyTexts:
    """Reads texts of a reply's object, and notes a warning for each one it could not take."""

    def __init__(self, own_words: Skeleton) -> None:
        """`own_words` are the template's; a copy of them is absent."""
        self.skeleton = own_words
        self.warnings: list[str] = []

    def whole_text(self, name: str, value: JsonValue) -> str:
        """Return a text without white space around it; empty where there is none."""
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self.warn(name, "is no text")
            return ""
        text = str(value).strip()
        if self.skeleton.copied(name, text):
            self.warn(name, "copies the template")
            return ""
        return text

    def warn(self, name: str, what: str) -> None:
        """Note what is wrong with a field."""
        self.warnings.append(f"{name} {what}")


class _AnalysisFields(ReplyTexts):
    """Typed access to the object of an analysis."""

    def __init__(self, value: Mapping[str, JsonValue], own_words: Skeleton) -> None:
        super().__init__(own_words)
        self._value = value

    def demand(self, name: str) -> None:
        """Warn where a field is not there at all."""
        if self._value.get(name) is None:
            self.warn(name, "is absent")

    def truth(self, name: str) -> bool | None:
        """Return a truth value, also where it is spelled as text; None where there is none."""
        value = self._value.get(name)
        flag = read_flag(value)
        if flag is None and value is not None and value != "":
            self.warn(name, "is no truth value")
        return flag

    def text(self, name: str) -> str:
        """Return a text, cut where it is too long; empty where there is none."""
        text = self.whole_text(name, self._value.get(name))
        if len(text) > LONGEST_TEXT:
            self.warn(name, f"was cut after {LONGEST_TEXT} characters")
        return text[:LONGEST_TEXT]

    def word(self, name: str, words: type[WordT]) -> WordT | None:
        """Return one of the words, however it is spaced or capitalised; None where it is none."""
        text = self.text(name)
        plain = _SPACES.sub("_", unicodedata.normalize("NFKC", text).strip().lower())
        if plain in set(words):
            return words(plain)
        if text:
            self.warn(name, "is none of the known words")
        return None

    def object(self, name: str) -> Mapping[str, JsonValue]:
        """Return an object; an empty one where there is none."""
        value = self._value.get(name)
        if isinstance(value, Mapping):
            return value
        if value:
            self.warn(name, "is no object")
        return {}
