"""Patterns: terms in order with bounded gaps, joined from the places of the terms.

A pattern is written `<wish> ~4 <die>`: each item is a term or the name of a list in angle
brackets, and `~n` allows at most n characters between two. No gap reaches over a clause's end.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from executor_service.safety.term_finder import Span

_GAP = re.compile(r"\s+~(\d+)\s+")


@dataclass(frozen=True, slots=True)
class Pattern:
    """Items in order; item i+1 begins at most `gaps[i]` characters after item i has ended."""

    items: tuple[str, ...]
    gaps: tuple[int, ...]


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
    items, gaps = tuple(parts[::2]), tuple(int(gap) for gap in parts[1::2])
    if any(not item or "~" in item for item in items):
        raise ValueError(f"{written!r} has an empty item")
    return Pattern(items, gaps)


def matches(
    pattern: Pattern, spans: Mapping[str, Sequence[Span]], breaks: Sequence[int]
) -> Iterator[Found]:
    """Yield the places of a pattern, one for each place of its first item at most.

    Args:
        pattern: What is looked for.
        spans: The places of each item, in order.
        breaks: Offsets of clause ends, in order; no gap reaches over one.
    """
    for first in spans.get(pattern.items[0], ()):
        chain = _chain(pattern, spans, breaks, (first,))
        if chain is not None:
            yield Found(chain)


def _chain(
    pattern: Pattern,
    spans: Mapping[str, Sequence[Span]],
    breaks: Sequence[int],
    so_far: tuple[Span, ...],
) -> tuple[Span, ...] | None:
    if len(so_far) == len(pattern.items):
        return so_far
    end, gap = so_far[-1][1], pattern.gaps[len(so_far) - 1]
    places = spans.get(pattern.items[len(so_far)], ())
    for index in range(bisect_left(places, (end, 0)), len(places)):
        place = places[index]
        if place[0] > end + gap:
            return None
        if bisect_left(breaks, end) != bisect_left(breaks, place[0]):
            return None
        chain = _chain(pattern, spans, breaks, (*so_far, place))
        if chain is not None:
            return chain
    return None
