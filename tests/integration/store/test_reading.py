"""Readers: they see one moment, write nothing and hinder nobody."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from heartrule.domain.errors import StoreUnavailable
from session_store.open import open_store
from session_store.sql.store import SqlStore
from tests.support.store_builders import accept, opened
from tests.support.stores import FILE, postgres_store, sqlite_store

COUNT = "SELECT count(*) FROM messages"


@pytest.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SqlStore]:
    """Give a store on each database."""
    kind = sqlite_store(tmp_path) if request.param == "sqlite" else postgres_store()
    async with kind as made:
        yield made


async def test_a_reader_sees_one_moment(store: SqlStore) -> None:
    """What is committed between two of its statements a reader does not see, nor waits for it."""
    key = await opened(store)
    began, written = threading.Event(), threading.Event()

    def read_twice(db: sa.Connection) -> list[object]:
        first = db.exec_driver_sql(COUNT).scalar()
        began.set()
        written.wait(10)
        return [first, db.exec_driver_sql(COUNT).scalar()]

    reading = asyncio.create_task(store._engine.read(read_twice))
    await asyncio.to_thread(began.wait, 10)
    await accept(store, key)
    written.set()
    assert await reading == [1, 1]
    assert await store._engine.read(lambda db: db.exec_driver_sql(COUNT).scalar()) == 2


async def test_sqlites_reader_cannot_write(tmp_path: Path) -> None:
    """The second connection to the file only reads."""
    async with sqlite_store(tmp_path) as store:
        with pytest.raises(StoreUnavailable):
            await store._engine.read(lambda db: db.exec_driver_sql("DELETE FROM messages"))


async def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    """A start on some other file fails with StoreUnavailable and leaves the file as it is."""
    (tmp_path / FILE).write_bytes(b"no database, but long enough to be looked at" * 100)
    with pytest.raises(StoreUnavailable):
        async with sqlite_store(tmp_path):
            pass
    assert (tmp_path / FILE).read_bytes().startswith(b"no database")


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """The error names the file and what the system says."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnavailable, match=r"heartrule\.db cannot be opened: "):
        await open_store(tmp_path / "file" / FILE).start()
