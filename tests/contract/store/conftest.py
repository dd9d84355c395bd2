"""Every test here runs on both databases; those that move the clock, on SQLite in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from session_store.open import open_in_memory
from session_store.ports import Store
from tests.support.clock import ManualClock
from tests.support.stores import postgres_store, sqlite_store


def store_of(kind: str, folder: Path) -> AbstractAsyncContextManager[Store]:
    """Return a fresh store of that kind."""
    return sqlite_store(folder) if kind == "sqlite" else postgres_store()


@pytest.fixture(params=["sqlite", "postgres"])
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
    """Give a store that goes by `clock`; databases on disk go by their own."""
    return open_in_memory(clock)
