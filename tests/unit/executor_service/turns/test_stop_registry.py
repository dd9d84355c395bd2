"""Handing what is asked of a turn to its attempt, wherever it was asked."""

from __future__ import annotations

import asyncio

from executor_service.turn_stopping import StopToken
from executor_service.turns.stop_registry import StopRegistry
from heartrule.domain.errors import StoreUnavailable
from heartrule.domain.keys import SessionKey
from session_store.open import open_in_memory
from session_store.records import InterruptOrder, StopKind, StopRequest, TurnSnapshot
from session_store.sql.database.engine_sqlite import MemoryEngine
from session_store.sql.store import SqlStore
from tests.support.store_builders import accept, begun, opened
from tests.support.turn_builders import SOON_S


async def running() -> tuple[SqlStore, TurnSnapshot]:
    """Return a store and the turn that runs in it."""
    store = open_in_memory()
    key = await opened(store)
    await accept(store, key)
    return store, await begun(store, key)


async def looked(stops: StopRegistry) -> None:
    """Return when nothing is being looked for."""
    async with asyncio.timeout(SOON_S):
        while stops._looks:
            await asyncio.wait(stops._looks.values())


def stop_request(
    turn: TurnSnapshot, kind: StopKind = StopKind.INTERRUPT, attempt: int = 1
) -> StopRequest:
    """Return what is asked of a turn."""
    return StopRequest(turn_id=turn.turn_id, attempt=attempt, kind=kind)


async def test_another_process_is_heard() -> None:
    """A note that the session changed makes its attempt hear what the store says."""
    store, turn = await running()
    stops = StopRegistry(store)
    token = stops.begin(turn)
    await store.interrupt_turn(InterruptOrder(key=turn.lease.key, turn_id=turn.turn_id))
    stops.changed(turn.lease.key)
    stops.changed(turn.lease.key)
    await looked(stops)
    assert token.request == stop_request(turn)


async def test_after_a_time_of_deafness_every_attempt_looks() -> None:
    """None means that any session may have changed."""
    store, turn = await running()
    stops = StopRegistry(store)
    token = stops.begin(turn)
    await store.interrupt_turn(InterruptOrder(key=turn.lease.key, turn_id=turn.turn_id))
    stops.changed(None)
    await looked(stops)
    assert token.interrupted


async def test_sessions_that_do_not_run_here_cost_nothing() -> None:
    """No look is taken for them, nor for a turn that has ended."""
    store, turn = await running()
    stops = StopRegistry(store)
    stops.begin(turn)
    stops.end(turn)
    stops.changed(turn.lease.key)
    stops.changed(SessionKey("t", "other"))
    assert (stops._looks, stops.runs(turn.lease.key)) == ({}, False)
    stops.ask(turn.lease.key, stop_request(turn))


async def test_what_is_asked_of_another_turn_or_attempt_is_none_of_it() -> None:
    """An older turn's interrupt, or the restart of an attempt before, stops nothing."""
    store, turn = await running()
    stops = StopRegistry(store)
    token = stops.begin(turn)
    stops.ask(turn.lease.key, StopRequest(turn_id="turn_0", attempt=1, kind=StopKind.INTERRUPT))
    stops.ask(turn.lease.key, stop_request(turn, StopKind.RESTART, attempt=2))
    assert token.request is None
    stops.ask(turn.lease.key, stop_request(turn, attempt=2))
    assert token.interrupted


async def test_a_store_that_is_away_stops_nothing() -> None:
    """The next step asks it again."""

    class Away(SqlStore):
        async def find_stop(self, key: SessionKey) -> StopRequest | None:
            raise StoreUnavailable("away", reason="STORE_UNAVAILABLE")

    _, turn = await running()
    stops = StopRegistry(Away(MemoryEngine()))
    token: StopToken = stops.begin(turn)
    stops.changed(turn.lease.key)
    await looked(stops)
    assert token.request is None
