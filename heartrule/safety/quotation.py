"""Whether a phrase is only reported: a title, a line from a film, a person in a novel.

A client quoting himself, or agreeing with what he quotes, reports nothing.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from heartrule.chassis.config_files import FilePart
from heartrule.safety.word_lists import Words, WordSet

#: Characters on each side within which a quotation mark can belong to a phrase.
_REACH = 200
_CLAUSE = 40
_AFTER = 24
_SENTENCE_END = re.compile("[。!?;\n.]")
# An apostrophe, which is no mark.
_IN_WORD = re.compile("(?<=[a-z])'(?=[a-z])")
_LATIN_WORD = re.compile(r"[a-z']+")
_LEADING = " ,.。!?;:、"


class Quotation(FilePart):
    """The marks and words of reported speech, as the rules file lists them."""

    pairs: tuple[Annotated[str, Field(min_length=2, max_length=2)], ...]
    """Opening and closing mark."""
    titles: frozenset[str]
    """Pairs that need no source before them."""
    sources: Words
    sources_behind: Words = ()
    """Directly behind a quotation they name it: this line, this song."""
    narrators: Words
    first_person: WordSet
    own_voice_before: Words
    own_voice_after: Words


def is_reported(
    text: str, start: int, end: int, words: Quotation, *, is_framed: bool = False
) -> bool:
    """Return whether the phrase at `start:end` is plainly somebody else's; bounded work.

    Args:
        text: The sentence.
        start: Where the phrase begins.
        end: Where it ends.
        words: The marks and words of the language.
        is_framed: The sentence names study, work, news or fiction: its quotations need no source.
    """
    for pair in words.pairs:
        marks = _marks_around(text, start, end, pair)
        if marks is not None:
            return _is_foreign_quote(
                text, marks, words, needs_source=not is_framed and pair not in words.titles
            )
    return _is_narrated(text, start, end, words)


def _marks_around(text: str, start: int, end: int, pair: str) -> tuple[int, int] | None:
    """Return the places of the marks of one pair around the phrase; None where it is outside."""
    opening, closing = pair[0], pair[1]
    low = max(0, start - _REACH)
    if opening == "'":
        text = _IN_WORD.sub("_", text)
    opened = text.rfind(opening, low, start)
    closed = text.find(closing, end, end + _REACH)
    if closed < 0 and opening != "'":
        closed = len(text)  # its end is in the next sentence: "Feeling low? Call us"
    if opened < 0 or closed < 0:
        return None
    if opening == closing:
        line = text.rfind("\n", low, start) + 1
        inside = text.count(opening, max(line, low), start) % 2 == 1
    else:
        inside = text.find(closing, opened, start) < 0
    return (opened, closed) if inside else None


def _is_foreign_quote(
    text: str, marks: tuple[int, int], words: Quotation, *, needs_source: bool
) -> bool:
    before = _clause_before(text, marks[0])
    if any(own in before for own in words.own_voice_before):
        return False
    if _agrees(text, marks[1] + 1, words):
        return False
    if not needs_source or any(source in before for source in words.sources):
        return True
    behind = _SENTENCE_END.split(text[marks[1] + 1 : marks[1] + _AFTER])[0].lstrip(" ")
    return behind.startswith(words.sources_behind) and not _first_person(behind, words)


def _is_narrated(text: str, start: int, end: int, words: Quotation) -> bool:
    before = _clause_before(text, start)
    found = max(
        (before.rfind(who) + len(who) for who in words.narrators if who in before), default=-1
    )
    if found < 0 or _agrees(text, end, words):
        return False
    return not _first_person(before[found:], words)


def _clause_before(text: str, place: int) -> str:
    """Return the text before `place` in the same sentence."""
    return _SENTENCE_END.split(text[max(0, place - _CLAUSE) : place])[-1]


def _agrees(text: str, place: int, words: Quotation) -> bool:
    """Return whether the text after `place` is in the client's own name."""
    after = text[place : place + _AFTER].lstrip(_LEADING)
    return any(own in after for own in words.own_voice_after)


def _first_person(between: str, words: Quotation) -> bool:
    """Return whether the text holds a word for I; an English one counts as a whole word only."""
    if words.first_person & set(_LATIN_WORD.findall(between)):
        return True
    return any(word in between for word in words.first_person if not word.isascii())
