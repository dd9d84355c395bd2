"""Leaving no byte of erased sessions in PostgreSQL's files (ADR 20).

VACUUM frees the room of deleted rows and lets their bytes stand. VACUUM (FULL) writes a table, its
long texts and its indexes into new files and lets the old ones go.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from typing import TypeAlias

import psycopg
from psycopg import sql

from session_store.sql.database import tables, tables_beside  # noqa: F401  they fill the metadata
from session_store.sql.database.engine import unavailable
from session_store.sql.database.postgres_connection import CONNECT_SECONDS
from session_store.sql.database.schema import metadata
from session_store.vacuum import VacuumedTable, VacuumLimits, VacuumOutcome

# Tenant and id of an erased session.
Erased: TypeAlias = tuple[str, str]

_WITHOUT_CONTENT = frozenset({"scripts", "script_versions", "script_files", "erasures"})
_AGAIN = frozenset({VacuumOutcome.BUSY, VacuumOutcome.SEEN})
_STATE = "SELECT greatest(reltuples, 0)::bigint, pg_total_relation_size(oid) FROM pg_class"


def vacuum_postgres(address: str, limits: VacuumLimits, *, anyway: bool) -> Iterator[VacuumedTable]:
    """Write every table with conversations anew, one after the other, where something was erased.

    Args:
        address: `user:password@host/database?options`.
        limits: How much conversations may be disturbed.
        anyway: Also where nothing was erased since the last time.

    Errors:
        StoreUnavailable: the database does not answer.
    """
    try:
        with closing(_connect(address)) as db:
            erased = _erased(db)
            if erased is not None and (erased or anyway):
                _limit(db, "lock_timeout", limits.lock_wait)
                yield from _vacuum(db, limits, erased)
    except psycopg.Error as error:
        raise unavailable() from error


def content_tables() -> tuple[str, ...]:
    """Return the tables in which something of a conversation may stand; a new one is among them."""
    return tuple(sorted(metadata.tables.keys() - _WITHOUT_CONTENT))


def _connect(address: str) -> psycopg.Connection:
    """Connect as the store does; no transaction is open, as VACUUM demands."""
    return psycopg.connect(
        f"postgresql://{address}",
        application_name="heartrule-scrub",
        connect_timeout=CONNECT_SECONDS,
        autocommit=True,
    )


def _erased(db: psycopg.Connection) -> list[Erased] | None:
    """Return the sessions erased since the last run; None where there are no tables of ours."""
    (table,) = db.execute("SELECT to_regclass('erasures')").fetchone() or (None,)
    if table is None:
        return None
    return list(db.execute("SELECT tenant, session_id FROM erasures"))


def _limit(db: psycopg.Connection, setting: str, most: timedelta) -> None:
    """Set a timeout of this connection; zero: none."""
    value = f"{most // timedelta(milliseconds=1)}ms"
    db.execute("SELECT set_config(%s, %s, false)", (setting, value))


def _vacuum(
    db: psycopg.Connection, limits: VacuumLimits, erased: Sequence[Erased]
) -> Iterator[VacuumedTable]:
    """Write all anew; what was erased before is forgotten once no table is left out."""
    details: list[str] = []
    db.add_notice_handler(lambda notice: details.append(notice.message_detail or ""))
    clean = True
    for table in content_tables():
        vacuumed = _patiently(db, table, limits, details)
        clean = clean and vacuumed.outcome is VacuumOutcome.WRITTEN
        yield vacuumed
    if clean:
        forget = "DELETE FROM erasures WHERE tenant = %s AND session_id = %s"
        with db.cursor() as cursor:
            cursor.executemany(forget, erased)


def _patiently(
    db: psycopg.Connection, table: str, limits: VacuumLimits, details: list[str]
) -> VacuumedTable:
    """Try a table until it is written, or its time is up."""
    tries, gives_up = 0, time.monotonic() + limits.keep_trying.total_seconds()
    while True:
        tries += 1
        _limit(db, "statement_timeout", limits.lock_wait + limits.longest)
        began = time.monotonic()
        outcome = _write_anew(db, table, details)
        ended = time.monotonic()
        _limit(db, "statement_timeout", timedelta(0))
        if outcome not in _AGAIN or ended + limits.pause.total_seconds() > gives_up:
            break
        time.sleep(limits.pause.total_seconds())
    rows, size = db.execute(f"{_STATE} WHERE oid = %s::regclass", (table,)).fetchone() or (0, 0)
    return VacuumedTable(
        table=table,
        outcome=outcome,
        took=timedelta(seconds=ended - began),
        tries=tries,
        rows=rows,
        size=size,
    )


def _write_anew(db: psycopg.Connection, table: str, details: list[str]) -> VacuumOutcome:
    """Run VACUUM (FULL); what it left and why stands in the details of its notices alone."""
    details.clear()
    try:
        db.execute(sql.SQL("VACUUM (FULL, VERBOSE) {}").format(sql.Identifier(table)))
    except psycopg.errors.LockNotAvailable:
        return VacuumOutcome.BUSY
    except psycopg.errors.QueryCanceled:
        return VacuumOutcome.TOO_LONG
    # The first number is that of deleted rows an old snapshot still sees, in every language.
    kept = [int(found[0]) for each in details if (found := re.findall(r"\d+", each))]
    if not kept:  # it warned that it skips the table, and called that a success
        return VacuumOutcome.REFUSED
    return VacuumOutcome.SEEN if any(kept) else VacuumOutcome.WRITTEN
