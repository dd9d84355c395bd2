"""Whether a phrase is denied: a negator directly before it, with only fillers in between.

Whatever is unclear is not a denial: a gap, punctuation, two negators, A-not-A questions such as
要不要, affirmers such as 为什么不.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from executor_service.safety.normal_text import NormalText, is_cjk

# Characters before a phrase that can hold its denial: a bound, for a clause has no longest length.
_REACH = 96
# Bounds the work for one phrase, so that the whole search stays linear.
_STEPS = 14
_BOUNDARY = re.compile('[.,;:!?()\\[\\]\n"“”「」『』《》。、…]')
_LONGEST = 6


class Language(StrEnum):
    """The languages that have rules."""

    CHINESE = "zh"
    ENGLISH = "en"


class Negation(BaseModel):
    """The words of denial in one language, as the rules file lists them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    negators: Annotated[frozenset[str], Field(min_length=1)]
    fillers: Annotated[frozenset[str], Field(min_length=1)]
    """May be between a negator and the phrase."""
    affirmers: Annotated[tuple[str, ...], Field(min_length=1)]
    """Hold a negator and yet deny nothing."""
    failed_after: tuple[str, ...] = ()
    """Behind the phrase they undo a denial: 没自杀成功 reports an attempt."""


def is_denied(
    normal: NormalText,
    start: int,
    end: int,
    words: Mapping[Language, Negation],
) -> bool:
    """Return whether the phrase at `start:end` is plainly denied; the work is bounded."""
    before = normal.text[max(0, start - 2) : start]
    language = Language.CHINESE if any(map(is_cjk, before)) else Language.ENGLISH
    own = words[language]
    after = normal.text[end : end + _LONGEST * 3].lstrip(" ")
    if after.startswith(own.failed_after):
        return False
    if language is Language.CHINESE:
        return _denied_in_chinese(normal, start, own)
    return _denied_in_english(normal.text[max(0, start - _REACH) : start], own)


def _denied_in_chinese(normal: NormalText, start: int, words: Negation) -> bool:
    """Walk back over fillers and count negators; Chinese has no spaces to split at."""
    text, place, negators = normal.text, start, 0
    for _ in range(_STEPS):
        if place in normal.gaps or text.endswith(words.affirmers, 0, place):
            return False
        word = _word_before(text, place, words)
        if not word:
            break
        if word in words.negators:
            if _is_a_not_a(text, place - len(word)):
                return False
            negators += 1
        place -= len(word)
    return negators == 1


def _word_before(text: str, place: int, words: Negation) -> str:
    """Return the longest known word that ends at `place`; empty when there is none."""
    for length in range(min(_LONGEST, place), 0, -1):
        word = text[place - length : place]
        if word in words.negators or word in words.fillers:
            return word
    return ""


def _is_a_not_a(text: str, negator: int) -> bool:
    """Return whether the negator is between two equal characters, as in 想不想 or 有没有."""
    return 0 < negator < len(text) - 1 and text[negator - 1] == text[negator + 1]


def _denied_in_english(before: str, words: Negation) -> bool:
    """Walk back over the words of the same clause."""
    clause = _BOUNDARY.split(before)[-1].split()
    negators = 0
    for index in range(len(clause) - 1, max(-1, len(clause) - 1 - _STEPS), -1):
        word = clause[index]
        if word in words.negators:
            so_far = f" {' '.join(clause[: index + 1])}"
            if so_far.endswith(tuple(f" {affirmer}" for affirmer in words.affirmers)):
                return False
            negators += 1
        elif word not in words.fillers:
            break
    return negators == 1
