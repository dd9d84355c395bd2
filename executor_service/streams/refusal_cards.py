"""Refusals with a card, sent apart from a session's events where these do not come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from executor_service.hub import Subscription
from heartrule.chassis.errors import to_problem
from heartrule.domain.errors import HeartRuleError, StoreUnavailable
from heartrule.domain.events import (
    InputRejected,
    MessageCommitted,
    SessionEvent,
    TurnEnded,
    TurnStarted,
)
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.wire.inbound import is_name

# An input that was sent together with `open` is read within this time, also where the session
# cannot be: a stream that fails ends no sooner, unless its client has half-closed.
_GRACE_S = 0.2


def rejected_event(key: SessionKey, client_message_id: str, error: HeartRuleError) -> SessionEvent:
    """Return the transient event with the reason why an input was rejected."""
    body = InputRejected(
        client_message_id=client_message_id, problem=to_problem(error), fallback=error.fallback
    )
    return SessionEvent(session_id=key.session_id, body=body)


def store_late(deadline_s: float) -> StoreUnavailable:
    """Return why an input has its card without the store."""
    return StoreUnavailable(
        f"the store did not answer within {deadline_s:g} s; the input may be stored later",
        reason="STORE_LATE",
    )


def id_of_hit(client_message_id: str) -> str:
    """Return the id under which the hit of a refused input is kept; a new one where it has none."""
    return client_message_id if is_name(client_message_id) else new_id("ref")


async def answered(subscription: Subscription, client_message_id: str) -> None:
    """Return once the turn of an input has committed something, or another process runs it."""
    turn_id: str | None = None
    while not subscription.take_behind():
        item = subscription.take()
        if item is None:
            await subscription.wait()
        if not isinstance(item, SessionEvent):
            continue
        body = item.body
        if isinstance(body, TurnStarted) and client_message_id in body.client_message_ids:
            turn_id = item.turn_id
        if item.turn_id == turn_id and isinstance(body, MessageCommitted | TurnEnded):
            return


class RefusalCards:
    """The queue of one stream, used while nothing is relayed."""

    def __init__(self) -> None:
        """Begin empty."""
        self._events: asyncio.Queue[SessionEvent | None] = asyncio.Queue()
        self._ended = False

    def put(self, event: SessionEvent) -> None:
        """Queue a refusal."""
        self._events.put_nowait(event)

    def end(self) -> None:
        """Note that no further input comes."""
        self._ended = True
        self._events.put_nowait(None)

    def take(self) -> list[SessionEvent]:
        """Return and remove what waits."""
        waiting = [self._events.get_nowait() for _ in range(self._events.qsize())]
        return [event for event in waiting if event is not None]

    async def until(self, session_read: asyncio.Task[Any]) -> AsyncIterator[SessionEvent]:
        """Yield refusals until the session is read."""
        while not session_read.done():
            card = asyncio.ensure_future(self._events.get())
            await asyncio.wait({session_read, card}, return_when=asyncio.FIRST_COMPLETED)
            if not card.done():
                card.cancel()
            elif (event := card.result()) is not None:
                yield event

    async def last(self, in_hand: Callable[[], bool]) -> AsyncIterator[SessionEvent]:
        """Yield the refusals of what was sent before the stream's failure was known.

        `in_hand`: whether an input is being refused.
        """
        while True:
            for event in self.take():
                yield event
            if self._ended:
                return
            try:
                async with asyncio.timeout(_GRACE_S):
                    self._events.put_nowait(await self._events.get())
            except TimeoutError:
                if not in_hand():
                    return
