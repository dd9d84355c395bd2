"""What is left out of a reply while it comes, or waits for its rest: thoughts, half characters."""

from __future__ import annotations

_OPENS, _CLOSES = "<think>", "</think>"


class ThoughtFilter:
    """Takes the pieces of one reply and returns them without a thought at its beginning.

    Tags may be split over pieces. A tag anywhere else is text.
    """

    def __init__(self) -> None:
        """Start before the first piece."""
        self.dropped = 0
        """Characters of thought, without the tags."""
        self._held = ""
        self._began = self._thinks = False

    def feed(self, piece: str) -> str:
        """Return what is certain to be reply once a piece has come."""
        if self._began and not self._thinks:
            return piece
        self._held += piece
        if not self._began and not self._begin():
            return ""
        return self._read_thought() if self._thinks else self.finish()

    def finish(self) -> str:
        """Return what was held; of a thought without an end nothing."""
        held, self._held = self._held, ""
        if not self._thinks:
            return held
        self.dropped += len(held)
        return ""

    def _begin(self) -> bool:
        """Decide whether a thought begins; False while that is open."""
        text = self._held.lstrip()
        if len(text) < len(_OPENS) and _OPENS.startswith(text):
            return False
        self._began, self._thinks = True, text.startswith(_OPENS)
        if self._thinks:
            self._held = text.removeprefix(_OPENS)
        return True

    def _read_thought(self) -> str:
        thought, closed, rest = self._held.partition(_CLOSES)
        if closed:
            self.dropped += len(thought)
            self._held, self._thinks = "", False
            return rest
        # The end may be the beginning of the closing tag.
        kept = len(thought) - len(_CLOSES) + 1
        if kept > 0:
            self.dropped += kept
            self._held = thought[kept:]
        return ""


class SurrogateJoiner:
    """Joins a character whose two halves a server sent as two deltas."""

    def __init__(self) -> None:
        """Start with nothing held."""
        self._high = ""

    def join(self, text: str) -> str:
        """Return the text without a half character at its end, which waits for the next call."""
        if text.isascii() and not self._high:
            return text
        whole = self._high + text
        self._high = ""
        if whole and "\ud800" <= whole[-1] <= "\udbff":
            whole, self._high = whole[:-1], whole[-1]
        return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
