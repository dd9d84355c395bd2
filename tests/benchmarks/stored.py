"""The bytes of all values in an SQLite database, and which of them are the call ledger's text."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

# The ledger's texts, by table; no columns: all of them.
_LEDGER = {"model_calls": ("input", "output"), "prompt_parts": ()}


@dataclass(frozen=True, slots=True)
class Stored:
    """Bytes of values, as UTF-8; indexes and free space are not counted."""

    all: int
    ledger: int


def stored_bytes(database: Path) -> Stored:
    """Count them."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        known = [name for name in names if not name.startswith("sqlite_")]
        ledger = [_bytes(db, name, only=_LEDGER[name]) for name in known if name in _LEDGER]
        return Stored(sum(_bytes(db, name) for name in known), sum(ledger))


def _bytes(db: sqlite3.Connection, table: str, only: tuple[str, ...] = ()) -> int:
    columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]
    counted = [name for name in columns if not only or name in only]
    lengths = " + ".join(f'COALESCE(LENGTH(CAST("{name}" AS BLOB)), 0)' for name in counted)
    total = db.execute(f'SELECT COALESCE(SUM({lengths}), 0) FROM "{table}"').fetchone()
    return int(total[0])
