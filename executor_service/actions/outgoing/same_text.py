"""A text that is the client's own, or one of the assistant's earlier ones, does not leave.

It waits for as long as what has come is a beginning of one of these, usually a few characters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from executor_service.actions.outgoing.sentences import asks_at_all
from executor_service.actions.outgoing.text_fault import TextFault
from heartrule.model.reply.prose import plain_words

# So many characters of a statement are an acknowledgement, which may be said again.
_SHORT = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTexts:
    """What was said before, in the window of the prompt."""

    client: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    def begun_by(self, words: str) -> dict[str, TextFault]:
        """Return the texts that begin so, each with what it would be to say it."""
        repeated = _begun(self.said, words, TextFault.REPETITION)
        return {**repeated, **_begun(self.client, words, TextFault.ECHO)}

    def holds(self, text: str) -> bool:
        """Return whether the assistant has sent a text before, as a whole message or line."""
        words = plain_words(text)
        return bool(words) and any(_plain(each) == words for each in self.said)


#: Nothing was said before.
NO_TEXTS = EarlierTexts()


def _begun(texts: Iterable[str], words: str, fault: TextFault) -> dict[str, TextFault]:
    return {plain: fault for each in texts if (plain := _plain(each)).startswith(words)}


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Return a text as it is compared; every turn reads the same window."""
    return plain_words(text)


class SameText:
    """Holds one text while it may be one of the earlier ones."""

    def __init__(self, earlier: EarlierTexts) -> None:
        """Nothing has come yet."""
        self._earlier = earlier
        self._alike: dict[str, TextFault] | None = None
        self._held, self._words = "", ""
        self._passes = not (earlier.client or earlier.said)

    def feed(self, piece: str) -> str:
        """Return the text once it is none of the earlier ones."""
        if self._passes:
            return piece
        self._held += piece
        self._words += plain_words(piece)
        if not self._words:
            return ""
        if self._alike is None:
            self._alike = self._earlier.begun_by(self._words)
        self._alike = {each: f for each, f in self._alike.items() if each.startswith(self._words)}
        if self._alike:
            return ""
        self._passes = True
        return self._held

    def finish(self) -> tuple[str, TextFault | None]:
        """Return what was held, or what is wrong with it."""
        if self._passes:
            return "", None
        fault = (self._alike or {}).get(plain_words(self._held)) if self._words else None
        short = len(self._words) <= _SHORT and not asks_at_all(self._held)
        if fault is TextFault.REPETITION and short:
            fault = None
        return ("", fault) if fault else (self._held, None)
