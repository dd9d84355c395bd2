"""Makes sales.db in the current folder: one table, a sale every third day of half a year."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

FIRST = date(2026, 6, 1)
DAYS = 183


def sales() -> list[tuple[str, int]]:
    """Return day and amount of each sale; the amounts rise and swing by a fixed rule."""
    days = range(0, DAYS, 3)
    return [
        ((FIRST + timedelta(days=day)).isoformat(), 400 + 2 * day + 37 * (day % 5)) for day in days
    ]


def main() -> None:
    """Write the file anew."""
    path = Path("sales.db")
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE sales (sold_on TEXT NOT NULL, amount INTEGER NOT NULL)")
        database.executemany("INSERT INTO sales VALUES (?, ?)", sales())
        database.commit()
    print(f"{path}: {len(sales())} sales")


if __name__ == "__main__":
    main()
