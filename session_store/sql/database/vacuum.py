"""VACUUM of a SQLite file, so that no byte of deleted rows is left in it (ADR 17).

secure_delete zeroes what is deleted, but not the copies that SQLite left in the gaps of pages when
it moved rows between them. Only VACUUM writes every page anew.
"""

from __future__ import annotations

import sqlite3

import sqlalchemy as sa

from session_store.sql.database.failures import unavailable
from session_store.sql.database.worker import driver_of

IN_MEMORY = 256 * 1024 * 1024
"""Bytes of a database that VACUUM may copy in memory; a larger one goes to a temporary file."""


def vacuum(db: sa.Connection) -> None:
    """Write every page anew and cut the log to nothing.

    Runs outside a transaction and takes time and free disk in proportion to the file.

    Raises:
        StoreUnavailable: A reader keeps the log from being cut.
        StoreFull: No space for the copy; the rows are gone, some of their bytes may not be.
    """
    driver = driver_of(db)
    driver.execute(f"PRAGMA temp_store = {'MEMORY' if _size(driver) < IN_MEMORY else 'FILE'}")
    try:
        driver.execute("VACUUM")
    finally:
        busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        driver.execute("PRAGMA temp_store = MEMORY")
    if busy:
        raise unavailable()


def _size(driver: sqlite3.Connection) -> int:
    pages: int = driver.execute("PRAGMA page_count").fetchone()[0]
    page: int = driver.execute("PRAGMA page_size").fetchone()[0]
    return pages * page
