"""Turns that run, and what is asked of them, for tests of the store."""

from __future__ import annotations

from typing import Any

from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import (
    StopKind,
    StopRequest,
    TurnLeft,
    TurnSnapshot,
)
from tests.support.store_builders import (
    accept,
    begun,
    opened,
)


async def running(
    store: Store, name: str = "s1", **changes: Any
) -> tuple[SessionKey, TurnSnapshot]:
    """Return a session and the turn that runs in it."""
    key = await opened(store, name)
    await accept(store, key)
    return key, await begun(store, key, **changes)


def stop_request(
    of: TurnSnapshot, kind: StopKind = StopKind.INTERRUPT, **changes: Any
) -> StopRequest:
    """Return what was asked of a turn."""
    return StopRequest(turn_id=of.turn_id, attempt=of.attempt, kind=kind, **changes)


def left(snapshot: TurnSnapshot, **changes: Any) -> TurnLeft:
    """Return a turn that its holder gives up."""
    return TurnLeft(turn_id=snapshot.turn_id, attempt=snapshot.attempt, **changes)
