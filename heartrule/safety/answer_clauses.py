"""What the clauses of an answer say; a clause that holds only known words says it plainly.

「我现在是安全的」, 「没有那样想过」 and "not at all" are such clauses, wherever they stand.
「楼下这两天在修路」 is none: it names a time and tells of something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TypeAlias

# Beyond it a text is read at its beginning only; an answer is short.
_LONGEST = 2_000
_MARKS = re.compile(r"[,.。!?;:…~\n\"“”()（）「」]+")
_AND = re.compile(r"\band\b")


class WordKind(StrEnum):
    """What a known word does in an answer."""

    YES = "yes"
    NO = "no"
    NEVER = "never"
    """Denies all of it, without a word for what was asked: not once."""
    OFTEN = "often"
    TIME = "time"
    """When it was; it says how often only where nothing else is told."""
    UNSURE = "unsure"
    SECURE = "secure"
    NEAR = "near"
    """Means at hand, or a time for it."""
    OBJECT = "object"
    """What was asked about: the thought of it, dying, hurting myself."""
    TURN = "turn"
    """Begins a clause that takes back what was said: but."""
    FILLER = "filler"


class ClauseSays(StrEnum):
    """What a clause of known words says."""

    YES = "yes"
    OFTEN = "often"
    UNSURE = "unsure"
    NO = "no"
    DENIED = "denied"
    """A no that names what it denies."""
    NEVER = "never"
    """A no that denies all of it."""
    SECURE = "secure"
    UNSAFE = "unsafe"
    NEAR = "near"
    LIMITED = "limited"
    """A no of some time only: not lately."""
    TURNED = "turned"
    """A yes behind a but."""


@dataclass(frozen=True, slots=True)
class PlainClause:
    """A clause of an answer."""

    text: str
    says: ClauseSays | None
    """None: it has other words, or says nothing."""


_DENYING = frozenset({WordKind.NO, WordKind.NEVER})
Token: TypeAlias = tuple[str, frozenset[WordKind]]


class KnownWords:
    """Reads clauses by lists of known words, the longest word first."""

    def __init__(self, lists: Mapping[WordKind, Iterable[str]]) -> None:
        """Know the words of each kind."""
        kinds: dict[str, set[WordKind]] = {}
        for kind, words in lists.items():
            for word in words:
                kinds.setdefault(word.removesuffix("$"), set()).add(kind)
        self._kinds = {word: frozenset(known) for word, known in kinds.items()}
        self._word = re.compile(rf" *(?:({any_word(kinds)}))")
        self._turn = re.compile(f"(?={any_word(lists[WordKind.TURN])})")

    def plain_clauses(self, text: str, asked: str) -> Sequence[PlainClause]:
        """Return the clauses of an answer to what was asked, and what the plain ones say."""
        return [PlainClause(each, self._plainly(each, asked)) for each in self.clauses(text)]

    def clauses(self, text: str) -> Iterator[str]:
        """Yield the clauses of an answer."""
        for part in _MARKS.split(text[:_LONGEST]):
            for clause in self._turn.split(part):
                yield from (each.strip() for each in self._divided(clause) if each.strip())

    def _divided(self, clause: str) -> Sequence[str]:
        """Return the parts between its `and` unless they only make sense together: now and then."""
        parts = _AND.split(clause)
        whole = self.tokens(clause) is not None and any(self.tokens(each) is None for each in parts)
        return [clause] if whole else parts

    def tokens(self, clause: str) -> Sequence[Token] | None:
        """Return the known words that make up a clause; None where it has any other."""
        found: list[Token] = []
        place, end = 0, len(clause.rstrip())
        while place < end:
            match = self._word.match(clause, place)
            if match is None or match.end() == place:
                return None
            found.append((match[1], self._kinds[match[1]]))
            place = match.end()
        return found

    def has(self, clause: str, *kinds: WordKind) -> bool:
        """Return whether a clause has a word of one of these kinds, whatever else it has."""
        found = (self._kinds[match[1]] for match in self._word.finditer(clause))
        return any(not known.isdisjoint(kinds) for known in found)

    def _plainly(self, clause: str, asked: str) -> ClauseSays | None:
        """Return what a clause of known words says behind a question; None where it says nothing.

        A time that the question has, too, is no limit of a denial.
        """
        tokens = self.tokens(clause)
        if not tokens:
            return None
        kinds = frozenset().union(*(known for _, known in tokens))
        if WordKind.UNSURE in kinds:
            return ClauseSays.UNSURE
        if kinds & _DENYING:
            limits = {
                word for word, known in tokens if WordKind.TIME in known and word not in asked
            }
            return _denied(kinds, [known for _, known in tokens], limited=bool(limits))
        if WordKind.TURN in kinds and kinds & {WordKind.YES, WordKind.OFTEN, WordKind.TIME}:
            return ClauseSays.TURNED
        said = (
            (WordKind.NEAR, ClauseSays.NEAR),
            (WordKind.OFTEN, ClauseSays.OFTEN),
            (WordKind.TIME, ClauseSays.OFTEN),
        )
        rest = ((WordKind.SECURE, ClauseSays.SECURE), (WordKind.YES, ClauseSays.YES))
        return next((plain for kind, plain in (*said, *rest) if kind in kinds), None)


def _denied(
    kinds: frozenset[WordKind], words: Sequence[frozenset[WordKind]], *, limited: bool
) -> ClauseSays:
    if WordKind.SECURE in kinds:
        if all(WordKind.SECURE in each for each in words if each & _DENYING):
            return ClauseSays.SECURE  # no danger
        denied = [WordKind.SECURE in b for a, b in pairwise(words) if a & _DENYING]
        return ClauseSays.UNSAFE if denied == [True] else ClauseSays.UNSURE
    if WordKind.OFTEN in kinds and WordKind.NEVER not in kinds:
        return ClauseSays.UNSURE  # not every day
    if limited:
        return ClauseSays.LIMITED
    if WordKind.OBJECT in kinds:
        return ClauseSays.DENIED
    return ClauseSays.NEVER if WordKind.NEVER in kinds else ClauseSays.NO


def any_word(words: Iterable[str], behind: str = "") -> str:
    """Return a pattern that finds any of the words, the longest first, Latin ones as whole words.

    Args:
        words: Those to find.
        behind: What follows a word that ends in `$`.
    """
    parts = (
        rf"\b{re.escape(word.removesuffix('$'))}\b" if word.isascii() else _written(word, behind)
        for word in sorted(words, key=len, reverse=True)
    )
    return "|".join(parts) or "(?!)"


def _written(word: str, behind: str) -> str:
    return re.escape(word.removesuffix("$")) + (behind if word.endswith("$") else "")
