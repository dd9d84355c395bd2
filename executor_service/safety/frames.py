"""Frames: study, work, news, games and fiction, in which the words are named and not meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from executor_service.safety.term_finder import Span, TermFinder
from executor_service.safety.word_lists import WordLists, Words

FrameSpans: TypeAlias = Mapping[str, Sequence[Span]]


class Frames(WordLists):
    """The words of one language that make a frame."""

    topics: Words
    """A field in which the words are common: thesis, hotline, game."""
    telling: Words
    """What puts whatever follows into a story or a title: is about, the character."""
    authored: Words
    """The client's own story, dream or drawing: it may be about the client."""
    meant: Words
    """Shows that a sentence with a frame is meant all the same."""

    def read(self, text: str) -> FrameSpans:
        """Return where a sentence has such words."""
        return self._finder.spans(text)

    @staticmethod
    def named(found: FrameSpans) -> bool:
        """Return whether a sentence names such a field and nothing that is meant."""
        return ("topics" in found or "telling" in found) and "meant" not in found

    @staticmethod
    def told(found: FrameSpans, hit: Span) -> bool:
        """Return whether a hit stands behind words that begin a story."""
        return "meant" not in found and _before(found.get("telling", ()), hit)

    @staticmethod
    def is_authored(found: FrameSpans) -> bool:
        """Return whether the story is the client's own."""
        return "authored" in found

    @cached_property
    def _finder(self) -> TermFinder:
        lists = ("topics", "telling", "authored", "meant")
        return TermFinder({name: getattr(self, name) for name in lists})


def _before(spans: Sequence[Span], hit: Span) -> bool:
    return any(end <= hit[0] for _, end in spans)
