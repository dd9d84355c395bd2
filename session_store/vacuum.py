"""Writing a database anew, so that nothing erased is left in its files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from session_store.open import POSTGRESQL


class VacuumOutcome(StrEnum):
    """What became of one table."""

    WRITTEN = "written"
    """Every file of it is new and holds nothing that was erased before."""
    BUSY = "busy"
    """Others used the table without a pause."""
    TOO_LONG = "too_long"
    """It would have been locked for longer than allowed; it is as it was."""
    SEEN = "seen"
    """It was written anew with erased rows, which an old transaction may still look at."""
    REFUSED = "refused"
    """The user does not own the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VacuumLimits:
    """How much vacuuming may disturb conversations.

    A statement of the store waits ten seconds for a lock; `lock_wait` and `longest` together stay
    below that, so that turns wait and none fails.
    """

    lock_wait: timedelta = timedelta(seconds=1)
    """How long to wait for a table, during which others wait behind."""
    longest: timedelta = timedelta(seconds=8)
    """How long a table may be locked at a time."""
    keep_trying: timedelta = timedelta(minutes=1)
    """How long to try a table that is busy, or that an old transaction looks at."""
    pause: timedelta = timedelta(seconds=2)
    """The time between two tries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VacuumedTable:
    """One table after it was vacuumed."""

    table: str
    outcome: VacuumOutcome
    took: timedelta
    """The last try: the time waited for the lock and the time locked."""
    tries: int
    rows: int
    size: int
    """Bytes of the table, its long texts and its indexes."""


def needs_vacuum(address: str) -> bool:
    """Return False for a SQLite file: each erasure there writes it anew by itself (ADR 17)."""
    return address.startswith(POSTGRESQL)


def vacuum_database(
    address: str, limits: VacuumLimits, *, anyway: bool = False
) -> Iterator[VacuumedTable]:
    """Write table after table anew and yield each; nothing where nothing was erased.

    Afterwards, where every table came out as WRITTEN, no file of a table, of its long texts or of
    its indexes holds a byte of what was erased before the call. Others may use the database
    meanwhile; a table is locked while it is written, within `limits`.

    Args:
        address: Of a PostgreSQL database, as `open_store` takes it.
        limits: How much conversations may be disturbed.
        anyway: Also where nothing was erased since the last time.

    Errors:
        StoreUnavailable: the database does not answer.
    """
    # Imported here: an executor on a file needs no PostgreSQL driver.
    from session_store.sql.database.vacuum_postgres import vacuum_postgres

    return vacuum_postgres(address.partition("://")[2], limits, anyway=anyway)
