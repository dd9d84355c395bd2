"""Hearing of other processes' commits: LISTEN on a connection of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from collections.abc import Set as AbstractSet

import psycopg

from heartrule.domain.keys import SessionKey
from session_store.sql.types import CHANNEL

PAUSE_SECONDS = 1.0
"""Before a lost connection is redone; what is told meanwhile goes unheard: watchers also poll."""


async def listen(
    options: Mapping[str, object], *, ours: AbstractSet[int]
) -> AsyncIterator[SessionKey]:
    """Yield sessions that other backends than `ours` wrote to, until the caller stops asking."""
    while True:
        try:
            async with await _connect(options) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                async for note in connection.notifies():
                    if note.pid not in ours:
                        tenant, _, session_id = note.payload.partition("/")
                        yield SessionKey(tenant, session_id)
        except psycopg.OperationalError:
            await asyncio.sleep(PAUSE_SECONDS)


async def _connect(options: Mapping[str, object]) -> psycopg.AsyncConnection:
    return await psycopg.AsyncConnection.connect(**options, autocommit=True)  # type: ignore[arg-type]
