"""The crisis rules: a pure, linear search for plain words (issue: a crisis line)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from executor_service.safety.negation import Language, Negation, is_denied
from executor_service.safety.normal_text import NormalText, normal_text
from executor_service.safety.quotation import Quotation, is_reported
from executor_service.safety.resources import Resources

#: Denied or reported mentions after which the next counts: a denial is not repeated so often.
_DOUBTS = 50
_LATIN = re.compile("[a-z0-9]")


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
        """Yield start and end of each phrase that stands by itself and not in an idiom."""
        for phrase in self.phrases:
            if phrase.text not in text:
                continue
            start = text.find(phrase.text)
            while start >= 0:
                end = start + len(phrase.text)
                if _stands_alone(text, start, end) and not _covered(text, start, phrase):
                    yield start, end
                start = text.find(phrase.text, end)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrisisRules:
    """All rules, and the messages for a match."""

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


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether a Latin phrase is not a part of longer words; Chinese has no such edges."""
    if _LATIN.match(text[start]) and start > 0 and _LATIN.match(text[start - 1]):
        return False
    return not (_LATIN.match(text[end - 1]) and end < len(text) and _LATIN.match(text[end]))


def _covered(text: str, start: int, phrase: Phrase) -> bool:
    for idiom, offset in phrase.covers:
        begin = start - offset
        if begin < 0 or not text.startswith(idiom, begin):
            continue
        if _stands_alone(text, begin, begin + len(idiom)):
            return True
    return False
