"""Errors of the domain for failures of a database, the same for both databases."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from heartrule.domain.errors import HeartRuleError, InvalidRequest, StoreFull, StoreUnavailable

RETRY_AFTER = timedelta(seconds=1)
"""How long a caller should wait before it tries again."""


def full() -> StoreFull:
    """Return the error of a full disk."""
    return StoreFull("the database is full", reason="STORE_FULL", retry_after=RETRY_AFTER)


def unavailable() -> StoreUnavailable:
    """Return the error of a database that does not answer; the driver's text stays in the log."""
    return StoreUnavailable(
        "the database does not answer", reason="STORE_UNAVAILABLE", retry_after=RETRY_AFTER
    )


def not_opened(path: str, error: OSError) -> StoreUnavailable:
    """Return the error of a file that the system does not let us open."""
    return StoreUnavailable(
        f"{path} cannot be opened: {error.strerror or error}", reason="STORE_UNAVAILABLE"
    )


def closed() -> StoreUnavailable:
    """Return the error of a store before start and after aclose."""
    return StoreUnavailable("the store is not open", reason="STORE_CLOSED")


def not_storable() -> InvalidRequest:
    """Return the error of a text that no database takes: NUL, half of a surrogate pair."""
    return InvalidRequest("text that cannot be stored", reason="TEXT_NOT_STORABLE")


def driver_error(error: Exception) -> BaseException:
    """Return what the driver raised, with SQLAlchemy around it or without."""
    if isinstance(error, sa.exc.DBAPIError) and error.orig is not None:
        return error.orig
    return error


def caused_by(meaning: HeartRuleError, error: Exception) -> Exception:
    """Return the error of the domain with the failure as its cause."""
    meaning.__cause__ = error
    return meaning
