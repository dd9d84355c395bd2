"""What a hit means in its sentence: denied, about whom, over or not.

Whatever is unclear is no denial, is about the client, and goes on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property

from executor_service.safety.patterns import Found
from executor_service.safety.term_finder import Span, TermFinder
from executor_service.safety.word_lists import Language, WordLists, Words, WordSet

# Characters before a hit that can hold its denial.
_REACH = 96
# Bounds the work for one hit, so that the whole search stays linear.
_STEPS = 16
_LONGEST = 8
_AFTER = 24
# Characters between I and a person who is mine: 我的一个朋友.
_POSSESSIVE = 8
# Before I they answer and deny nothing: no I'm not.
_ANSWERS = frozenset({"no", "nope", "nah"})
_WORD = re.compile(r"[a-z0-9']+")


class ScopeWords(WordLists):
    """The words of one language that decide what a hit means."""

    breaks: Words
    """Conjunctions that begin a clause of their own."""
    negators: WordSet
    fillers: WordSet
    """May stand between a negator and a hit."""
    skipped: WordSet = frozenset()
    """May stand in a gap that holds nothing else."""
    affirmers: Words
    """Hold a negator and yet deny nothing."""
    failed_after: Words
    """Behind a hit they undo a denial: 没自杀成功 is an attempt."""
    denied_after: tuple[str, ...]
    """Regular expressions that deny what stands before them: 自杀的念头我没有."""
    first_person: WordSet
    second_person: WordSet
    third_person: WordSet
    companions: Words
    """Before a person they make it no subject: with, 和."""
    possessive: Words
    """Between I and another person they make that one the subject: 我的朋友."""
    past: Words
    resolved: Words
    """It is over and well: there is nothing to ask about what is past."""
    current: Words
    """Again, still, lately: what is past is not over."""

    @cached_property
    def denial_behind(self) -> re.Pattern[str]:
        """What denies a hit when it stands directly behind it."""
        return re.compile("|".join(f"(?:{each})" for each in self.denied_after) or "(?!)")

    @cached_property
    def owning(self) -> frozenset[str]:
        """What may stand between I and another person who is mine; nothing at all, too."""
        return frozenset({"", *self.possessive})

    @cached_property
    def persons(self) -> frozenset[str]:
        """All words for persons."""
        return self.first_person | self.second_person | self.third_person

    def is_over(self, text: str) -> bool:
        """Return whether a sentence is about what is past, and nothing says that it goes on."""
        found = self._times.spans(text)
        return "past" in found and "current" not in found

    def is_resolved(self, text: str) -> bool:
        """Return whether a text says that what was is over and well, and nothing goes on."""
        found = self._times.spans(text)
        return "resolved" in found and "current" not in found

    def clause_ends(self, text: str) -> list[int]:
        """Return where clauses end: at commas and before conjunctions."""
        return [match.start() for match in self._breaks.finditer(text)]

    @cached_property
    def _breaks(self) -> re.Pattern[str]:
        words = "|".join(
            rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in self.breaks
        )
        return re.compile(f"[,:()—]{'|' + words if words else ''}")

    @cached_property
    def _times(self) -> TermFinder:
        lists = ("past", "current", "resolved")
        return TermFinder({name: getattr(self, name) for name in lists})


def is_denied(text: str, found: Found, words: ScopeWords, language: Language) -> bool:
    """Return whether a hit is plainly denied: an odd number of negators, or a denial behind it."""
    after = text[found.end : found.end + _AFTER].lstrip(" ")
    if after.startswith(words.failed_after):
        return False
    if words.denial_behind.match(after):
        return True
    inside = sum(
        _negators_between(text[one[1] : two[0]], words, language)
        for one, two in zip(found.spans, found.spans[1:], strict=False)
    )
    if language is Language.CHINESE:
        before = _chinese_negators(text, found.start, words)
    else:
        before = _english_negators(text[max(0, found.start - _REACH) : found.start], words)
    return before is not None and (before + inside) % 2 == 1


def _negators_between(gap: str, words: ScopeWords, language: Language) -> int:
    if not gap.strip() or gap.endswith(words.affirmers):
        return 0
    if language is Language.ENGLISH:
        return sum(word in words.negators for word in _WORD.findall(gap))
    found = 0
    place = len(gap)
    while place > 0:
        word = _word_before(gap, place, words.negators)
        if word and not _is_a_not_a(gap, place - len(word), len(word)):
            found += 1
        place -= len(word) or 1
    return found


def _chinese_negators(text: str, start: int, words: ScopeWords) -> int | None:
    """Count negators back over fillers; None where an affirmer makes them deny nothing."""
    place, negators = start, 0
    known = words.negators | words.fillers
    for _ in range(_STEPS):
        if text.endswith(words.affirmers, 0, place):
            return None
        word = _word_before(text, place, known)
        if not word:
            break
        if word in words.negators:
            if _is_a_not_a(text, place - len(word), len(word)):
                return None
            negators += 1
        place -= len(word)
    return negators


def _word_before(text: str, place: int, known: frozenset[str]) -> str:
    """Return the longest known word that ends at `place`; empty when there is none."""
    for length in range(min(_LONGEST, place), 0, -1):
        word = text[place - length : place]
        if word in known:
            return word
    return ""


def _is_a_not_a(text: str, negator: int, length: int) -> bool:
    """Return whether the negator stands between two equal characters, as in 想不想 or 有没有."""
    behind = negator + length
    return negator > 0 and behind < len(text) and text[negator - 1] == text[behind]


def _english_negators(before: str, words: ScopeWords) -> int | None:
    ends = words.clause_ends(before)
    clause = _WORD.findall(before[ends[-1] :] if ends else before)
    if ends and clause and clause[0] in words.breaks:
        clause = clause[1:]
    negators = 0
    for index in range(len(clause) - 1, max(-1, len(clause) - 1 - _STEPS), -1):
        word = clause[index]
        if word in _ANSWERS and "".join(clause[index + 1 : index + 2]) in words.first_person:
            continue
        if word in words.negators:
            so_far = f" {' '.join(clause[: index + 1])}"
            if so_far.endswith(tuple(f" {affirmer}" for affirmer in words.affirmers)):
                return None
            negators += 1
        elif word not in words.fillers:
            break
    return negators


class Person(StrEnum):
    """Whom a sentence is about, before it is decided what that means."""

    SELF = "self"
    YOU = "you"
    OTHER = "other"


def person_of(
    text: str, found: Found, persons: Sequence[Span], words: ScopeWords, breaks: Sequence[int]
) -> Person:
    """Return whom a hit is about: the nearest person before it that can be its subject.

    The hit's own clause decides; without a person there, another one that begins the sentence,
    where nobody says I. Else it is the client.
    """
    before = [one for one in persons if one[0] <= found.spans[-1][0]]
    subjects = [one for one in before if _can_be_subject(text, one, persons, words)]
    speakers = [one for one in subjects if one[0] < _quote_before(text, found.start)]
    if speakers and _person(text[slice(*speakers[-1])], words) is Person.OTHER:
        return Person.OTHER
    clause = max((end for end in breaks if end <= found.start), default=0)
    own = [one for one in subjects if one[0] >= clause]
    if own:
        return _person(text[slice(*own[-1])], words)
    whose = [_person(text[slice(*one)], words) for one in subjects]
    if subjects and Person.SELF not in whose:
        return whose[-1]
    return Person.SELF


def _quote_before(text: str, place: int) -> int:
    """Return where the quotation that holds a place begins; -1 where it stands in none."""
    begins = [text.rfind(mark, 0, place) for mark in "“「『"]
    ends = [text.rfind(mark, 0, place) for mark in "”」』"]
    if text.count('"', 0, place) % 2:
        return text.rfind('"', 0, place)
    return max((a for a, b in zip(begins, ends, strict=True) if a > b), default=-1)


def _can_be_subject(text: str, span: Span, persons: Sequence[Span], words: ScopeWords) -> bool:
    behind = (one for one in persons if span[1] <= one[0] <= span[1] + _POSSESSIVE)
    if any(text[span[1] : one[0]].strip() in words.owning for one in behind):
        return False
    before = text[: span[0]].rstrip(" ")
    if not before.endswith(words.companions):
        return True
    return not any(
        before.endswith(word) and (not word.isascii() or not before[: -len(word)][-1:].isalnum())
        for word in words.companions
    )


def _person(word: str, words: ScopeWords) -> Person:
    if word in words.first_person:
        return Person.SELF
    return Person.YOU if word in words.second_person else Person.OTHER
