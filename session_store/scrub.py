"""Writing a database anew, so that nothing erased is left in its files."""

from __future__ import annotations

from collections.abc import Iterator

from session_store.open import POSTGRESQL
from session_store.records.scrubbing import ScrubbedTable, ScrubLimits, ScrubOutcome

__all__ = [
    "ScrubLimits",
    "ScrubOutcome",
    "ScrubbedTable",
    "needs_scrubbing",
    "scrub_database",
]


def needs_scrubbing(address: str) -> bool:
    """Return False for a SQLite file: each erasure there writes it anew by itself (ADR 17)."""
    return address.startswith(POSTGRESQL)


def scrub_database(
    address: str, limits: ScrubLimits, *, anyway: bool = False
) -> Iterator[ScrubbedTable]:
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
    from session_store.sql.database.vacuum_postgres import scrub_postgres

    return scrub_postgres(address.partition("://")[2], limits, anyway=anyway)
