"""The fields of one parsed reply, each normalised; what was wrong is collected as warnings.

A warning names fields and rules, never a value: warnings are logged, a client's text is not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from heartrule.domain.action_result import MISSING_METRIC, ActionMetrics, ProgressSuggestion
from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.convert import read_number
from heartrule.model.reply.flags import read_exit, read_flag
from heartrule.model.reply.prose import Skeleton
from heartrule.model.template_filling import render_value

_MAX_LEVEL = 100
# Names of no output that are looked at: a script that calls a variable otherwise has one or two.
_MOST_FOREIGN = 8
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


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reply gives as values of variables."""

    values: dict[str, JsonValue] = field(default_factory=dict)
    """By output name, as given."""
    quotes: dict[str, str] = field(default_factory=dict)
    """By name, the client's words a value is said to rest on; a plain value has none."""
    foreign: dict[str, JsonValue] = field(default_factory=dict)
    """Some values under names that no output has."""


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

    def variables(self) -> Extraction:
        """Return values under output names, nested or at the top (C26); blanks stay unset."""
        raw = self._value.get("variables", {})
        if not isinstance(raw, Mapping):
            self._warn("variables is not an object; ignored")
            raw = {}
        outputs, fields = self._contract.outputs, self._contract.fields
        if foreign := [name for name in raw if name not in outputs]:
            self._warn(f"{len(foreign)} in variables are no outputs")
        found = Extraction()
        for name in outputs:
            # A field of the reply is no value, though an output has its name.
            beside = None if name in fields else self._value.get(name)
            self._take(name, raw.get(name, beside), found, found.values)
        for name in foreign[:_MOST_FOREIGN]:
            self._take(name, raw[name], found, found.foreign)
        return found

    def _take(
        self, name: str, raw: JsonValue, found: Extraction, values: dict[str, JsonValue]
    ) -> None:
        """Put a value, and its quote where it has one, among those found; blanks are none."""
        value, quote = _quoted(raw)
        if self._copied_variable(name, value):
            self._warn(f"variable {name} repeats the template's description; unset")
        elif value is not None and (not isinstance(value, str) or value.strip()):
            values[name] = value
            if quote is not None:
                copied = self._skeleton.copied(name, quote, said=self._said)
                found.quotes[name] = "" if copied else quote

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


def _quoted(raw: JsonValue) -> tuple[JsonValue, str | None]:
    """Return a value and its quote; a plain value has none, nor has an object of another shape."""
    if not isinstance(raw, Mapping) or "value" not in raw or set(raw) - {"value", "quote"}:
        return raw, None
    quote = raw.get("quote")
    return raw["value"], None if quote is None else render_value(quote).strip()


def read_progress(value: JsonValue) -> ProgressSuggestion | None:
    """Return the progress suggestion that a value names as a whole, also by a synonym; else None.

    A copied list of all values and whole sentences name none.
    """
    if not isinstance(value, str):
        return None
    word = _GAPS.sub("_", unicodedata.normalize("NFKC", value).strip().lower())
    return _WORDS.get(word) if len(word) <= _LONGEST_SUGGESTION else None
