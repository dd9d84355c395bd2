"""Opening a store by its address."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from heartrule.domain.errors import InvalidRequest
from heartrule.domain.ids import new_id
from session_store.sql.database.engine import Engine
from session_store.sql.store import SqlStore

_SQLITE = "sqlite:///"
# How the address of a PostgreSQL database may begin.
POSTGRESQL = ("postgresql://", "postgres://", "postgresql+psycopg://")


def open_store(address: str | Path, *, boot_id: str = "") -> SqlStore:
    """Return the store at `address`, not yet started.

    Args:
        address: `sqlite:///relative/path`, `sqlite:////absolute/path`, a bare path, or
            `postgresql://user:password@host/database` as libpq takes it: with several hosts
            (`host1:port1,host2:port2`) each is tried in turn, as `target_session_attrs` asks.
        boot_id: Names this process's life; SQLite's lock file shows it to who is refused.

    Errors:
        InvalidRequest: another scheme; reason DATABASE_URL_INVALID.
    """
    return SqlStore(_engine(str(address), boot_id or new_id("boot")))


def open_in_memory(clock: Callable[[], float] = time.time) -> SqlStore:
    """Return a store that keeps its rows in memory, open already; for rehearsals and unit tests.

    Args:
        clock: Gives seconds since the epoch.
    """
    from session_store.sql.database.engine_sqlite import MemoryEngine

    return SqlStore(MemoryEngine(clock))


def _engine(address: str, boot_id: str) -> Engine:
    if address.startswith(POSTGRESQL):
        # Imported here: an executor on a file needs no PostgreSQL driver.
        import psycopg

        from session_store.sql.database.engine_postgres import PostgresEngine

        try:
            return PostgresEngine("postgresql://" + address.partition("://")[2])
        except psycopg.ProgrammingError as error:
            # libpq repeats the whole address, its password too.
            raise InvalidRequest(
                f"the address is not of the form {POSTGRESQL[0]}user:password@host:port/database",
                reason="DATABASE_URL_INVALID",
            ) from error
    if "://" in address and not address.startswith(_SQLITE):
        raise InvalidRequest(
            f"no database is known by {address.partition('://')[0]}://; "
            f"use {_SQLITE}… or {POSTGRESQL[0]}…",
            reason="DATABASE_URL_INVALID",
        )
    path = address.removeprefix(_SQLITE)
    if not path or path == ":memory:":
        raise InvalidRequest("a SQLite database needs a path", reason="DATABASE_URL_INVALID")
    from session_store.sql.database.engine_sqlite import SqliteEngine

    return SqliteEngine(Path(path), boot_id=boot_id)
