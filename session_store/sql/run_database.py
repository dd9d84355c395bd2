"""The database of the engine that keeps runs of workflows going: its own tables, none of ours."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

if TYPE_CHECKING:
    import psycopg

SCHEMA = "heartrule_runs"
"""Of PostgreSQL, beside the store's own."""
SUFFIX = "-runs"
"""Of SQLite's file, behind the name of the store's."""
# Connections; workflows hold none while they wait.
_POOL = 8
_SQLITE = "sqlite:///"
_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "busy_timeout = 10000",
    "foreign_keys = ON",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDatabase:
    """A database that the engine of runs may fill; whoever opened it closes it."""

    engine: sa.Engine
    kind: str
    """An address of its kind, where one is asked for beside the engine; it leads nowhere."""

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_run_database(address: str) -> RunDatabase:
    """Return the engine's database beside the store at `address`; nothing is connected yet.

    On SQLite it is a file of its own, so that the engine never waits for the store's writer.
    """
    if "://" in address and not address.startswith(_SQLITE):
        return RunDatabase(engine=_postgres(address), kind="postgresql://runs@localhost/runs")
    path = Path(address.removeprefix(_SQLITE))
    beside = path.with_name(path.stem + SUFFIX + path.suffix)
    return RunDatabase(engine=_sqlite(beside), kind="sqlite:///runs")


def _postgres(address: str) -> sa.Engine:
    plain = "postgresql://" + address.partition("://")[2]
    return sa.create_engine(
        "postgresql+psycopg://",
        # libpq reads the address itself: it may name several hosts.
        creator=lambda: _connected(plain),
        pool_size=_POOL,
        max_overflow=0,
        pool_pre_ping=True,
    )


def _connected(address: str) -> psycopg.Connection:
    """Return a connection by which a worker that stands still keeps no row from the others."""
    import psycopg

    connection = psycopg.connect(address, application_name="heartrule runs", autocommit=True)
    connection.execute("SET idle_in_transaction_session_timeout = '5s'")
    connection.autocommit = False
    return connection


def _sqlite(path: Path) -> sa.Engine:
    """Return an engine whose writers ask for the lock as they begin: a later one would fail."""
    engine = sa.create_engine(f"sqlite:///{path}")

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = "IMMEDIATE"
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    return engine
