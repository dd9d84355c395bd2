"""Calls that wait together share one commit, and nothing else."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa

from heartrule.domain.errors import HeartRuleError, NotFound, StoreFull
from heartrule.domain.keys import SessionKey
from session_store.records import AcceptedInput
from session_store.sql.database.engine import Transaction
from session_store.sql.database.engine_sqlite import SqliteEngine
from session_store.sql.database.worker import driver_of
from session_store.sql.store import SqlStore
from tests.support.store_builders import accept, opened
from tests.support.stores import sqlite_store

# Texts that fill a disk are longer than a client's message may be.
MOST_CHARS = 10_000_000


@asynccontextmanager
async def held_back(store: SqlStore) -> AsyncIterator[asyncio.Semaphore]:
    """Keep the writer busy; what is asked for meanwhile waits together, one permit for each."""
    loop, began, arrived = asyncio.get_running_loop(), asyncio.Event(), asyncio.Semaphore(0)
    engine, go = cast("SqliteEngine", store._engine), threading.Event()

    def hold(_db: sa.Connection) -> None:
        loop.call_soon_threadsafe(began.set)
        go.wait(10)

    holding = asyncio.ensure_future(engine.write(hold))
    await began.wait()
    assert engine._writer is not None
    submit = engine._writer._submit

    def noted(work: Transaction[Any], *, bare: bool) -> Awaitable[Any]:
        arrived.release()  # who waits for it goes on once the call stands in the queue
        return submit(work, bare=bare)

    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engine._writer, "_submit", noted)
            yield arrived
    finally:
        go.set()
        await holding


async def waiting(
    arrived: asyncio.Semaphore, *sends: Coroutine[Any, Any, object]
) -> list[asyncio.Task[object]]:
    """Begin these calls and return once each of them waits for the writer."""
    tasks = [asyncio.ensure_future(send) for send in sends]
    for _ in tasks:
        await arrived.acquire()
    return tasks


async def gathered(store: SqlStore, *keys: SessionKey) -> list[object]:
    """Send one input to each session, all at once, and return what each caller gets."""
    sends = [accept(store, key, f"m{number}") for number, key in enumerate(keys)]
    async with held_back(store) as arrived:
        tasks = await waiting(arrived, *sends)
    return await asyncio.gather(*tasks, return_exceptions=True)


def commits_of(store: SqlStore) -> list[str]:
    """Return a list that grows with each commit of the writer."""
    seen: list[str] = []

    def note(statement: str) -> None:
        if statement == "COMMIT":
            seen.append(statement)

    def trace(db: sa.Connection) -> None:
        driver_of(db).set_trace_callback(note)

    asyncio.get_running_loop().create_task(store._engine.write(trace))
    return seen


async def test_many_calls_share_a_commit(tmp_path: Path) -> None:
    """Eight inputs that wait for the writer are one commit; each caller gets its own answer."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store)
        seen = commits_of(store)
        found = await gathered(store, *[key] * 8)
    sequences = [each.sequence for each in found if isinstance(each, AcceptedInput)]
    assert sequences == list(range(sequences[0], sequences[0] + 8))
    assert len(seen) <= 3  # the trace's own, what held the writer back, and theirs


async def test_one_failure_is_one_callers(tmp_path: Path) -> None:
    """A call that fails among others fails alone and leaves no trace."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store)
        found = await gathered(store, key, SessionKey("t", "unknown"), key)
        assert [isinstance(each, NotFound) for each in found] == [False, True, False]
        assert (await store.get_session(key)).pending_client_message_ids == ("m0", "m2")


async def test_a_cancelled_caller_harms_nobody(tmp_path: Path) -> None:
    """A caller that gives up leaves its transaction whole and the thread at work."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store)
        async with held_back(store) as arrived:
            (task,) = await waiting(arrived, accept(store, key, "given up"))
            task.cancel()
        await accept(store, key, "next")
        pending = (await store.get_session(key)).pending_client_message_ids
    assert pending == ("given up", "next")


async def test_a_full_database_says_so(tmp_path: Path) -> None:
    """Without room a call ends with StoreFull and leaves nothing; reading goes on."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store, max_input_chars=MOST_CHARS)
        await store._engine.write(no_more_pages)
        with pytest.raises(StoreFull):
            await accept(store, key, "m1", "long " * 100_000)
        assert (await store.get_session(key)).pending_client_message_ids == ()


async def test_a_full_database_refuses_only_the_large(tmp_path: Path) -> None:
    """Among calls that wait together, those that find room are committed."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store, max_input_chars=MOST_CHARS)
        await store._engine.write(no_more_pages)
        sends = [accept(store, key, "a"), accept(store, key, "b", "long " * 100_000)]
        async with held_back(store) as arrived:
            tasks = await waiting(arrived, *sends)
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(each, HeartRuleError) for each in found] == [False, True]
        assert (await store.get_session(key)).pending_client_message_ids == ("a",)


def no_more_pages(db: sa.Connection) -> None:
    """Let the file grow by no more than ten pages."""
    pages = db.exec_driver_sql("PRAGMA page_count").scalar_one()
    db.exec_driver_sql(f"PRAGMA max_page_count = {pages + 10}")
