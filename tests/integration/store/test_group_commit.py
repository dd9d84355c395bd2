"""Calls that wait together share one commit, and nothing else (FACTS section 1)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from heartrule.domain.errors import HeartRuleError, NotFound, StoreFull
from heartrule.domain.keys import SessionKey
from session_store.records import AcceptedInput
from session_store.sql.store import SqlStore
from session_store.sql.worker import driver_of
from tests.support.store_builders import accept, opened
from tests.support.stores import sqlite_store


@contextmanager
def held_back(store: SqlStore) -> Iterator[None]:
    """Keep the writer busy, so that what is asked for meanwhile waits together."""
    go = threading.Event()
    asyncio.get_running_loop().create_task(store._engine.write(lambda _db: go.wait(10)))
    try:
        yield
    finally:
        asyncio.get_running_loop().call_soon(go.set)


async def gathered(store: SqlStore, *keys: SessionKey) -> list[object]:
    """Send one input to each session, all at once, and return what each caller gets."""
    sends = [accept(store, key, f"m{number}") for number, key in enumerate(keys)]
    with held_back(store):
        tasks = [asyncio.ensure_future(send) for send in sends]
        await asyncio.sleep(0)
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
        with held_back(store):
            task = asyncio.ensure_future(accept(store, key, "given up"))
            await asyncio.sleep(0)
            task.cancel()
        await accept(store, key, "next")
        pending = (await store.get_session(key)).pending_client_message_ids
    assert pending == ("given up", "next")


async def test_a_full_database_says_so(tmp_path: Path) -> None:
    """Without room a call ends with StoreFull and leaves nothing; reading goes on."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store)
        await store._engine.write(no_more_pages)
        with pytest.raises(StoreFull):
            await accept(store, key, "m1", "long " * 100_000)
        assert (await store.get_session(key)).pending_client_message_ids == ()


async def test_a_full_database_refuses_only_the_large(tmp_path: Path) -> None:
    """Among calls that wait together, those that find room are committed."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store)
        await store._engine.write(no_more_pages)
        sends = [accept(store, key, "a"), accept(store, key, "b", "long " * 100_000)]
        with held_back(store):
            tasks = [asyncio.ensure_future(send) for send in sends]
            await asyncio.sleep(0)
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(each, HeartRuleError) for each in found] == [False, True]
        assert (await store.get_session(key)).pending_client_message_ids == ("a",)


def no_more_pages(db: sa.Connection) -> None:
    """Let the file grow by no more than ten pages."""
    pages = db.exec_driver_sql("PRAGMA page_count").scalar_one()
    db.exec_driver_sql(f"PRAGMA max_page_count = {pages + 10}")
