"""Hearing of other processes' commits: LISTEN on a connection of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from collections.abc import Set as AbstractSet

import psycopg

from heartrule.domain.keys import SessionKey
from session_store.sql.types import CHANNEL

PAUSE_SECONDS = 1.0
"""Before a lost connection is redone; meanwhile every watcher is told to look for itself."""


async def listen(
    options: Mapping[str, object], *, ours: AbstractSet[int]
) -> AsyncIterator[SessionKey | None]:
    """Yield sessions that other backends than `ours` wrote to, until the caller stops asking.

    None, after each connection and each second without one: anything may have changed unheard.
    """
    while True:
        try:
            async with await _connect(options) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                yield None
                async for note in connection.notifies():
                    if note.pid not in ours:
                        tenant, _, session_id = note.payload.partition("/")
                        yield SessionKey(tenant, session_id)
        except psycopg.OperationalError:
            yield None
            await asyncio.sleep(PAUSE_SECONDS)


async def _connect(options: Mapping[str, object]) -> psycopg.AsyncConnection:
    return await psycopg.AsyncConnection.connect(**options, autocommit=True)  # type: ignore[arg-type]
