"""The text of one reply on its way to the client: what was shown of it, and what still waits."""

from __future__ import annotations

import re
from collections.abc import Callable

from executor_service.actions.outgoing.outgoing_text import OutgoingText
from heartrule.domain.events import DraftDelta, DraftPosition
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.scanner import ContentScanner
from session_store.records import StopRequest

# A dot ends a sentence only before white space: "3.5" is one word.
_SENTENCE_END = re.compile(r"[。！？!?…]|\.(?:\s|$)|\n")


class _FreeReply:
    """A reply that is the client's text and nothing else, as agents of threads write it."""

    complete = False
    """True once nothing more comes."""

    def feed(self, piece: str) -> str:
        return piece


class DraftProgress:
    """Reads a reply, lets its text through the checks, and emits what passes."""

    def __init__(
        self,
        message_id: str,
        emit: Callable[[DraftDelta], None],
        contract: ReplyContract | None,
        outgoing: Callable[[], OutgoingText],
        ends: Callable[..., bool | None],
    ) -> None:
        """Begin a reply.

        Args:
            message_id: The drafts'.
            emit: Takes each draft.
            contract: The fields of the reply; None: all of it is the client's text.
            outgoing: Makes the checks of the text, anew where a model starts again.
            ends: See `OutgoingRules.ends`.
        """
        self.message_id = message_id
        self._make, self._emit, self._contract, self._ends = outgoing, emit, contract, ends
        self._shown: list[str] = []
        self._offset = 0
        self._end_sent = False
        self.restart()

    @property
    def raw(self) -> str:
        """The whole text received."""
        return "".join(self._raw)

    @property
    def shown(self) -> str:
        """What the client has seen."""
        return "".join(self._shown)

    @property
    def whole(self) -> bool:
        """Whether the client has seen the text's end."""
        return self._end_sent

    def is_visible(self) -> bool:
        """Return whether the client has seen anything."""
        return self._offset > 0

    def restart(self) -> None:
        """Forget a reply of which nothing was shown."""
        self._raw: list[str] = []
        self._received: list[str] = []
        contract = self._contract
        self._scanner = _FreeReply() if contract is None else ContentScanner(contract)
        self.outgoing = self._make()
        self._began, self._finished = False, False

    def feed(self, piece: str) -> None:
        """Emit what a piece adds, and once that the text is complete."""
        self._raw.append(piece)
        if self._end_sent:
            return
        content = self._scanner.feed(piece)
        self._received.append(content)
        text = self._passing(content)
        if self._scanner.complete:
            first = not self._finished
            text += self._finish()
            if self.outgoing.waits and (first or "}" in piece):
                ends = self._ends(self.raw, whole=False)
                text += "" if ends is None else self.outgoing.settle(ends=ends, raw=self.raw)
        self._show(text)

    def conclude(self, *, cut: bool = False) -> None:
        """Emit what is left at the end of the stream; of a cut reply nothing is believed."""
        if self._end_sent or not self._began:
            return
        if isinstance(self._scanner, _FreeReply):
            self._scanner.complete = not cut
        text = self._finish()
        if self.outgoing.waits:
            raw = "" if cut else self.raw
            text += self.outgoing.settle(ends=bool(self._ends(raw, whole=True)), raw=raw)
        self._show(text)

    def keepable(self) -> bool:
        """Return whether a cut reply has a whole sentence, or its whole text, on the screen."""
        shown = self.shown
        return bool(shown) and (self._end_sent or _SENTENCE_END.search(shown) is not None)

    def has_sentence(self) -> bool:
        """Return whether a whole sentence has come, on the screen or still held by the checks.

        A full stop at the end may yet be a decimal point.
        """
        received = "".join(self._received)
        text = received if self._scanner.complete else received.removesuffix(".")
        return bool(text) and (self._scanner.complete or _SENTENCE_END.search(text) is not None)

    def keep(self, request: StopRequest | None) -> bool:
        """Cut the text at the last offset the client received; False where nothing is kept."""
        if request is None or request.heard is None:
            return request is not None and request.keeps_shown and self.keepable()
        offset = request.heard.offset
        shown = self.shown[:offset]
        if request.heard.message_id != self.message_id or not shown.strip():
            return False
        self._end_sent = self._end_sent and offset >= self._offset
        self._shown = [shown]
        return True

    def _passing(self, text: str) -> str:
        if not text:
            return ""
        if not self._began:
            self._began = True
            self.outgoing.begin(self.raw)
        return self.outgoing.feed(text)

    def _finish(self) -> str:
        if self._finished or not self._began:
            return ""
        self._finished = True
        return self.outgoing.finish()

    def _show(self, text: str) -> None:
        """Emit a text; with the last of it, or behind it, that the text is complete."""
        done = self._scanner.complete and self._finished and not self.outgoing.waits
        ends = done and not self._end_sent and (self._offset > 0 or bool(text))
        if not text and not ends:
            return
        self._end_sent = self._end_sent or ends
        at = DraftPosition(message_id=self.message_id, offset=self._offset)
        self._offset += len(text)
        self._shown.append(text)
        self._emit(DraftDelta(at=at, text=text, text_complete=ends))
