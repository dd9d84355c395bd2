"""What a driver's error means to a caller."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import sqlalchemy as sa

from heartrule.domain.errors import HeartRuleError, InvalidRequest, StoreFull, StoreUnavailable

RETRY_AFTER = timedelta(seconds=1)

_FULL = frozenset({"53100", "53200"})
"""PostgreSQL: no room on disk, no memory."""
_AGAIN = frozenset({"40001", "40P01", "55P03"})
"""PostgreSQL: lost against another transaction; nothing was written."""


def said_plainly(error: Exception) -> Exception:
    """Return the domain's error with the driver's as its cause; a bug of ours stays as it is."""
    meaning = meaning_of(error)
    if meaning is None:
        return error
    meaning.__cause__ = error
    return meaning


def meaning_of(error: Exception) -> HeartRuleError | None:
    """Return the domain's error, or None for what is a bug of ours."""
    if isinstance(error, UnicodeEncodeError | sa.exc.DataError):
        return InvalidRequest("text that cannot be stored", reason="TEXT_NOT_STORABLE")
    if isinstance(error, sqlite3.OperationalError):
        return full() if error.sqlite_errorcode == sqlite3.SQLITE_FULL else unavailable()
    if not isinstance(error, sa.exc.DBAPIError):
        return None
    if is_full(error):
        return full()
    if isinstance(error, sa.exc.IntegrityError | sa.exc.ProgrammingError):
        return None
    return unavailable()


def full() -> StoreFull:
    """Return the error of a database without room."""
    return StoreFull("the database is full", reason="STORE_FULL", retry_after=RETRY_AFTER)


def unavailable() -> StoreUnavailable:
    """Return the error of a database that does not answer; its own words stay in the log."""
    return StoreUnavailable(
        "the database does not answer", reason="STORE_UNAVAILABLE", retry_after=RETRY_AFTER
    )


def is_full(error: sa.exc.DBAPIError) -> bool:
    """Return True where no room is left."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_FULL or _state(error) in _FULL


def is_worth_another_try(error: sa.exc.DBAPIError) -> bool:
    """Return True where nothing was written and a fresh start may succeed."""
    return error.connection_invalidated or _state(error) in _AGAIN


def _state(error: sa.exc.DBAPIError) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "")
