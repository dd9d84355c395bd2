"""Other processes learn of commits by LISTEN/NOTIFY (ARCHITECTURE section 4.2)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from heartrule.domain.keys import SessionKey
from session_store.sql.store import SqlStore
from tests.support.postgres import PostgresServer
from tests.support.store_builders import accept, begun, ended, opened
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


async def test_a_commit_elsewhere_is_heard(address: str) -> None:
    """Each commit that writes to a session names it to the other processes."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        key = await opened(there)
        async with listening(here) as heard:
            await accept(there, key)
            assert await soon(heard) == key
            await ended(there, await begun(there, key))
            assert await soon(heard) == key


async def test_a_deletion_elsewhere_is_heard(address: str) -> None:
    """Watchers learn that a session is gone."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        key = await opened(there)
        async with listening(here) as heard:
            await there.delete_session(key)
            assert await soon(heard) == key


async def test_own_commits_are_not_heard(address: str) -> None:
    """What this process wrote it knows already: the first it hears of is the other's."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        ours, theirs = await opened(here, "ours"), await opened(there, "theirs")
        async with listening(here) as heard:
            await accept(here, ours)
            await accept(there, theirs)
            assert await soon(heard) == theirs


async def test_a_refused_transaction_is_not_told(address: str) -> None:
    """Nothing is told of what was rolled back or changed nothing."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        key, other = await opened(there), await opened(there, "other")
        await accept(there, key)
        async with listening(here) as heard:
            await accept(there, key)
            await there.find_work(1)
            await accept(there, other)
            assert await soon(heard) == other


async def test_a_lost_connection_is_made_anew(server: PostgresServer, address: str) -> None:
    """None tells of the gap, when the connection is lost and when it is back; then all is heard."""
    async with postgres_store(address) as here, postgres_store(address) as there:
        key = await opened(there)
        async with listening(here) as heard:
            with server.connect() as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE query = 'LISTEN heartrule'"
                )
            assert [await soon(heard) for _ in range(2)] == [None, None]
            await accept(there, key)
            assert await soon(heard) == key


async def test_a_file_has_no_other_processes(tmp_path: Path) -> None:
    """On SQLite the changes end at once."""
    async with sqlite_store(tmp_path) as store:
        assert [key async for key in store.changes()] == []
