"""Frames: study, work, news, games and fiction, in which the words are named and not meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from heartrule.chassis.config_files import FilePart
from heartrule.safety.patterns import Found
from heartrule.safety.term_finder import Span, TermFinder
from heartrule.safety.word_lists import Words

# Characters beside a hit in which it is named as a subject.
_NEAR = 6

FrameSpans: TypeAlias = Mapping[str, Sequence[Span]]


class Frames(FilePart):
    """The words of one language that make a frame."""

    topics: Words
    """A field in which the words are common: thesis, hotline, game."""
    telling: Words
    """What puts whatever follows into a story or a title: is about, the character."""
    nearby: Words = ()
    """Tells as these do, in its own clause only: asked me whether, thought that I."""
    taught: Words = ()
    """In study and work a worry about somebody is a matter too: exam, how to answer a caller."""
    authored: Words
    """The client's own story, dream or drawing: it may be about the client."""
    meant: Words
    """Shows that a sentence with a frame is meant all the same."""
    owned: Words = ()
    """Directly before a hit, behind I, they make what it is named by the client's: 我有自伤行为."""
    about: Words = ()
    """Directly before a hit they make it a subject: 关于, 讨论."""
    matters: Words = ()
    """Directly behind a hit they make it a part of a name: 自杀率, 自杀的新闻."""

    def read(self, text: str) -> FrameSpans:
        """Return where a sentence has such words."""
        return self._finder.spans(text)

    by_clause: bool = False
    """A clause in which I say something is framed by its own words only."""

    @staticmethod
    def named(found: FrameSpans) -> bool:
        """Return whether a sentence names such a field and nothing that is meant."""
        return ("topics" in found or "telling" in found) and "meant" not in found

    @staticmethod
    def within(found: FrameSpans, clause: Span) -> FrameSpans:
        """Return the words of a clause, and what shows in the whole sentence that it is meant."""
        own = {
            name: [span for span in spans if name == "meant" or clause[0] <= span[0] < clause[1]]
            for name, spans in found.items()
        }
        return {name: spans for name, spans in own.items() if spans}

    def told(self, found: FrameSpans, text: str, hit: Found) -> bool:
        """Return whether a hit stands behind words that begin a story, or is named as a subject."""
        if self._is_named(text, hit):
            return True
        if "meant" in found:
            return False
        place = hit.spans[-1][0]
        near = any(
            end <= place and "," not in text[end:place] for _, end in found.get("nearby", ())
        )
        return near or any(end <= place for _, end in found.get("telling", ()))

    def _is_named(self, text: str, hit: Found) -> bool:
        before = text[max(0, hit.start - _NEAR) : hit.start]
        behind = text[hit.end : hit.end + _NEAR].lstrip('了过”"」』').removeprefix("的")
        if any(word in before for word in self.about):
            return True
        return behind.startswith(self.matters) and not text[: hit.start].endswith(self.owned)

    @staticmethod
    def is_taught(found: FrameSpans) -> bool:
        """Return whether a sentence is about how people are helped."""
        return "taught" in found

    @staticmethod
    def is_authored(found: FrameSpans) -> bool:
        """Return whether the story is the client's own."""
        return "authored" in found

    @cached_property
    def _finder(self) -> TermFinder:
        lists = ("topics", "telling", "nearby", "taught", "authored", "meant")
        return TermFinder({name: getattr(self, name) for name in lists})
