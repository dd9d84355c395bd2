"""The fields of one parsed reply, each normalised; what was wrong is collected as warnings.

A warning names fields and rules, never a value: warnings are logged, a client's text is not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from heartrule.domain.action_result import MISSING_METRIC, ActionMetrics, ProgressSuggestion
from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.convert import read_number
from heartrule.model.reply.flags import read_exit, read_flag
from heartrule.model.reply.prose import Skeleton
from heartrule.model.template_filling import render_value

_MAX_LEVEL = 100
_LONGEST_SUGGESTION = 20  # longer than any synonym: a sentence names no suggestion
_GAPS = re.compile(r"[\s-]+")
_SYNONYMS = {
    ProgressSuggestion.CONTINUE_NEEDED: (
        "continue",
        "continue_need",
        "继续",
        "继续_needed",
        "需要继续",
    ),
    ProgressSuggestion.COMPLETED: ("complete", "完成", "已完成"),
    ProgressSuggestion.BLOCKED: ("block", "受阻", "抗拒"),
    ProgressSuggestion.OFF_TOPIC: ("offtopic", "跑题", "离题"),
}
_WORDS = {word: kind for kind, words in _SYNONYMS.items() for word in (kind.value, *words)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """The model's judgement of the client's understanding (RESOLUTIONS C25)."""

    understanding_level: float | None = None
    """0 to 100; None when not given or out of bounds."""
    has_questions: bool | None = None
    """Whether the client has questions left; None when not given."""


class FieldReader:
    """Reads fields out of one object; `warnings` lists what was defaulted or dropped."""

    def __init__(
        self,
        value: Mapping[str, JsonValue],
        contract: ReplyContract,
        own_words: Skeleton,
        said: str = "",
    ) -> None:
        """`own_words` are the template's, `said` are the client's."""
        self.warnings: list[str] = []
        self.quotes: dict[str, str] = {}
        self._value = value
        self._contract = contract
        self._skeleton = own_words
        self._said = said

    def exit(self) -> bool:
        """Return EXIT; absent means stay, anything unknown means stay and warns (C5)."""
        raw = self._value.get("EXIT")
        flag = read_exit(raw)
        if flag is None and raw is not None:
            self._warn("EXIT is neither YES nor NO; the action stays")
        return flag is True

    def content(self) -> str:
        """Return content as it streams; the template's own words are only noted."""
        text = str(self._value.get("content", ""))
        if self._skeleton.copied("content", text):
            self._warn("content repeats the template's description")
        return text

    def text(self, name: str) -> str:
        """Return a text field; empty when absent or copied from the template."""
        return self._clean(name, self._value.get(name))

    def flag(self, name: str) -> bool | None:
        """Return a yes-or-no field; None when absent or unclear."""
        raw = self._value.get(name)
        flag = read_flag(raw)
        if flag is None and raw is not None:
            self._warn(f"{name} is neither yes nor no; ignored")
        return flag

    def progress(self) -> ProgressSuggestion:
        """Return the suggestion, from `metrics` where it is absent at the top (C16)."""
        raw = self._value.get("progress_suggestion")
        if raw is None:
            raw = self._group("metrics").get("progress_suggestion")
        known = read_progress(raw)
        if known is None and self._contract.judges:
            self._warn("progress_suggestion is missing or unknown; continue_needed")
        return known or ProgressSuggestion.CONTINUE_NEEDED

    def metrics(self) -> ActionMetrics:
        """Return the contract's metrics as text; one that is missing gets its default."""
        group = self._group("metrics")
        found: dict[str, str] = {}
        for name in self._contract.metrics:
            found[name] = self._clean(f"metrics.{name}", group.get(name))
            if not found[name]:
                self._warn(f"metrics.{name} is missing; {MISSING_METRIC}")
                found[name] = MISSING_METRIC
        return ActionMetrics(**found)

    def variables(self) -> dict[str, JsonValue]:
        """Return values under output names, nested or at the top (C26); blanks stay unset.

        A value may stand beside the client's words that say it, which `quotes` then holds.
        """
        raw = self._value.get("variables", {})
        if not isinstance(raw, Mapping):
            self._warn("variables is not an object; ignored")
            raw = {}
        if foreign := set(raw) - set(self._contract.outputs):
            self._warn(f"{len(foreign)} in variables are no outputs; dropped")
        found: dict[str, JsonValue] = {}
        for name in self._contract.outputs:
            value, quote = _with_quote(raw[name] if name in raw else self._value.get(name))
            if self._copied_variable(name, value):
                self._warn(f"variable {name} repeats the template's description; unset")
            elif value is not None and (not isinstance(value, str) or value.strip()):
                found[name] = value
                if quote and not self._skeleton.copied(name, quote, said=self._said):
                    self.quotes[name] = quote
        return found

    def assessment(self) -> Assessment | None:
        """Return the assessment; None when nothing of it can be read."""
        raw = self._value.get("assessment")
        if not isinstance(raw, Mapping):
            return None
        level = read_number(render_value(raw.get("understanding_level")))
        if level is not None and not 0 <= level <= _MAX_LEVEL:
            self._warn(f"understanding_level is not between 0 and {_MAX_LEVEL}; ignored")
            level = None
        questions = read_flag(raw.get("has_questions"))
        if level is None and questions is None:
            self._warn("assessment holds neither level nor questions; ignored")
            return None
        return Assessment(understanding_level=level, has_questions=questions)

    def _group(self, name: str) -> Mapping[str, JsonValue]:
        raw = self._value.get(name)
        return raw if isinstance(raw, Mapping) else {}

    def _clean(self, name: str, raw: JsonValue) -> str:
        if self._skeleton.copied(name, raw):
            self._warn(f"{name} repeats the template's description; ignored")
            return ""
        return render_value(raw).strip()

    def _copied_variable(self, name: str, value: JsonValue) -> bool:
        fields = ("variables", f"variables.{name}")
        return any(self._skeleton.copied(field, value, said=self._said) for field in fields)

    def _warn(self, sentence: str) -> None:
        self.warnings.append(sentence)


def _with_quote(value: JsonValue) -> tuple[JsonValue, str]:
    """Return a variable's value, and the client's words beside it; empty where there are none."""
    if not isinstance(value, Mapping) or "value" not in value:
        return value, ""
    quote = value.get("quote")
    return value["value"], quote.strip() if isinstance(quote, str) else ""


def read_progress(value: JsonValue) -> ProgressSuggestion | None:
    """Return the progress suggestion that a value names as a whole, also by a synonym; else None.

    A copied list of all values and whole sentences name none.
    """
    if not isinstance(value, str):
        return None
    word = _GAPS.sub("_", unicodedata.normalize("NFKC", value).strip().lower())
    return _WORDS.get(word) if len(word) <= _LONGEST_SUGGESTION else None
