"""Bringing a database to this release's schema, at start and under a lock."""

from __future__ import annotations

import threading
from pathlib import Path

import sqlalchemy as sa

from heartrule.domain.errors import NotReady
from session_store.sql.database.schema import metadata

# The newest migration; a test holds it equal to what the folder has.
HEAD = "0001"
# Alembic's folder.
MIGRATIONS = Path(__file__).parents[2] / "migrations"

_VERSION = "alembic_version"
_LOCK = 0x6865617274  # "heart"
_ALEMBIC = threading.Lock()  # alembic's `op` belongs to the process
_COLUMNS = {
    "sqlite": "SELECT t.name, c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c",
    "postgresql": "SELECT table_name, column_name FROM information_schema.columns"
    " WHERE table_schema = current_schema()",
}


def migrate(db: sa.Connection) -> None:
    """Apply what is missing, in the caller's transaction; two processes wait for each other.

    Code runs on its own schema and on the next release's.

    Errors:
        NotReady: the database belongs to a later release still; reason SCHEMA_TOO_NEW. Or it claims
            this one and lacks something of it, as databases of before a release may; reason
            SCHEMA_DIFFERS.
    """
    if db.dialect.name == "postgresql":
        db.exec_driver_sql("SET LOCAL lock_timeout = 0")  # another's migration may take long
        db.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    stored = stored_revision(db)
    if stored == HEAD:
        _check_columns(db)
        return
    if stored is not None and int(stored) > int(HEAD):
        _check_next(stored)
        return
    upgrade(db)


def stored_revision(db: sa.Connection) -> str | None:
    """Return the migration the database is at; None where it is empty."""
    if not sa.inspect(db).has_table(_VERSION):
        return None
    found = db.exec_driver_sql(f"SELECT version_num FROM {_VERSION}").scalar()  # noqa: S608
    return None if found is None else str(found)


def upgrade(db: sa.Connection, revision: str = "head") -> None:
    """Run the migrations up to a revision in the caller's transaction."""
    # Imported here: a start that finds nothing to do shall not pay for it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = db
    with _ALEMBIC:
        command.upgrade(config, revision)


def _check_next(stored: str) -> None:
    if int(stored) > int(HEAD) + 1:
        raise NotReady(
            f"the database has schema {stored}; this release knows {HEAD} and the one after it",
            reason="SCHEMA_TOO_NEW",
            metadata={"stored": stored, "known": HEAD},
        )


def _check_columns(db: sa.Connection) -> None:
    """Refuse a database in which a column is missing: later calls would fail without a reason."""
    known = {tuple(row) for row in db.exec_driver_sql(_COLUMNS[db.dialect.name])}
    missing = [
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        if (table.name, column.name) not in known
    ]
    if missing:
        raise NotReady(
            f"the database says it has schema {HEAD}, but lacks {missing[0]} of it: it was made "
            "before that schema was released; begin with a new database",
            reason="SCHEMA_DIFFERS",
            metadata={"stored": HEAD, "missing": str(len(missing))},
        )
