"""Characters of which a server sends the two halves apart."""

from __future__ import annotations


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
