"""Patterns: terms in order with bounded gaps, joined from the places of the terms.

A pattern is written `<wish> ~4 <die> ~ $`: each item is a term, the name of a list or phrase in
angle brackets, or `^` or `$`, the beginning or end of a clause. `~n` allows at most n characters
between two items, `~` alone only words that change no meaning. No gap reaches over a clause's end,
but `~n,` does.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from heartrule.safety.term_finder import Span

#: The beginning and the end of a clause, as items.
CLAUSE_START, CLAUSE_END = "^", "$"
#: The gap that holds skipped words only.
SKIPPED = -1
EDGES = frozenset({CLAUSE_START, CLAUSE_END})
_WIDEST = 60
# Who writes without marks begins anew with I.
_RUNS_ON = re.compile(r" i(?=['\s])")
_MARKS = frozenset(",:()—")
_GAP = re.compile(r"\s+~(\d*,?)\s+")


@dataclass(frozen=True, slots=True)
class Pattern:
    """Items in order; item i+1 begins at most `gaps[i]` characters after item i has ended."""

    items: tuple[str, ...]
    gaps: tuple[int, ...]
    needed: frozenset[str] = field(init=False, repr=False, compare=False)
    """The items, each of which a sentence must have."""

    def __post_init__(self) -> None:
        """Prepare what is asked of every sentence."""
        object.__setattr__(self, "needed", frozenset(self.items))

    open_gaps: frozenset[int] = frozenset()
    """Indices of the gaps that may reach over the end of a clause."""


@dataclass(frozen=True, slots=True)
class Clauses:
    """A sentence and where its clauses end."""

    text: str
    ends: Sequence[int]
    skipped: frozenset[str] = frozenset()
    """Words that change no meaning."""

    def part(self, low: int, high: int) -> bool:
        """Return whether two places are in different clauses."""
        return bisect_left(self.ends, low) != bisect_left(self.ends, high)

    def skips(self, low: int, high: int) -> bool:
        """Return whether only such words stand between two places."""
        return all(word in self.skipped for word in self.text[low:high].split())

    def start(self, place: int) -> int:
        """Return where the clause of a place begins."""
        index = bisect_right(self.ends, place)
        return self.ends[index - 1] if index else 0

    def around(self, place: int) -> Span:
        """Return the clause of a place."""
        index = bisect_right(self.ends, place)
        low = self.ends[index - 1] if index else 0
        return low, self.ends[index] if index < len(self.ends) else len(self.text)

    def edges(self) -> dict[str, list[Span]]:
        """Return the places of these two items."""
        starts = (0, *(end + (self.text[end] in _MARKS) for end in self.ends))
        runs_on = (match.start() for match in _RUNS_ON.finditer(self.text))
        ends = sorted((*self.ends, len(self.text), *runs_on))
        return {
            CLAUSE_START: [(place, place) for place in starts],
            CLAUSE_END: [(place, place) for place in ends],
        }


@dataclass(frozen=True, slots=True)
class Found:
    """One place where a pattern is met."""

    spans: tuple[Span, ...]
    """The place of each item."""

    @property
    def start(self) -> int:
        """Offset of the first item."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """Offset behind the last item."""
        return self.spans[-1][1]


def parse_pattern(written: str) -> Pattern:
    """Return a pattern from its written form.

    Raises:
        ValueError: An item is empty.
    """
    parts = _GAP.split(written.strip())
    items = tuple(parts[::2])
    gaps = tuple(int(gap.rstrip(",") or SKIPPED) for gap in parts[1::2])
    open_gaps = frozenset(index for index, gap in enumerate(parts[1::2]) if gap.endswith(","))
    if any(not item or "~" in item for item in items):
        raise ValueError(f"{written!r} has an empty item")
    return Pattern(items, gaps, open_gaps)


def matches(
    pattern: Pattern, spans: Mapping[str, Sequence[Span]], clauses: Clauses
) -> Iterator[Found]:
    """Yield the places of a pattern, one for each place of its first item at most.

    Args:
        pattern: What is looked for.
        spans: The places of each item, in order.
        clauses: The sentence; no gap reaches over the end of one of its clauses.
    """
    for first in spans.get(pattern.items[0], ()):
        chain = _chain(pattern, spans, clauses, (first,))
        if chain is not None:
            yield Found(chain)


def _chain(
    pattern: Pattern,
    spans: Mapping[str, Sequence[Span]],
    clauses: Clauses,
    so_far: tuple[Span, ...],
) -> tuple[Span, ...] | None:
    if len(so_far) == len(pattern.items):
        return so_far
    number = len(so_far) - 1
    end, gap, is_open = so_far[-1][1], pattern.gaps[number], number in pattern.open_gaps
    widest = _WIDEST if gap == SKIPPED else gap
    places = spans.get(pattern.items[len(so_far)], ())
    for index in range(bisect_left(places, (end, 0)), len(places)):
        place = places[index]
        if place[0] > end + widest or (not is_open and clauses.part(end, place[0])):
            return None
        if gap == SKIPPED and not clauses.skips(end, place[0]):
            continue
        chain = _chain(pattern, spans, clauses, (*so_far, place))
        if chain is not None:
            return chain
    return None
