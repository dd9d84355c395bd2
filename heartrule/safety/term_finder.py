"""Finds thousands of terms in a text at once (an Aho-Corasick automaton of pyahocorasick)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import ahocorasick

Span = tuple[int, int]
_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


class TermFinder:
    """Finds the terms of named lists; time is linear in the text and in what is found."""

    def __init__(self, terms: Mapping[str, Iterable[str]]) -> None:
        """Look for the terms of each name; a term that ends in `*` may go on as a longer word."""
        names: dict[str, list[tuple[str, bool]]] = {}
        for name, each in terms.items():
            for term in each:
                bare = term.removesuffix("*")
                names.setdefault(bare, []).append((name, bare != term))
        self._automaton = ahocorasick.Automaton()
        for bare, known in names.items():
            self._automaton.add_word(bare, (len(bare), tuple(known)))
        self._empty = not names
        if names:
            self._automaton.make_automaton()

    def any_in(self, text: str) -> bool:
        """Return whether a term occurs, be it in the middle of a word."""
        return not self._empty and next(self._automaton.iter(text), None) is not None

    def spans(self, text: str) -> dict[str, list[Span]]:
        """Return the places of each name's terms, in order; Latin terms are whole words."""
        found: dict[str, list[Span]] = {}
        for last, (length, names) in () if self._empty else self._automaton.iter(text):
            start, end = last + 1 - length, last + 1
            if start and text[start] in _LATIN and text[start - 1] in _LATIN:
                continue
            goes_on = end < len(text) and text[last] in _LATIN and text[end] in _LATIN
            for name, prefix in names:
                if prefix or not goes_on:
                    found.setdefault(name, []).append((start, end))
        for places in found.values():
            places.sort()
        return found


def apart(spans: Iterable[tuple[int, int, str]]) -> Sequence[tuple[int, int, str]]:
    """Return spans that do not overlap: the first of them, and of these the longest."""
    chosen: list[tuple[int, int, str]] = []
    for span in sorted(spans, key=lambda each: (each[0], -each[1])):
        if not chosen or span[0] >= chosen[-1][1]:
            chosen.append(span)
    return chosen


def without_hidden(spans: Mapping[str, list[Span]], name_of_hiding: str) -> dict[str, list[Span]]:
    """Return the places of terms that do not begin inside a longer word of another meaning."""
    hiding = spans.get(name_of_hiding)
    if not hiding:
        return dict(spans)
    return {name: _outside(places, hiding) for name, places in spans.items() if places}


def _outside(places: Sequence[Span], hiding: Sequence[Span]) -> list[Span]:
    """Return the places that no hiding one begins before and covers the beginning of.

    Of two that begin at one place the longer one counts. Linear: both are in order.
    """
    kept, reach, number = [], 0, 0
    same: Span = (-1, -1)
    for low, high in places:
        while number < len(hiding) and hiding[number][0] <= low:
            if hiding[number][0] < low:
                reach = max(reach, hiding[number][1])
            else:
                same = hiding[number]
            number += 1
        if same[0] < low:
            reach = max(reach, same[1])
        if reach <= low and not (same[0] == low and same[1] > high):
            kept.append((low, high))
    return kept


def longest(places: Iterable[Span]) -> list[Span]:
    """Return places that do not overlap: the first of them, and of these the longest."""
    return [(low, high) for low, high, _ in apart((*place, "") for place in places)]
