"""Bringing a database to this release's schema, at start and under a lock."""

from __future__ import annotations

import threading
from pathlib import Path

import sqlalchemy as sa

from heartrule.domain.errors import NotReady

HEAD = "0001"
"""The newest migration; a test holds it equal to what the folder has."""
MIGRATIONS = Path(__file__).parent.parent / "migrations"
"""Alembic's folder."""

_VERSION = "alembic_version"
_LOCK = 0x6865617274  # "heart"
_ALEMBIC = threading.Lock()  # alembic's `op` belongs to the process


def migrate(db: sa.Connection) -> None:
    """Apply what is missing, in the caller's transaction; two processes wait for each other.

    Code runs on its own schema and on the next release's (ARCHITECTURE section 2).

    Errors:
        NotReady: the database belongs to a later release still; reason SCHEMA_TOO_NEW.
    """
    if db.dialect.name == "postgresql":
        db.exec_driver_sql("SET LOCAL lock_timeout = 0")  # another's migration may take long
        db.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    stored = stored_revision(db)
    if stored == HEAD:
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
