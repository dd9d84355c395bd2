"""Whether a database has room: once a write found none, only a probe that writes says otherwise.

A full disk takes a small write now and then, into a page that is there already; readiness shall not
follow these (ARCHITECTURE section 6: StoreFull).
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable

import sqlalchemy as sa

from heartrule.domain.errors import StoreFull
from session_store.sql.database.engine import T, Transaction
from session_store.sql.database.tables import assets
from session_store.sql.database.types import database_now

SIZE = 256 * 1024
"""Bytes a probe writes: a few turns' worth."""
_TENANT = ""
"""Nobody's: no caller can see the row."""
_IT = sa.and_(assets.c.tenant == _TENANT, assets.c.sha256 == "room")


class Room:
    """Remembers that there was no room."""

    def __init__(self) -> None:
        """There is room until a write finds none."""
        self.lacking = False

    async def watch(self, writing: Awaitable[T]) -> T:
        """Await a write, and note where it found no room."""
        try:
            return await writing
        except StoreFull:
            self.lacking = True
            raise

    async def probe(self, write: Callable[[Transaction[None]], Awaitable[None]]) -> None:
        """Where a write found no room, use some and give it back.

        Errors:
            StoreFull: there is still none.
        """
        if self.lacking:
            await write(_use)
            await write(_give_back)
            self.lacking = False


def _use(db: sa.Connection) -> None:
    """Write bytes that no database can make smaller."""
    _give_back(db)
    now = db.execute(sa.select(database_now())).scalar_one()
    row = {"tenant": _TENANT, "sha256": "room", "mime_type": "", "size": SIZE, "create_time": now}
    db.execute(assets.insert(), row | {"content": os.urandom(SIZE)})


def _give_back(db: sa.Connection) -> None:
    db.execute(assets.delete().where(_IT))
