"""Learns of other processes' commits: LISTEN on a connection of its own (ADR 39)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from collections.abc import Set as AbstractSet

import psycopg

from heartrule.domain.keys import SessionKey
from session_store.sql.database.announcer import ALIVE, CHANGED, HEARTBEAT_S

PAUSE_SECONDS = 1.0
"""Before a lost connection is opened again; every watcher reads the store meanwhile."""
SILENT_S = 3 * HEARTBEAT_S
"""A process without a sign of life for so long counts as dead; watchers must learn within 15 s."""
_LOOK_S = 1.0
# A scan, once per death: an index on update_time would cost every update of a session (no HOT).
_CHANGED_LATELY = """
SELECT tenant, session_id FROM sessions
WHERE update_time > clock_timestamp() - INTERVAL '30 seconds' OR stop_wish <> ''
"""
"""Written to since the dead process' last sign of life, and for some time before."""


async def listen(
    options: Mapping[str, object], *, ours: AbstractSet[int]
) -> AsyncIterator[SessionKey | None]:
    """Yield sessions that other backends than `ours` wrote to, until the caller stops asking.

    Yields None after each connection, and each second without one: any session may have changed.
    """
    while True:
        try:
            async with await _connect(options) as connection:
                await connection.execute(f"LISTEN {ALIVE}")
                await connection.execute(f"LISTEN {CHANGED}")
                yield None
                async for key in _changes(connection, ours):
                    yield key
        except psycopg.OperationalError:
            yield None
            await asyncio.sleep(PAUSE_SECONDS)


async def _changes(
    connection: psycopg.AsyncConnection, ours: AbstractSet[int]
) -> AsyncIterator[SessionKey]:
    """Yield sessions that are announced, and those a process that died may have left out."""
    # The empty id stands for processes that died before this one could receive a sign of them.
    alive = {"": time.monotonic()}
    while True:
        async for note in connection.notifies(timeout=_LOOK_S):
            if note.pid in ours:
                continue
            if note.channel == ALIVE:
                alive[note.payload] = time.monotonic()
            else:
                tenant, _, session_id = note.payload.partition("/")
                yield SessionKey(tenant, session_id)
        connection.pgconn.consume_input()  # uvloop reports a socket that was reset only once
        silent = [each for each, at in alive.items() if at < time.monotonic() - SILENT_S]
        if silent:
            for each in silent:
                del alive[each]
            found = await connection.execute(_CHANGED_LATELY)
            for tenant, session_id in await found.fetchall():
                yield SessionKey(tenant, session_id)


async def _connect(options: Mapping[str, object]) -> psycopg.AsyncConnection:
    return await psycopg.AsyncConnection.connect(**options, autocommit=True)  # type: ignore[arg-type]  # libpq's own options
