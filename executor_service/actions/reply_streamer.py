"""Reads a model's stream, emits the client's text as drafts, and returns the whole reply."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from executor_service.turn_stopping import StopToken
from heartrule.domain.errors import ModelStreamCut
from heartrule.domain.events import DraftDelta, DraftPosition
from heartrule.domain.model_call import LLMDebugInfo, ParseDiagnosis
from heartrule.domain.problem import Degradation
from heartrule.model.call_span import model_call_span
from heartrule.model.ports import ChatModel, ChatRequest, ModelRestarted
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.scanner import ContentScanner
from heartrule.model.whole_reply import whole_reply
from session_store.records import StopRequest

# Why a reply was cut: on request, or because its turn had no more time.
INTERRUPTED = "INTERRUPTED"
LATE = "TURN_TIMEOUT"
# A dot ends a sentence only before white space: "3.5" is one word.
_SENTENCE_END = re.compile(r"[。！？!?…]|\.(?:\s|$)|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedReply:
    """One reply of a model, as far as it came."""

    message_id: str
    """Id of the drafts that were shown, and of the committed message."""
    raw: str
    """The whole text received."""
    shown: str
    """What the client has seen of it."""
    whole: bool
    """True when the end of the client's text was seen."""
    cut: str = ""
    """Why the stream ended after text was shown and before its end; empty: it did not."""
    finish_reason: str = "stop"


class DraftSink(Protocol):
    """The receiver of drafts, and the limits of a reply."""

    calls: list[LLMDebugInfo]
    """Gets a record of every model call, also of those that fail."""
    stop: StopToken
    """Stops the turn."""
    reply_deadline: float | None
    """Time of the event loop after which a reply is cut that could be kept as it is."""

    def emit(self, draft: DraftDelta) -> None:
        """Emit a draft; never blocks."""


class TextGuard(Protocol):
    """Lets a text pass piece by piece, and changes what may not leave."""

    def feed(self, piece: str) -> str:
        """Return what may leave once a piece has come."""

    def finish(self) -> str:
        """Return what is left at the text's end."""


class ReplyStreamer:
    """Streams the replies of one model into one sink."""

    def __init__(
        self,
        model: ChatModel,
        sink: DraftSink,
        *,
        new_id: Callable[[str], str],
        guard: Callable[[], TextGuard] | None = None,
    ) -> None:
        """Make no call yet; `new_id` makes the ids of messages, `guard` the guard of each reply."""
        self._model = model
        self._sink = sink
        self._calls = sink.calls
        self._new_id = new_id
        self._guard = guard

    def guarded_by(self, guard: Callable[[], TextGuard]) -> ReplyStreamer:
        """Return a streamer whose replies leave through a guard of their own each."""
        return ReplyStreamer(self._model, self._sink, new_id=self._new_id, guard=guard)

    def note_parse(self, diagnosis: ParseDiagnosis) -> None:
        """Add to the latest call's record how its reply was read."""
        if self._calls:
            self._calls[-1] = replace(self._calls[-1], parse=diagnosis)

    def prompt_cuts(self) -> tuple[Degradation, ...]:
        """Return what of the latest prompt gave way so that it fits its model."""
        return self._calls[-1].cuts if self._calls else ()

    async def stream_reply(self, request: ChatRequest, contract: ReplyContract) -> StreamedReply:
        """Stream a reply to the client; `contract` says which fields it may hold.

        A stream cut after at least one whole sentence returns a reply with `cut`; no other call
        continues it. The same holds where the turn's time is up, and where an interruption keeps a
        part of the text.

        Raises:
            ModelStreamCut: It was cut with less than a sentence shown.
            ModelUnavailable, ModelRateLimited: No provider answered.
        """
        draft = _DraftProgress(self._new_id("msg"), self._sink.emit, contract, self._guard)
        cut, clock = "", asyncio.timeout(None)
        try:
            async with clock:
                await self._show(request, draft, clock)
        except ModelStreamCut as error:
            if not draft.keepable():
                raise
            cut = error.reason
        except TimeoutError:
            if not clock.expired():
                raise
            cut = LATE
        except asyncio.CancelledError:
            stop = self._sink.stop
            if not (draft.keep(stop.request) and stop.absorb()):
                raise
            cut = INTERRUPTED
        return draft.reply(cut, finish_reason=self._finish_reason())

    async def whole_reply(self, request: ChatRequest) -> str:
        """Return a whole reply that the client never sees.

        Raises:
            ModelUnavailable, ModelRateLimited, ModelStreamCut: There is no whole reply.
        """
        return await whole_reply(self._model, request, calls=self._calls)

    async def _show(
        self, request: ChatRequest, draft: _DraftProgress, clock: asyncio.Timeout
    ) -> None:
        """Emit the reply as it comes; once it could be kept as it is, `clock` gets the deadline."""
        until = self._sink.reply_deadline
        with model_call_span(request, self._calls):
            async for piece in self._model.stream(
                request, calls=self._calls, visible=draft.is_visible
            ):
                if isinstance(piece, ModelRestarted):
                    draft.restart()
                    continue
                draft.feed(piece)
                if until is not None and draft.keepable(at_end=False):
                    clock.reschedule(until)
                    until = None

    def _finish_reason(self) -> str:
        return (self._calls[-1].finish_reason if self._calls else "") or "stop"


class _DraftProgress:
    """The text of one reply on its way to the client."""

    def __init__(
        self,
        message_id: str,
        emit: Callable[[DraftDelta], None],
        contract: ReplyContract,
        guard: Callable[[], TextGuard] | None,
    ) -> None:
        self._message_id = message_id
        self._make_guard = guard
        self._guard = guard() if guard else None
        self._contract = contract
        self._emit = emit
        self._raw: list[str] = []
        self._shown: list[str] = []
        self._offset = 0
        self._end_sent = False
        self._scanner = ContentScanner(self._contract)

    def is_visible(self) -> bool:
        """Return whether the client has seen anything."""
        return self._offset > 0

    def restart(self) -> None:
        """Forget a reply of which nothing was shown."""
        self._raw.clear()
        self._scanner = ContentScanner(self._contract)
        self._guard = self._make_guard() if self._make_guard else None

    def feed(self, piece: str) -> None:
        """Emit what a piece adds, and once that the text is complete."""
        self._raw.append(piece)
        text = self._guarded(self._scanner.feed(piece))
        ends = self._scanner.complete and not self._end_sent and (self._offset > 0 or bool(text))
        if not text and not ends:
            return
        self._end_sent = self._end_sent or ends
        at = DraftPosition(message_id=self._message_id, offset=self._offset)
        self._offset += len(text)
        self._shown.append(text)
        self._emit(DraftDelta(at=at, text=text, text_complete=ends))

    def _guarded(self, text: str) -> str:
        """Return what of a text may leave now; all that is left once it is complete."""
        if self._guard is None or self._end_sent:
            return text
        passed = self._guard.feed(text)
        return passed + self._guard.finish() if self._scanner.complete else passed

    def keepable(self, *, at_end: bool = True) -> bool:
        """Return whether a cut reply has a whole sentence, or its whole text, on the screen.

        Not `at_end`, while the reply is still coming: a full stop may yet be a decimal point.
        """
        shown = "".join(self._shown)
        if not at_end and not self._end_sent:
            shown = shown.removesuffix(".")
        return bool(shown) and (self._end_sent or _SENTENCE_END.search(shown) is not None)

    def keep(self, request: StopRequest | None) -> bool:
        """Cut the text at the last offset the client received; False where nothing is kept."""
        if request is None or request.heard is None:
            return request is not None and request.keeps_shown and self.keepable()
        offset = request.heard.offset
        shown = "".join(self._shown)[:offset]
        if request.heard.message_id != self._message_id or not shown.strip():
            return False
        self._end_sent = self._end_sent and offset >= self._offset
        self._shown = [shown]
        return True

    def reply(self, cut: str, *, finish_reason: str) -> StreamedReply:
        """Return the reply as far as it came."""
        return StreamedReply(
            message_id=self._message_id,
            raw="".join(self._raw),
            shown="".join(self._shown),
            whole=self._end_sent,
            cut=cut,
            finish_reason=finish_reason,
        )
