"""A look at a database that changes nothing: whether it answers, and at which schema it is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from heartrule.domain.errors import InvalidRequest
from session_store.open import POSTGRESQL
from session_store.sql.database.engine import unavailable
from session_store.sql.database.migrate import HEAD

_VERSION = "SELECT version_num FROM alembic_version"
# A worker without a heartbeat for so long has lost what it took.
_WORKERS = "SELECT count(*) FROM workers WHERE heartbeat > now() - interval '60 seconds'"
_CONNECT_S = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseLook:
    """What was seen."""

    exists: bool
    schema: str = ""
    """The migration it is at; empty where it has no tables yet."""
    known: str = HEAD
    """The one of this release."""
    workers: int | None = None
    """Processes that take runs and said so lately; None where no others share the database."""


def look_at_database(address: str) -> DatabaseLook:
    """Return what is seen of the database at an address, as `open_store` takes it.

    Raises:
        InvalidRequest: The address is none.
        StoreUnavailable: The database does not answer, or is none; the cause has its own words.
    """
    if address.startswith(POSTGRESQL):
        return _look_at_postgres("postgresql://" + address.partition("://")[2])
    path = Path(address.removeprefix("sqlite:///"))
    if "://" in str(address) and not address.startswith("sqlite:///"):
        raise InvalidRequest("no such kind of database", reason="DATABASE_URL_INVALID")
    if not path.exists():
        return DatabaseLook(exists=False)
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            names = db.execute("SELECT name FROM sqlite_master").fetchall()
            if ("alembic_version",) not in names:
                return DatabaseLook(exists=True)
            return DatabaseLook(exists=True, schema=str(db.execute(_VERSION).fetchone()[0]))
    except sqlite3.Error as error:
        raise unavailable() from error


def _look_at_postgres(address: str) -> DatabaseLook:
    import psycopg

    try:
        with psycopg.connect(address, connect_timeout=_CONNECT_S) as db:
            if db.execute("SELECT to_regclass('alembic_version')").fetchone() == (None,):
                return DatabaseLook(exists=True)
            row = db.execute(_VERSION).fetchone()
            schema = str(row[0]) if row else ""
            if schema != HEAD:
                return DatabaseLook(exists=True, schema=schema)
            alive = db.execute(_WORKERS).fetchone()
            return DatabaseLook(exists=True, schema=schema, workers=alive[0] if alive else 0)
    except psycopg.Error as error:
        raise unavailable() from error
