"""One stream's events in order: durable ones without a gap, transient ones as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from executor_service.hub import Item, Replay, Subscription
from heartrule.chassis.latest import Latest
from heartrule.domain.conversation import Audience, Feature
from heartrule.domain.events import (
    DraftDelta,
    DraftVoided,
    Heartbeat,
    MessageCommitted,
    SessionEvent,
    TurnEnded,
)
from heartrule.domain.input_request import InputRequested
from session_store.ports import Store

# Messages and attempts whose late drafts are recognised: more than one turn commits.
_REMEMBERED = 64
# How often cards are looked for while the store is silent.
_SILENT_S = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Which events a stream shows."""

    audiences: frozenset[Audience] = frozenset({Audience.CLIENT})
    drafts: bool = True
    accepts: frozenset[Feature] = frozenset()
    """Kinds of requests and parts the client can show."""

    def shows(self, event: SessionEvent) -> bool:
        """Return whether the event is for this stream."""
        if event.audience not in self.audiences:
            return False
        if isinstance(event.body, InputRequested):
            return event.body.kind in self.accepts
        return self.drafts or not isinstance(event.body, DraftDelta)


class _Settled:
    """Drafts that sent events have replaced: of committed messages and ended attempts."""

    def __init__(self) -> None:
        self._messages = Latest[str, None](_REMEMBERED)
        self._attempts = Latest[str, int](_REMEMBERED)

    def note(self, event: SessionEvent) -> None:
        """Remember what a durable event settles."""
        body = event.body
        if isinstance(body, MessageCommitted):
            self._messages[body.message.message_id] = None
        elif isinstance(body, TurnEnded):
            self._end(event.turn_id, event.attempt)
        elif isinstance(body, DraftVoided):
            self._end(event.turn_id, body.up_to_attempt)

    def has(self, event: SessionEvent) -> bool:
        """Return whether a draft is too late to be sent."""
        if not isinstance(event.body, DraftDelta):
            return False
        if event.body.at.message_id in self._messages:
            return True
        return event.attempt <= self._attempts.get(event.turn_id, -1)

    def _end(self, turn_id: str, attempt: int) -> None:
        self._attempts[turn_id] = max(attempt, self._attempts.get(turn_id, attempt))


class Relay:
    """Follows one session from a sequence number on."""

    def __init__(
        self,
        store: Store,
        subscription: Subscription,
        *,
        cursor: int,
        view: View,
        heartbeat_s: float,
        ends: Callable[[], bool] | None = None,
        passed: Callable[[SessionEvent], None] | None = None,
    ) -> None:
        """Start after `cursor`; the events between it and the present are read from the store.

        Args:
            store: Gives what this process did not see.
            subscription: Gives the rest; closed by the caller.
            cursor: The last sequence the client has.
            view: Which events the client receives.
            heartbeat_s: Time without an event after which a heartbeat is emitted.
            ends: Asked after a nudge, once the queue is empty; None: it goes on until it is closed.
            passed: Gets every durable event once, in order, before it is emitted; no replays.
        """
        self._ends = ends
        self._passed = passed
        self._store = store
        self._subscription = subscription
        self._view = view
        self._heartbeat_s = heartbeat_s
        self._settled = _Settled()
        self._nudged = False
        self.cursor = cursor
        subscription.behind()

    async def events(self) -> AsyncIterator[SessionEvent]:
        """Yield what the view shows, and a heartbeat after each silence, until `ends` is true.

        Raises:
            NotFound: The session was deleted.
        """
        subscription = self._subscription
        while True:
            if subscription.take_behind():
                async for event in self._pull():
                    yield event
            item = subscription.take()
            if item is not None:
                for event in await self._events_of(item):
                    yield event
            elif self._over():
                return
            elif not await _something_waits(subscription, self._heartbeat_s):
                yield self._heartbeat()

    def _over(self) -> bool:
        """Return whether the stream ends, asked once after a nudge."""
        nudged, self._nudged = self._nudged, False
        return nudged and self._ends is not None and self._ends()

    async def _events_of(self, item: Item) -> Sequence[SessionEvent]:
        """Return the events to send of those that waited in the subscription."""
        if isinstance(item, SessionEvent):
            return (item,) if self._is_next(item) else ()
        if isinstance(item, Replay):
            return await self._again(item)
        self._nudged = True
        return ()

    async def _again(self, asked: Replay) -> tuple[SessionEvent, ...]:
        """Return the events of a turn, or of a waiting input, at or before the cursor."""
        key = self._subscription.key
        if asked.turn_id:
            events = await self._store.read_turn(key, asked.turn_id)
        else:
            events = await self._store.read_events(key, asked.sequence - 1, 1)
        return tuple(e for e in events if e.sequence <= self.cursor and self._view.shows(e))

    def _is_next(self, event: SessionEvent) -> bool:
        """Note an event that is next in sequence, and return whether to send it."""
        if event.sequence == 0:
            return self._view.shows(event) and not self._settled.has(event)
        if event.sequence > self.cursor + 1:  # others come before it; the store has them all
            self._subscription.behind()
            return False
        if event.sequence <= self.cursor:
            return False
        self._pass(event)
        return self._view.shows(event)

    async def _pull(self) -> AsyncIterator[SessionEvent]:
        """Yield what the store holds beyond the cursor; cards that come while it is silent."""
        while True:
            if self._subscription.card_may_come:
                async for card in self._cards_until(reading := asyncio.ensure_future(self._read())):
                    yield card
                found = reading.result()
            else:
                found = await self._read()
            if not found:
                return
            for event in found:
                self._pass(event)
                if self._view.shows(event):
                    yield event

    async def _cards_until(self, reading: asyncio.Task[Any]) -> AsyncIterator[SessionEvent]:
        """Yield the cards that come until the store has been read."""
        try:
            while not (await asyncio.wait({reading}, timeout=_SILENT_S))[0]:
                for card in self._subscription.take_cards():
                    yield card
        finally:
            reading.cancel()

    async def _read(self) -> Sequence[SessionEvent]:
        return await self._store.read_events(self._subscription.key, self.cursor)

    def _pass(self, event: SessionEvent) -> None:
        self.cursor = event.sequence
        self._settled.note(event)
        if self._passed is not None:
            self._passed(event)

    def _heartbeat(self) -> SessionEvent:
        body = Heartbeat(last_sequence=self.cursor)
        return SessionEvent(session_id=self._subscription.key.session_id, body=body)


async def _something_waits(subscription: Subscription, silence_s: float) -> bool:
    """Wait until there is something to emit; False after `silence_s` seconds without anything."""
    try:
        async with asyncio.timeout(silence_s):
            await subscription.wait()
    except TimeoutError:
        return False
    return True
