"""A sentence in its message, and the persons that it names."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from heartrule.safety.scope_words import ScopeWords
from heartrule.safety.term_finder import Span

#: The items of all words for persons, and of longer words that hide others.
PERSON, HIDING = "?person", "?hiding"


class Person(StrEnum):
    """Whom a sentence is about, before it is decided what that means."""

    SELF = "self"
    YOU = "you"
    OTHER = "other"
    NOBODY = "nobody"
    """A kind of people, and none of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence in its message."""

    text: str
    persons: Sequence[Span]
    """The places of all words for persons."""
    ends: Sequence[int]
    """Where its clauses end."""
    subjects: Sequence[Span] = ()
    """Those of them that can be a subject, see `possible_subjects`."""
    topic: Person | None = None
    """Whom the sentences before were about; None: nobody was named."""
    worried: bool = False
    """The message asks how to help, or worries."""
    names_other: bool = False
    """The message names somebody else anywhere."""
    unmasked: bool = False
    """The message says that the other person is the client."""


def begun_before(subjects: Sequence[Span], end: int) -> Sequence[Span]:
    """Return those that begin before `end`, or there."""
    return subjects[: bisect_right(subjects, end, key=lambda one: one[0])]


def named_person(word: str, words: ScopeWords) -> Person:
    """Return whom a word for a person names."""
    if word in words.first_person:
        return Person.SELF
    return Person.YOU if word in words.second_person else Person.OTHER
