"""Two processes on one database answer as one store does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from session_store.open import open_in_memory
from session_store.ports import Store
from session_store.sql.store import SqlStore
from tests.support.orderly_play import OrderlyPlay
from tests.support.postgres import fresh_database
from tests.support.replicas import Replicas
from tests.support.store_play import Play
from tests.support.stores import postgres_store, sqlite_store

LONG = pytest.mark.long(
    short="tests/contract/store/test_two_processes.py::test_two_processes_answer_as_one"
)
PLAYS = [
    (OrderlyPlay, 25, 0),
    (Play, 60, 0),
    *(pytest.param(OrderlyPlay, 25, seed, marks=LONG) for seed in (1, 2, 3)),
]


@asynccontextmanager
async def two_processes(kind: str, folder: Path) -> AsyncIterator[tuple[SqlStore, SqlStore]]:
    """Give two stores on one database; on SQLite, which is one process's, over one engine."""
    async with AsyncExitStack() as opened:
        if kind == "sqlite":
            one = await opened.enter_async_context(sqlite_store(folder))
            yield one, SqlStore(one._engine)
            return
        url = opened.enter_context(fresh_database())
        first = await opened.enter_async_context(postgres_store(url))
        yield first, await opened.enter_async_context(postgres_store(url))


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize(("play", "moves", "seed"), PLAYS)
async def test_two_processes_answer_as_one(
    kind: str, play: type[Play], moves: int, seed: int, tmp_path: Path
) -> None:
    """Random operations, each by either of two processes, give what one gives in memory."""
    expected = await play(open_in_memory(), seed).run(moves)
    async with two_processes(kind, tmp_path) as stores:
        replicas = cast("Store", cast("Any", Replicas(stores, seed)))
        assert await play(replicas, seed).run(moves) == expected
