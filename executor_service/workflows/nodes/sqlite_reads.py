"""Reads from a SQLite file: opened read-only, each action of a statement authorized.

It runs in a worker process, which is killed when its time is over: one step of SQLite cannot be
interrupted, and `trim` or `instr` of long texts takes hours.
"""

from __future__ import annotations

import base64
import math
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from urllib.parse import quote

import orjson

from executor_service.workflows.node_failed import NodeFailed, failed
from executor_service.workflows.nodes.database_rows import (
    DatabaseQuery,
    WrittenRows,
    bound_value,
    written_rows,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeFailure, RunErrorCode

_ALLOWED = frozenset({
    sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE,
})  # fmt: skip
# Functions that reach beyond the file, in builds that have them.
_ACTING = frozenset({"edit", "fts3_tokenizer", "load_extension", "readfile", "writefile"})
# Texts, and the patterns of LIKE, whose time grows with the product of both.
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
# Steps between two looks at the clock: a millisecond.
_STEPS = 20_000
# Of a file that somebody writes.
_MOST_WAIT_S = 5.0
# Bytes of one temporary file, in which SQLite sorts what is large.
_MOST_SORTED = 256 * 1024 * 1024

_REFUSED = frozenset({sqlite3.SQLITE_AUTH, sqlite3.SQLITE_READONLY})
_CLOSED = frozenset({
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_PERM, sqlite3.SQLITE_PROTOCOL,
})  # fmt: skip
_TOO_MUCH = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_TOOBIG})


def read_file(path: str, query: DatabaseQuery) -> WrittenRows | NodeFailure:
    """Return the rows of a query, or why there are none."""
    try:
        with _little_disk():
            return _read(path, query)
    except NodeFailed as error:
        return error.failure


@contextmanager
def _little_disk() -> Iterator[None]:
    """Limit the files that this process writes; Windows has no such limit."""
    try:
        import resource
    except ImportError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    most = _MOST_SORTED if hard == resource.RLIM_INFINITY else min(_MOST_SORTED, hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _read(path: str, query: DatabaseQuery) -> WrittenRows:
    """Return the rows of a query; it ends soon after its time, as far as SQLite looks at it.

    Raises:
        NodeFailed: REFUSED, TIMEOUT, LIMIT, CONNECTION or CODE_ERROR.
    """
    until = time.monotonic() + query.timeout_s
    values = {str(number): _bound(value) for number, value in enumerate(query.values, start=1)}
    try:
        with closing(_opened(path, min(query.timeout_s, _MOST_WAIT_S))) as connection:
            connection.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
            return written_rows(_rows(connection.execute(query.text, values)))
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise _failure(error) from None


def _bound(value: JsonValue) -> None | bool | int | float | str:
    bound = bound_value(value)
    return orjson.dumps(bound).decode() if isinstance(bound, list) else bound


def _opened(path: str, wait_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(path)}?mode=ro", uri=True, timeout=wait_s, isolation_level=None
    )
    for limit, most in _LIMITS.items():
        connection.setlimit(limit, most)
    connection.text_factory = lambda raw: raw.decode(errors="replace")
    connection.set_authorizer(_authorized)
    return connection


def _authorized(action: int, _first: str | None, name: str | None, *_: str | None) -> int:
    is_acting = action == sqlite3.SQLITE_FUNCTION and (name or "").lower() in _ACTING
    return sqlite3.SQLITE_OK if action in _ALLOWED and not is_acting else sqlite3.SQLITE_DENY


def _rows(cursor: sqlite3.Cursor) -> Iterator[bytes]:
    names = [column[0] for column in cursor.description or ()]
    for row in cursor:
        yield orjson.dumps(dict(zip(names, map(_plain, row), strict=True)))


def _plain(value: float | str | bytes | None) -> JsonValue:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _failure(error: Exception) -> NodeFailed:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if isinstance(error, sqlite3.Warning) or code in _REFUSED:
        return failed(RunErrorCode.REFUSED, "the query does more than read, or is no one statement")
    if code == sqlite3.SQLITE_INTERRUPT:
        return failed(RunErrorCode.TIMEOUT, "the query took longer than its node may")
    if code in _TOO_MUCH:
        return failed(RunErrorCode.LIMIT, "a value of the query has more than a megabyte")
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_WRITE:
        return failed(RunErrorCode.LIMIT, "the query sorts more than a quarter of a gigabyte")
    if code in _CLOSED:
        return failed(RunErrorCode.CONNECTION, "the database cannot be opened, or is locked")
    return failed(RunErrorCode.CODE_ERROR, f"the database: {error}")
