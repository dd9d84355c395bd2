"""A reply that ends an action asks nothing: its last questions wait until that is known.

A text is cut after its last sentence that is no question. What may be a question is known at its
end, so a sentence waits from its start. An acknowledgement before it (「好的，」) does not, but for
one that was a message before: were the question cut, it would be sent a second time.
"""

from __future__ import annotations

from collections.abc import Callable

from executor_service.actions.outgoing.sentences import (
    acknowledgement,
    closed,
    first_sentence,
    is_question,
    sentences_of,
)


class LateQuestion:
    """Holds the questions at the end of one text."""

    def __init__(
        self, *, may_end: bool, said_before: Callable[[str], bool] = lambda _text: False
    ) -> None:
        """Hold nothing where the reply cannot be the action's last one."""
        self._may_end, self._said_before = may_end, said_before
        self._coming, self._waiting = "", ""
        self._asks, self._begun = False, False
        self._shown = ""
        self.cut = ""
        """What `settle` took away."""

    @property
    def waits(self) -> bool:
        """Whether something is held that only `settle` lets go."""
        return bool(self._waiting)

    def feed(self, piece: str) -> str:
        """Return what may leave once a piece has come."""
        if not self._may_end:
            return piece
        self._coming += piece
        out = ""
        while sentence := first_sentence(self._coming):
            self._coming = self._coming[len(sentence) :]
            out += self._passed(sentence)
        return self._left(out + self._acknowledged())

    def finish(self) -> str:
        """Return what may leave at the text's end; the questions it ends with still wait."""
        if not self._may_end:
            return ""
        rest, self._coming = self._coming, ""
        return self._left("".join(map(self._passed, sentences_of(rest))))

    def settle(self, *, ends: bool) -> str:
        """Return what was held, or drop it where the action ends with this text."""
        held, self._waiting = self._waiting, ""
        if not (ends and self._asks):
            return self._left(held)
        self.cut = held
        return closed(self._shown) if held and self._shown.strip() else ""

    def _passed(self, sentence: str) -> str:
        """Return a sentence with the questions before it; a question waits."""
        opener = self._opener(sentence)
        asks = is_question(sentence)
        if asks or not sentence.strip() or self._is_old(sentence):
            self._asks |= asks
            self._waiting += sentence[len(opener) :]
            return opener
        out = self._waiting + sentence
        self._waiting, self._asks, self._begun = "", False, True
        return out

    def _acknowledged(self) -> str:
        opener = self._opener(self._coming)
        self._coming = self._coming[len(opener) :]
        return opener

    def _opener(self, text: str) -> str:
        """Return the acknowledgement that a text begins with, where it may leave at once."""
        opener = "" if self._waiting else acknowledgement(text)
        if not opener or self._is_old(opener):
            return ""
        self._begun = True
        return opener

    def _is_old(self, text: str) -> bool:
        """Return whether the message would be one sent before, did it end here."""
        return not (self._begun or self._waiting) and self._said_before(text)

    def _left(self, text: str) -> str:
        self._shown = (self._shown + text)[-8:] if text.strip() else self._shown
        return text
