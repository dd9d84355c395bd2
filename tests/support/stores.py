"""Stores on real databases, opened for one test."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from functools import cache
from pathlib import Path

import sqlalchemy as sa

from session_store.open import open_store
from session_store.sql.database.migrate import migrate
from session_store.sql.store import SqlStore
from tests.support.postgres import fresh_database

FILE = "heartrule.db"
"""Name of the database in a test's folder."""


@cache
def migrated_file() -> bytes:
    """Return an empty database with every table: migrating once is enough for all tests."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / FILE
        engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)
        with engine.begin() as db:
            migrate(db)
        return path.read_bytes()


@asynccontextmanager
async def sqlite_store(folder: Path, *, boot_id: str = "") -> AsyncIterator[SqlStore]:
    """Give a started store on the file in `folder`; the store itself makes a missing folder."""
    store = open_store(_prepared(folder), boot_id=boot_id)
    try:
        await store.start()
        yield store
    finally:
        await store.aclose()


@asynccontextmanager
async def postgres_store(address: str = "", *, boot_id: str = "") -> AsyncIterator[SqlStore]:
    """Give a started store on `address`, by default on a fresh database of our own server."""
    with nullcontext(address) if address else fresh_database() as url:
        store = open_store(url, boot_id=boot_id)
        try:
            await store.start()
            yield store
        finally:
            await store.aclose()


def _prepared(folder: Path) -> Path:
    """Return the path of the folder's database; in a new one it is migrated already."""
    path = folder / FILE
    if folder.exists() and not path.exists():
        path.write_bytes(migrated_file())
    return path
