"""The sweep that ends idle sessions (RESOLUTIONS C31)."""

from __future__ import annotations

from datetime import timedelta

from executor_service.hub import SessionHub
from executor_service.sweeps import IdleSweep
from session_store.open import open_in_memory
from tests.support.clock import A_MOMENT, ManualClock
from tests.support.store_builders import opened

HOUR = timedelta(hours=1)


async def test_idle_sessions_end_and_their_watchers_hear_it() -> None:
    """After the time nobody spoke, the next sweep ends the session once."""
    clock, hub = ManualClock(), SessionHub()
    store = open_in_memory(clock)
    key = await opened(store)
    watcher = hub.subscribe(key)
    ending = IdleSweep(store, hub, HOUR)
    assert await ending.sweep() == 0
    clock.move(HOUR + A_MOMENT)
    assert [await ending.sweep(), await ending.sweep()] == [1, 0]
    assert watcher.take() is not None


def test_off_by_default() -> None:
    """Zero means that no session ever ends by time."""
    assert not IdleSweep(open_in_memory(), SessionHub(), timedelta(0)).enabled
    assert IdleSweep(open_in_memory(), SessionHub(), HOUR).every_s == 60.0
