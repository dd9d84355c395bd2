"""Reads a model's stream, emits the client's text as drafts, and returns the whole reply."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from executor_service.actions.draft_progress import DraftProgress
from executor_service.actions.outgoing.outgoing_text import (
    CheckedText,
    OutgoingRules,
    OutgoingText,
    TextGuard,
)
from executor_service.actions.outgoing.outgoing_texts import NO_TABLE, OutgoingTable
from executor_service.turn_stopping import StopToken
from heartrule.domain.conversation import Completeness
from heartrule.domain.errors import ModelStreamCut
from heartrule.domain.events import DraftDelta
from heartrule.domain.model_call import LLMDebugInfo, ParseDiagnosis
from heartrule.domain.problem import Degradation
from heartrule.model.call_record import model_call_span
from heartrule.model.ports import ChatModel, ChatRequest, ModelRestarted
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.whole_reply import whole_reply

# Why a reply was cut: on request, or because its turn had no more time.
INTERRUPTED = "INTERRUPTED"
LATE = "TURN_TIMEOUT"
_NO_RULES = OutgoingRules()


@dataclass(slots=True)
class SecondTries:
    """Counts down how often a turn may ask a model again for a text that could not be sent."""

    left: int = 1

    def take(self) -> bool:
        """Return whether there was one left, and take it."""
        self.left -= 1
        return self.left >= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedReply:
    """One reply of a model, as far as it came."""

    message_id: str
    """Id of the drafts that were shown, and of the committed message."""
    raw: str
    """The whole text received."""
    said: CheckedText
    """What the client has seen of it, and what was wrong with the rest."""
    whole: bool
    """True when the end of the client's text was seen."""
    cut: str
    """Why the stream ended after text was shown and before its end; empty: it did not."""
    finish_reason: str

    @property
    def completeness(self) -> Completeness:
        """How much of its text the message holds."""
        if not self.cut or self.whole:
            return Completeness.COMPLETE
        interrupted = self.cut == INTERRUPTED
        return Completeness.INTERRUPTED if interrupted else Completeness.TRUNCATED

    def why_cut(self) -> tuple[Degradation, ...]:
        """Return that the stream broke off; nothing where a request ended it."""
        if self.cut in {"", INTERRUPTED}:
            return ()
        return (Degradation.of("model", "STREAM_CUT", cause=self.cut),)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyStreamer:
    """Streams the replies of one model into one sink."""

    model: ChatModel
    sink: DraftSink
    new_id: Callable[[str], str]
    """Makes the ids of messages."""
    guard: Callable[[], TextGuard] | None = None
    """Makes the guard of each reply; None: they leave without one."""
    texts: OutgoingTable = NO_TABLE
    """The engine's own words about texts that may not leave, by language."""
    second_tries: SecondTries = field(default_factory=SecondTries)
    """How often this turn may ask again for a text that could not be sent."""

    def note_parse(self, diagnosis: ParseDiagnosis) -> None:
        """Add to the latest call's record how its reply was read."""
        if self.sink.calls:
            self.sink.calls[-1] = replace(self.sink.calls[-1], parse=diagnosis)

    def prompt_cuts(self) -> tuple[Degradation, ...]:
        """Return what of the latest prompt gave way so that it fits its model."""
        return self.sink.calls[-1].cuts if self.sink.calls else ()

    async def stream_reply(
        self,
        request: ChatRequest,
        contract: ReplyContract | None,
        rules: OutgoingRules = _NO_RULES,
    ) -> StreamedReply:
        """Stream a reply to the client; `contract` says which fields it may hold, None: any text.

        A stream cut after at least one whole sentence returns a reply with `cut`; no other call
        continues it. The same holds where the turn's time is up, and where an interruption keeps a
        part of the text.

        Raises:
            ModelStreamCut: It was cut with less than a sentence shown.
            ModelUnavailable, ModelRateLimited: No provider answered.
        """
        make = partial(self._outgoing, rules)
        draft = DraftProgress(self.new_id("msg"), self.sink.emit, contract, make, rules.ends)
        cut, clock = "", asyncio.timeout(None)
        try:
            async with clock:
                await self._show(request, draft, clock)
        except ModelStreamCut as error:
            draft.conclude(cut=True)
            if not draft.keepable():
                raise
            cut = error.reason
        except TimeoutError:
            if not clock.expired():
                raise
            draft.conclude(cut=True)
            if not draft.keepable():
                raise ModelStreamCut("nothing of the reply may leave", reason=LATE) from None
            cut = LATE
        except asyncio.CancelledError:
            stop = self.sink.stop
            if not (draft.keep(stop.request) and stop.absorb()):
                raise
            cut = INTERRUPTED
        return StreamedReply(
            message_id=draft.message_id,
            raw=draft.raw,
            said=draft.outgoing.found(draft.shown),
            whole=draft.whole,
            cut=cut,
            finish_reason=self.finish_reason(),
        )

    async def whole_reply(self, request: ChatRequest) -> str:
        """Return a whole reply that the client never sees.

        Raises:
            ModelUnavailable, ModelRateLimited, ModelStreamCut: There is no whole reply.
        """
        return await whole_reply(self.model, request, calls=self.sink.calls)

    async def _show(
        self, request: ChatRequest, draft: DraftProgress, clock: asyncio.Timeout
    ) -> None:
        """Emit the reply as it comes; once it could be kept as it is, `clock` gets the deadline."""
        until = self.sink.reply_deadline
        with model_call_span(request, self.sink.calls):
            async for piece in self.model.stream(
                request, calls=self.sink.calls, visible=draft.is_visible
            ):
                if isinstance(piece, ModelRestarted):
                    draft.restart()
                    continue
                draft.feed(piece)
                if until is not None and draft.has_sentence():
                    clock.reschedule(until)
                    until = None
        draft.conclude()

    def _outgoing(self, rules: OutgoingRules) -> OutgoingText:
        return OutgoingText(rules, self.guard() if self.guard else None)

    def finish_reason(self) -> str:
        """Return how the latest call's stream ended."""
        return (self.sink.calls[-1].finish_reason if self.sink.calls else "") or "stop"
