"""The crisis rules: their files, and a linear search for plain words (issue: a crisis line)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, TypeAdapter, model_validator

from executor_service.config_files import read_config
from executor_service.safety.negation import Language, Negation, is_denied
from executor_service.safety.normal_text import NormalText, normal_text
from executor_service.safety.quotation import Quotation, is_reported
from heartrule.domain.errors import InvalidRequest

# Denied or reported mentions after which the next counts: a denial is not repeated so often.
_DOUBTS = 50
_LATIN = re.compile("[a-z0-9]")


# The message for locales without one of their own.
_GENERIC = "generic"


class CrisisCategory(StrEnum):
    """What a client may name."""

    SUICIDE = "suicide"
    SELF_HARM = "self_harm"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleMatch:
    """What was found; never the client's words."""

    category: CrisisCategory
    rule: str
    """Id of the rule in the rules file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """One phrase and the idioms that take its meaning away."""

    text: str
    covers: tuple[tuple[str, int], ...] = ()
    """Idioms that contain the phrase, each with the phrase's offset in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrisisRule:
    """A named group of phrases."""

    rule_id: str
    category: CrisisCategory
    phrases: tuple[Phrase, ...]

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield start and end of each phrase that is a word of its own and not in an idiom."""
        for phrase in self.phrases:
            if phrase.text not in text:
                continue
            start = text.find(phrase.text)
            while start >= 0:
                end = start + len(phrase.text)
                if _is_whole_word(text, start, end) and not _covered(text, start, phrase):
                    yield start, end
                start = text.find(phrase.text, end)


class Resources(BaseModel):
    """The reviewed messages, as the resources file lists them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    default: str
    """Key of the message for a session without a locale."""
    aliases: dict[str, str] = {}
    """Further locales, each with the key of its message."""
    messages: dict[str, Annotated[str, Field(min_length=1, max_length=2000)]]
    _by_locale: dict[str, str] = PrivateAttr(default_factory=dict)
    """The messages and their aliases; keys in lower case."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        needed = {_GENERIC, self.default, *self.aliases.values()}
        if absent := sorted(needed - set(self.messages)):
            raise ValueError(f"messages lack {', '.join(absent)}")
        named = self.messages | {alias: self.messages[key] for alias, key in self.aliases.items()}
        self._by_locale.update({key.lower(): text.strip() for key, text in named.items()})
        return self

    def message(self, locale: str) -> str:
        """Return the message of a locale: its own, its alias's, its language's, else generic."""
        # `zh_CN.UTF-8` is `zh-cn`.
        name = re.split("[.@]", locale.strip(), maxsplit=1)[0].replace("_", "-").lower()
        name = name or self.default.lower()
        while name:
            if name in self._by_locale:
                return self._by_locale[name]
            name = name.rpartition("-")[0]
        return self._by_locale[_GENERIC]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrisisRules:
    """All rules, and the messages for a match (`executor_service.ports.CrisisWords`)."""

    rules: tuple[CrisisRule, ...]
    """In order: the first that matches wins."""
    negation: Mapping[Language, Negation]
    quotation: Quotation
    resources: Resources
    _anything: re.Pattern[str] = field(init=False, repr=False, compare=False)
    """Finds any phrase of all rules: most texts hold none, and are done with at that."""

    def __post_init__(self) -> None:
        """Join the phrases."""
        phrases = [re.escape(each.text) for rule in self.rules for each in rule.phrases]
        object.__setattr__(self, "_anything", re.compile("|".join(phrases) or "(?!)"))

    def find(self, text: str) -> RuleMatch | None:
        """Return the first rule whose phrase is plainly meant; when unclear, it is.

        Time is linear in the length of the text, whatever it holds.
        """
        normal = normal_text(text)
        if self._anything.search(normal.text) is None:
            return None
        doubts = 0
        for rule in self.rules:
            for start, end in rule.places(normal.text):
                doubts += 1
                if doubts > _DOUBTS or self._is_meant(normal, start, end):
                    return RuleMatch(category=rule.category, rule=rule.rule_id)
        return None

    def message(self, locale: str) -> str:
        """Return the fixed text with the help there is in that locale; empty means the default."""
        return self.resources.message(locale)

    def _is_meant(self, normal: NormalText, start: int, end: int) -> bool:
        if is_denied(normal, start, end, self.negation):
            return False
        return not is_reported(normal.text, start, end, self.quotation)


def crisis_rule(
    rule_id: str,
    category: CrisisCategory,
    *,
    phrases: tuple[str, ...],
    unless: tuple[str, ...] = (),
) -> CrisisRule:
    """Return a rule; `unless` lists the idioms in which a phrase means something else."""
    return CrisisRule(
        rule_id=rule_id,
        category=category,
        phrases=tuple(
            Phrase(text=text, covers=tuple((i, i.find(text)) for i in unless if text in i))
            for text in phrases
        ),
    )


def _is_whole_word(text: str, start: int, end: int) -> bool:
    """Return whether a Latin phrase is not a part of longer words; Chinese has no such edges."""
    if _LATIN.match(text[start]) and start > 0 and _LATIN.match(text[start - 1]):
        return False
    return not (_LATIN.match(text[end - 1]) and end < len(text) and _LATIN.match(text[end]))


def _covered(text: str, start: int, phrase: Phrase) -> bool:
    for idiom, offset in phrase.covers:
        begin = start - offset
        if begin < 0 or not text.startswith(idiom, begin):
            continue
        if _is_whole_word(text, begin, begin + len(idiom)):
            return True
    return False


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _RuleEntry(_Strict):
    id: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    category: CrisisCategory
    language: Language
    phrases: Annotated[tuple[str, ...], Field(min_length=1)]
    unless: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _phrases_can_match(self) -> Self:
        problems = [
            *(_spelling_problem(text) for text in (*self.phrases, *self.unless)),
            *(self._doubled(phrase) for phrase in self.phrases),
            *(
                f"{idiom!r} contains no phrase of this rule"
                for idiom in self.unless
                if not any(phrase in idiom for phrase in self.phrases)
            ),
        ]
        if found := [problem for problem in problems if problem]:
            raise ValueError("; ".join(found))
        return self

    def _doubled(self, phrase: str) -> str:
        """Name the shorter phrase that already matches; English phrases end at word edges."""
        if self.language is Language.ENGLISH:
            return ""
        shorter = [other for other in self.phrases if other != phrase and other in phrase]
        return f"{phrase!r} is already matched by {shorter[0]!r}" if shorter else ""

    def domain(self) -> CrisisRule:
        return crisis_rule(self.id, self.category, phrases=self.phrases, unless=self.unless)


class _RulesFile(_Strict):
    version: str
    reviewed: str
    rules: Annotated[tuple[_RuleEntry, ...], Field(min_length=1)]
    negation: dict[Language, Negation]
    quotation: Quotation

    @model_validator(mode="after")
    def _complete(self) -> Self:
        ids = [rule.id for rule in self.rules]
        if len(set(ids)) < len(ids):
            raise ValueError("two rules have the same id")
        if set(self.negation) != set(Language):
            raise ValueError(f"negation must hold {', '.join(Language)}")
        return self


class _ResourcesFile(Resources):
    version: str
    reviewed: str


class InvalidSafetyFile(InvalidRequest):
    """A file of the crisis rules breaks its rules; each violation names `file: path`."""


_RULES, _RESOURCES = TypeAdapter(_RulesFile), TypeAdapter(_ResourcesFile)


def load_crisis_rules(folder: Path) -> CrisisRules:
    """Read `rules.yaml` and `resources.yaml`.

    Args:
        folder: The `safety` folder of the system files.

    Raises:
        InvalidSafetyFile: A file is absent or breaks its rules; all its errors are named.
        InvalidSettingsFile: A file is not readable as YAML.
    """
    invalid = partial(InvalidSafetyFile, reason="INVALID_SAFETY_FILE")
    file = read_config(folder / "rules.yaml", _RULES, invalid=invalid)
    return CrisisRules(
        rules=tuple(rule.domain() for rule in file.rules),
        negation=MappingProxyType(file.negation),
        quotation=file.quotation,
        resources=read_config(folder / "resources.yaml", _RESOURCES, invalid=invalid),
    )


def _spelling_problem(phrase: str) -> str:
    """Return why a phrase can never match a normalised text; empty where it can."""
    seen = normal_text(phrase).text
    if seen == phrase and len(phrase) > 1:
        return ""
    return f"{phrase!r} must be written as {seen!r}, of two characters at least"
