"""Other processes learn of commits by LISTEN/NOTIFY."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from heartrule.domain.keys import SessionKey
from session_store.records import InterruptOrder
from session_store.sql.database import announcements
from session_store.sql.store import SqlStore
from tests.support.postgres import PostgresServer
from tests.support.store_builders import accept, begun, created, ended, opened
from tests.support.stores import postgres_store, sqlite_store

Heard: TypeAlias = "asyncio.Queue[SessionKey | None]"


@asynccontextmanager
async def listening(store: SqlStore) -> AsyncIterator[Heard]:
    """Give what the store hears, from its first None on: then it listens."""
    heard: Heard = asyncio.Queue()

    async def listen() -> None:
        async for key in store.changes():
            heard.put_nowait(key)

    task = asyncio.create_task(listen())
    assert await soon(heard) is None
    yield heard
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def soon(heard: Heard) -> SessionKey | None:
    """Return what is heard next, within ten seconds."""
    return await asyncio.wait_for(heard.get(), 10)


async def announced(heard: Heard, there: SqlStore) -> None:
    """Return once everything that `there` wrote before has been announced, and heard."""
    last = await created(there, "last")
    await there.delete_session(last)
    while await soon(heard) != last:
        pass


async def test_a_commit_elsewhere_is_heard(address: str) -> None:
    """Each commit that writes to a session names it to the other processes."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        key = await opened(there)
        async with listening(here) as heard:
            await announced(heard, there)
            await accept(there, key)
            assert await soon(heard) == key
            await ended(there, await begun(there, key))
            assert await soon(heard) == key


async def test_a_deletion_elsewhere_is_heard(address: str) -> None:
    """Watchers learn that a session is gone."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        key = await opened(there)
        async with listening(here) as heard:
            await announced(heard, there)
            await there.delete_session(key)
            assert await soon(heard) == key


async def test_own_commits_are_not_heard(address: str) -> None:
    """What this process wrote it knows already: the first it hears of is the other's."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        ours, theirs = await opened(here, "ours"), await opened(there, "theirs")
        async with listening(here) as heard:
            await announced(heard, there)
            await accept(here, ours)
            await accept(there, theirs)
            assert await soon(heard) == theirs


async def test_a_refused_transaction_is_not_told(address: str) -> None:
    """Nothing is told of what was rolled back or changed nothing."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        key, other = await opened(there), await opened(there, "other")
        await accept(there, key)
        async with listening(here) as heard:
            await announced(heard, there)
            await accept(there, key)
            await there.find_work(1)
            await accept(there, other)
            assert await soon(heard) == other


async def test_a_lost_connection_is_made_anew(server: PostgresServer, address: str) -> None:
    """None tells of the gap, when the connection is lost and when it is back; then all is heard."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        key = await opened(there)
        async with listening(here) as heard:
            await announced(heard, there)
            with server.connect() as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE query = 'LISTEN heartrule'"
                )
            assert [await soon(heard) for _ in range(2)] == [None, None]
            await accept(there, key)
            assert await soon(heard) == key


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let signs of life come, and be missed, within a second."""
    monkeypatch.setattr(announcements, "HEARTBEAT_S", 0.1)
    monkeypatch.setattr(announcements, "SILENT_S", 1.0)
    monkeypatch.setattr(announcements, "_LOOK_S", 0.1)


@pytest.mark.usefixtures("quick")
async def test_what_a_dead_process_did_not_announce_is_found(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its signs of life end; whoever listens then asks once what was changed lately."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        key = await opened(there)
        async with listening(here) as heard:
            await announced(heard, there)
            await accept(there, key, "announced")
            # Once by its announcement, and once by the question that follows each start.
            assert [await soon(heard), await of(heard, key)] == [key, key]
            dies(there, monkeypatch)
            await accept(there, key, "unannounced")
            assert await of(heard, key) == key


async def of(heard: Heard, key: SessionKey) -> SessionKey | None:
    """Return the next that is heard of a session."""
    while (found := await soon(heard)) != key:
        pass
    return found


def dies(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a store's process commit what is under way, and announce nothing any more."""
    engine: Any = store._engine
    monkeypatch.setattr(engine._connections.announcer, "_send", lambda _changes: None)


async def test_a_stop_request_is_announced_at_once(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for no other announcement: a turn elsewhere runs on meanwhile."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        key = await opened(here)
        await accept(here, key)
        turn = await begun(here, key)
        async with listening(here) as heard:
            await announced(heard, there)
            monkeypatch.setattr(announcements, "BATCH_S", 3_600)
            await there.interrupt_turn(InterruptOrder(key=key, turn_id=turn.turn_id))
            assert await soon(heard) == key


async def test_what_waits_is_announced_when_a_store_closes(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that ends in good order leaves nothing to be found by its silence."""
    async with postgres_store(address) as here:
        async with listening(here) as heard:
            monkeypatch.setattr(announcements, "BATCH_S", 3_600)
            async with postgres_store(address) as there:
                key = await opened(there)
            assert await soon(heard) == key


async def test_a_file_has_no_other_processes(tmp_path: Path) -> None:
    """On SQLite the changes end at once."""
    async with sqlite_store(tmp_path) as store:
        assert [key async for key in store.changes()] == []
