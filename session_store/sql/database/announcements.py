"""Announcing commits to other processes, and learning of theirs: NOTIFY and LISTEN (ADR 39)."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

import psycopg

from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from session_store.sql.database.engine import Changes

LOG = logging.getLogger(__name__)

# Channels: a session that was written to, as `tenant/id`; a process that lives, by its id.
CHANGED, ALIVE = "heartrule", "heartrule_alive"
# How long an announcement waits for others: watchers shall receive it within 20 ms.
BATCH_S = 0.01
# At most this long between two signs of life.
HEARTBEAT_S = 3.0
_PAUSE_S = 1.0
_NOTIFY = (
    "SELECT pg_notify(channel, payload)"
    " FROM unnest(%s::text[], %s::text[]) AS note (channel, payload)"
)


class Announcer:
    """A thread with a connection; what could not be announced is kept until it can be."""

    def __init__(self, options: Mapping[str, object], backends: set[int]) -> None:
        """Do nothing yet.

        Args:
            options: Of the connection, as libpq names them.
            backends: The server's processes that serve this one; its own is among them while open.
        """
        self._options = options
        self._backends = backends
        self._id = new_id("announcer")
        self._state = threading.Condition()
        self._changes = Changes()
        self._stopped = False
        self._driver: psycopg.Connection | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Send a first sign of life, so that other processes notice this one's death; then serve.

        Raises:
            OperationalError: The server does not answer.
        """
        self._send(Changes())
        self._thread = threading.Thread(target=self._serve, name="store-announce", daemon=True)
        self._thread.start()

    def announce(self, changes: Changes) -> None:
        """Announce committed changes: with what follows in BATCH_S, or at once if urgent."""
        if not changes.keys:
            return
        with self._state:
            woken = not self._changes.keys or (changes.urgent and not self._changes.urgent)
            self._changes.add(changes)
            if woken:
                self._state.notify()

    def stop(self) -> None:
        """Announce what is left and end the thread."""
        with self._state:
            self._stopped = True
            self._state.notify()
        if self._thread is not None:
            self._thread.join()
        self._close()

    def _serve(self) -> None:
        while not self._stopped or self._changes.keys:
            changes = self._next()
            try:
                self._send(changes)
            except psycopg.Error:
                LOG.warning("commits cannot be announced now", exc_info=True)
                self._close()
                if self._stopped:
                    return
                with self._state:
                    self._changes.add(changes)
                    self._state.wait_for(lambda: self._stopped, timeout=_PAUSE_S)

    def _next(self) -> Changes:
        """Return the commits of a batch; none where there were none for a heartbeat's time."""
        with self._state:
            self._state.wait_for(lambda: self._changes.keys or self._stopped, timeout=HEARTBEAT_S)
            if self._changes.keys:
                self._state.wait_for(lambda: self._changes.urgent or self._stopped, timeout=BATCH_S)
            changes, self._changes = self._changes, Changes()
        return changes

    def _send(self, changes: Changes) -> None:
        """Announce sessions, and that this process lives."""
        driver = self._opened()
        payloads = [f"{key.tenant}/{key.session_id}" for key in changes.keys]
        channels: Sequence[str] = [*(CHANGED for _ in payloads), ALIVE]
        driver.execute(_NOTIFY, (channels, [*payloads, self._id]))

    def _opened(self) -> psycopg.Connection:
        if self._driver is None:
            driver = psycopg.connect(**self._options, autocommit=True)  # type: ignore[arg-type]  # libpq's own options
            # A crash of the server would lose notices alone, and it ends every listener, too.
            driver.execute("SET synchronous_commit = off")
            self._backends.add(driver.info.backend_pid)
            self._driver = driver
        return self._driver

    def _close(self) -> None:
        if self._driver is not None:
            driver, self._driver = self._driver, None
            self._backends.discard(driver.info.backend_pid)
            driver.close()


# Before a lost connection is opened again; every watcher reads the store meanwhile.
PAUSE_SECONDS = 1.0
# A process without a sign of life for so long counts as dead; watchers must learn within 15 s.
SILENT_S = 3 * HEARTBEAT_S
_LOOK_S = 1.0
# A scan, once per death: an index on update_time would cost every update of a session (no HOT).
# Written to since the dead process' last sign of life, and for some time before.
_CHANGED_LATELY = """
SELECT tenant, session_id FROM sessions
WHERE update_time > clock_timestamp() - INTERVAL '30 seconds' OR stop_request <> ''
"""


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
    # The empty id is that of all processes that died before this one could receive a sign of them.
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
