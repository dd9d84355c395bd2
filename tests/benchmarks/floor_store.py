"""What the floor keeps, on plain drivers: sqlite3 or psycopg, no layer between.

Both make two transactions a turn, as safe as ours: the input is committed before it is
acknowledged, the reply before it is sent.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeAlias, TypeVar

import orjson
import psycopg

from tests.benchmarks.prompts import Window, window_turns

T = TypeVar("T")
Loaded: TypeAlias = "tuple[int, dict[str, Any], Window]"
_THREADS = 4
"""Connections to PostgreSQL, as many as ours."""
_SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, position TEXT, turn INTEGER, next_seq INTEGER){end};
CREATE TABLE messages (session TEXT, seq INTEGER, id TEXT, role TEXT, text TEXT, time BIGINT,
    PRIMARY KEY (session, seq)){end};
"""
_NEXT = (
    "UPDATE sessions SET next_seq = next_seq + 1 WHERE id = {v}"
    " RETURNING next_seq - 1, position, turn"
)
_READ = (
    "SELECT role, text FROM messages WHERE session = {v} AND seq < {v} ORDER BY seq DESC LIMIT {v}"
)
_MOVE = (
    "UPDATE sessions SET position = {v}, turn = turn + 1, next_seq = next_seq + 2"
    " WHERE id = {v} RETURNING next_seq - 2"
)
_ADD = "INSERT INTO messages VALUES ({v}, {v}, {v}, {v}, {v}, {v})"
_BEGIN = "INSERT INTO sessions VALUES ({v}, '{{\"round\":0}}', 0, 1)"


class _Driver(Protocol):
    """What both drivers' connections can do."""

    def execute(self, query: Any, parameters: Any = ..., /) -> Any: ...


class FloorStore:
    """Runs the functions of a turn in threads of its own: no commit stops the event loop."""

    def __init__(self, connect: Callable[[], _Driver], *, threads: int, mark: str) -> None:
        """Each thread opens one connection with `connect`; `mark` is the placeholder."""
        texts = (_BEGIN, _NEXT, _READ, _MOVE, _ADD)
        self._begin, self._next, self._read, self._move, self._add = (
            text.format(v=mark) for text in texts
        )
        self._connect = connect
        self._own = threading.local()
        self._threads = ThreadPoolExecutor(threads)

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Run one of the functions below in a thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, work, *arguments)

    def begin(self, session: str) -> None:
        """Store a session."""
        self._db.execute(self._begin, (session,))

    def accept(self, session: str, mark: str, text: str) -> Loaded:
        """Store an input, the first transaction of a turn; return its number and load the state."""
        db = self._db
        db.execute("BEGIN IMMEDIATE" if isinstance(db, sqlite3.Connection) else "BEGIN")
        number, position, turn = db.execute(self._next, (session,)).fetchone()
        db.execute(self._add, (session, number, mark, "user", text, time.time_ns()))
        db.execute("COMMIT")
        rows = db.execute(self._read, (session, number, 2 * window_turns(turn))).fetchall()
        return number, orjson.loads(position), rows[::-1]

    def commit(self, session: str, message_id: str, text: str, position: bytes) -> int:
        """Store the reply and the new position: the second transaction of a turn."""
        db = self._db
        db.execute("BEGIN IMMEDIATE" if isinstance(db, sqlite3.Connection) else "BEGIN")
        (number,) = db.execute(self._move, (position.decode(), session)).fetchone()
        db.execute(self._add, (session, number, message_id, "assistant", text, time.time_ns()))
        db.execute("COMMIT")
        return int(number)

    @property
    def _db(self) -> _Driver:
        """This thread's connection."""
        if not hasattr(self._own, "db"):
            self._own.db = self._connect()
        known: _Driver = self._own.db
        return known


def open_floor(database: str) -> FloorStore:
    """Make the tables in an empty database, a path or a postgresql:// address; return the store."""
    if database.startswith("postgresql://"):
        with psycopg.connect(database) as db:
            db.execute(_SCHEMA.format(end=""))
        return FloorStore(lambda: _postgres(database), threads=_THREADS, mark="%s")
    sqlite3.connect(database).executescript(
        "PRAGMA journal_mode=WAL;" + _SCHEMA.format(end=" WITHOUT ROWID")
    ).connection.close()
    return FloorStore(lambda: _sqlite(database), threads=1, mark="?")


def _postgres(address: str) -> psycopg.Connection[Any]:
    """Open a connection whose statements are prepared the first time."""
    return psycopg.connect(address, autocommit=True, prepare_threshold=0)


def _sqlite(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous=FULL")
    return db
