"""Every test here runs against each store; those that move the clock run in memory alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from session_store.memory.store import InMemoryStore
from session_store.ports import Store
from tests.support.clock import ManualClock
from tests.support.stores import postgres_store, sqlite_store


@asynccontextmanager
async def memory_store() -> AsyncIterator[Store]:
    """Give a store in memory."""
    yield InMemoryStore()


def store_of(kind: str, folder: Path) -> AbstractAsyncContextManager[Store]:
    """Return a fresh store of that kind."""
    if kind == "memory":
        return memory_store()
    return sqlite_store(folder) if kind == "sqlite" else postgres_store()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """Give a fresh, started store."""
    async with store_of(request.param, tmp_path) as made:
        yield made


@pytest.fixture
def clock() -> ManualClock:
    """Give a clock that only the test moves."""
    return ManualClock()


@pytest.fixture
def clocked(clock: ManualClock) -> Store:
    """Give a store that goes by `clock`; databases go by their own."""
    return InMemoryStore(clock)
