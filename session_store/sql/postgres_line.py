"""PostgreSQL's protocol below psycopg's cursors: prepared once, and what waits goes together.

A statement through a cursor costs the client five times what it costs here, and each is an exchange
with the server. Here a write waits until something is read, or until the transaction ends; then all
go in one exchange, in their order, BEGIN before the first and COMMIT behind the last.
"""

from __future__ import annotations

import select
from collections.abc import Sequence
from itertools import count
from typing import TypeAlias, cast

import psycopg
import sqlalchemy as sa
from psycopg import pq

from session_store.sql.postgres_waiting import NeedsThread, Waiting

Sent: TypeAlias = "list[bytes | None]"
"""Parameters in PostgreSQL's text form."""
MOST_WAITING = 200
"""Statements that go together at most."""
_DONE = frozenset({pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK})
_COMMIT, _ROLLBACK = b"COMMIT", b"ROLLBACK"
_ENTRY = "line"


class Line:
    """One connection's exchanges; a transaction's statements wait here."""

    def __init__(self, driver: psycopg.Connection, waiting: Waiting) -> None:
        """Use the connection below psycopg's own use of it, never at the same time."""
        self._driver = driver
        self._pg = driver.pgconn
        self._place = waiting
        self._names: dict[str, bytes] = {}
        self._numbers = count()
        self._waiting: list[tuple[str, Sent]] = []

    def put(self, text: str, values: Sent) -> None:
        """Let a write wait for the next exchange."""
        self._waiting.append((text, values))
        if len(self._waiting) >= MOST_WAITING:
            self.flush()

    def ask(self, text: str, values: Sent) -> pq.abc.PGresult:
        """Run a statement behind what waits, and return its result."""
        self._waiting.append((text, values))
        return self._exchange()[-1]

    def flush(self) -> None:
        """Run what waits."""
        if self._waiting:
            self._exchange()

    def commit(self) -> None:
        """Run what waits and end the transaction in the same exchange; nothing begun: nothing."""
        if self._waiting or self._pg.transaction_status != pq.TransactionStatus.IDLE:
            self._exchange(end=_COMMIT)

    def hand_over(self) -> None:
        """Let psycopg's own cursor come behind what waits.

        Errors:
            NeedsThread: it would hold up the event loop.
        """
        if self._place.in_loop:
            raise NeedsThread
        self.flush()

    def roll_back(self) -> None:
        """Forget what waits and undo what was begun: the transaction has failed."""
        self._waiting.clear()
        if self._pg.transaction_status != pq.TransactionStatus.IDLE:
            self._exchange(end=_ROLLBACK)

    def _exchange(self, end: bytes = b"") -> list[pq.abc.PGresult]:
        """Send all that waits, and return a result for each; the first error is raised.

        `end` comes behind it, where nothing of it failed.
        """
        waiting, self._waiting = self._waiting, []
        pg = self._pg
        pg.enter_pipeline_mode()
        try:
            made = self._send(waiting, end)
            results = self._results()
        except Exception:
            if pg.status == pq.ConnStatus.OK:
                pg.exit_pipeline_mode()
            raise
        pg.exit_pipeline_mode()
        for each in results:
            if each.status not in _DONE:
                raise psycopg.errors.error_from_result(each)
        self._names.update(made)
        return results

    def _send(self, waiting: Sequence[tuple[str, Sent]], end: bytes) -> dict[str, bytes]:
        """Send statements, those prepared that are new; return the names of these."""
        pg, known, made = self._pg, self._names, dict[str, bytes]()
        if not self._driver.autocommit and pg.transaction_status == pq.TransactionStatus.IDLE:
            pg.send_query_params(_begin(self._driver), [])
        for text, values in waiting:
            name = known.get(text) or made.get(text)
            if name is None:
                # A number is never used again: an exchange that failed may have left its name.
                name = made[text] = b"hr_%d" % next(self._numbers)
                pg.send_prepare(name, text.encode())
            pg.send_query_prepared(name, values)
        if end:
            pg.send_query_params(end, [])
        pg.pipeline_sync()
        return made

    def _results(self) -> list[pq.abc.PGresult]:
        """Return what came of each; nobody else waits for the interpreter meanwhile."""
        pg, found = self._pg, list[pq.abc.PGresult]()
        while pg.flush():
            self._place.wait(select.POLLIN | select.POLLOUT)
        while True:
            while pg.is_busy():
                self._place.wait(select.POLLIN)
            result = pg.get_result()
            if result is None:
                if pg.status != pq.ConnStatus.OK:
                    raise psycopg.OperationalError("the connection is lost")
                continue
            if result.status == pq.ExecStatus.PIPELINE_SYNC:
                return found
            found.append(result)


def lay(db: sa.Connection, waiting: Waiting) -> Line:
    """Give a connection that was just opened its line."""
    driver = cast("psycopg.Connection", db.connection.dbapi_connection)
    line = db.connection.info[_ENTRY] = Line(driver, waiting)
    return line


def line_of(db: sa.Connection) -> Line:
    """Return the line of a connection; it is the same as long as the connection lives."""
    return cast("Line", db.connection.info[_ENTRY])


def _begin(driver: psycopg.Connection) -> bytes:
    """Return what psycopg begins a transaction with."""
    level = driver.isolation_level
    return (
        b"BEGIN"
        if level is None
        else f"BEGIN ISOLATION LEVEL {level.name}".replace("_", " ").encode()
    )
