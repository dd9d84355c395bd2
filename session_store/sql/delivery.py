"""Handing a call from the loop to a thread, and its outcome back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call gave, or the error it ended with."""

    result: object = None
    error: Exception | None = None


Deliver: TypeAlias = Callable[[Outcome], None]
"""Brings an outcome to who waits for it, from any thread."""


async def delivered(put: Callable[[Deliver], None]) -> object:
    """Let `put` hand a call over, and return what the call gave, or raise what it ended with.

    A caller that is cancelled meanwhile hears nothing; the call stands.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[object] = loop.create_future()

    def deliver(outcome: Outcome) -> None:
        try:
            loop.call_soon_threadsafe(_settle, future, outcome)
        except RuntimeError:  # the loop was closed while the database worked; nobody waits
            pass

    put(deliver)
    return await future


def _settle(future: asyncio.Future[object], outcome: Outcome) -> None:
    if future.done():  # the caller was cancelled; the transaction stands
        return
    if outcome.error is not None:
        future.set_exception(outcome.error)
    else:
        future.set_result(outcome.result)
