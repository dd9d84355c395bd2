"""Vacuums PostgreSQL, so that its files keep no byte of an erased session (ADR 20).

VACUUM frees the room of deleted rows and does not overwrite them. VACUUM (FULL) writes a table, its
long texts and its indexes into new files and deletes the old ones.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum

import psycopg
from psycopg import sql

from session_store.open import POSTGRESQL
from session_store.sql.database import (  # noqa: F401  they fill the metadata
    tables,
    tables_beside,
    tables_of_decisions,
    tables_of_runs,
)
from session_store.sql.database.engine import unavailable
from session_store.sql.database.postgres_connection import CONNECT_SECONDS
from session_store.sql.database.schema import metadata
from session_store.sql.threads import tables_of_threads  # noqa: F401  as the above

_WITHOUT_CONTENT = frozenset({"scripts", "script_versions", "script_files", "erasures", "workers"})
_STATE = "SELECT greatest(reltuples, 0)::bigint, pg_total_relation_size(oid) FROM pg_class"


class VacuumOutcome(StrEnum):
    """What became of one table."""

    WRITTEN = "written"
    BUSY = "busy"
    """Other sessions used it without a pause."""
    TOO_LONG = "too_long"
    SEEN = "seen"
    """It was written anew with erased rows, which an old transaction may still read."""
    REFUSED = "refused"
    """The user does not own it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VacuumLimits:
    """How much vacuuming may disturb conversations, in seconds."""

    # A statement of the store waits ten seconds for a lock. The lock wait and the time locked
    # together stay below that, so that turns wait and none fails.
    lock_wait: float = 1.0
    longest: float = 8.0
    keep_trying: float = 60.0
    """How long to repeat a table that is busy, or that an old transaction may read."""
    pause: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class VacuumedTable:
    """One table after it was vacuumed."""

    table: str
    outcome: VacuumOutcome
    seconds: float
    """The last try: the time waited for the lock and the time locked."""
    tries: int
    rows: int
    size: int
    """Bytes of the table, its long texts and its indexes."""


def needs_vacuum(address: str) -> bool:
    """Return False for a SQLite file: each erasure there writes it anew by itself (ADR 17)."""
    return address.startswith(POSTGRESQL)


def content_tables() -> tuple[str, ...]:
    """Return the tables that may hold something of a conversation; a new table is one of them."""
    return tuple(sorted(metadata.tables.keys() - _WITHOUT_CONTENT))


def vacuum_database(
    address: str, limits: VacuumLimits, *, anyway: bool = False
) -> Iterator[VacuumedTable]:
    """Write each table with conversations anew and yield it; nothing where nothing was erased.

    If every table is WRITTEN, no file holds a byte of what was erased before the call. Others may
    use the database meanwhile; a table is locked while it is written, within `limits`.

    Args:
        address: Of a PostgreSQL database, as `open_store` takes it.
        limits: How much conversations may be disturbed.
        anyway: Also where nothing was erased since the last time.

    Errors:
        StoreUnavailable: the database does not answer.
    """
    try:
        with closing(_connect(address)) as db:
            if db.execute("SELECT to_regclass('erasures')").fetchone() == (None,):
                return
            erased = db.execute("SELECT tenant, session_id FROM erasures").fetchall()
            if not erased and not anyway:
                return
            clean = True
            for table in content_tables():
                vacuumed = _vacuum(db, table, limits)
                clean = clean and vacuumed.outcome is VacuumOutcome.WRITTEN
                yield vacuumed
            if clean:
                forget = "DELETE FROM erasures WHERE tenant = %s AND session_id = %s"
                db.cursor().executemany(forget, erased)
    except psycopg.Error as error:
        raise unavailable() from error


def _connect(address: str) -> psycopg.Connection:
    return psycopg.connect(
        "postgresql://" + address.partition("://")[2],
        application_name="heartrule-scrub",
        connect_timeout=CONNECT_SECONDS,
        autocommit=True,  # VACUUM refuses to run in a transaction
    )


def _vacuum(db: psycopg.Connection, table: str, limits: VacuumLimits) -> VacuumedTable:
    """Try a table until it is written, or its time is up."""
    tries, gives_up = 0, time.monotonic() + limits.keep_trying
    again = {VacuumOutcome.BUSY, VacuumOutcome.SEEN}
    while True:
        tries += 1
        began = time.monotonic()
        outcome = _write_anew(db, table, limits)
        ended = time.monotonic()
        if outcome not in again or ended + limits.pause > gives_up:
            break
        time.sleep(limits.pause)
    rows, size = db.execute(f"{_STATE} WHERE oid = %s::regclass", (table,)).fetchone() or (0, 0)
    return VacuumedTable(
        table=table, outcome=outcome, seconds=ended - began, tries=tries, rows=rows, size=size
    )


def _write_anew(db: psycopg.Connection, table: str, limits: VacuumLimits) -> VacuumOutcome:
    """Run VACUUM (FULL); only the details of its notices say which rows it kept."""
    details: list[str] = []

    def note(notice: psycopg.errors.Diagnostic) -> None:
        details.append(notice.message_detail or "")

    _limit(db, "lock_timeout", limits.lock_wait)
    _limit(db, "statement_timeout", limits.lock_wait + limits.longest)
    db.add_notice_handler(note)
    try:
        db.execute(sql.SQL("VACUUM (FULL, VERBOSE) {}").format(sql.Identifier(table)))
    except psycopg.errors.LockNotAvailable:
        return VacuumOutcome.BUSY
    except psycopg.errors.QueryCanceled:
        return VacuumOutcome.TOO_LONG
    finally:
        db.remove_notice_handler(note)
        _limit(db, "statement_timeout", 0)
    # The first number is that of deleted rows an old snapshot still sees, in every language.
    kept = [int(found[0]) for each in details if (found := re.findall(r"\d+", each))]
    if not kept:  # it warned that it skips the table, and called that a success
        return VacuumOutcome.REFUSED
    return VacuumOutcome.SEEN if any(kept) else VacuumOutcome.WRITTEN


def _limit(db: psycopg.Connection, setting: str, seconds: float) -> None:
    """Set a timeout of this connection; zero: none."""
    db.execute("SELECT set_config(%s, %s, false)", (setting, f"{seconds * 1000:.0f}ms"))
