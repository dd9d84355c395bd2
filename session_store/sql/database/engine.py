"""What runs a transaction's function, an engine per database, and the errors of databases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol, TypeAlias, TypeVar

import sqlalchemy as sa

from heartrule.domain.errors import HeartRuleError, InvalidRequest, StoreFull, StoreUnavailable
from heartrule.domain.keys import SessionKey

T = TypeVar("T")
# A function whose statements are one transaction; it may run again after a lost connection.
Transaction: TypeAlias = Callable[[sa.Connection], T]
# Returns from the rows whether the transaction that returned this result was committed.
Proof: TypeAlias = Callable[[sa.Connection, T], bool]


_CHANGES = "changes"
# How long a caller should wait before it tries again.
RETRY_AFTER = timedelta(seconds=1)


@dataclass(slots=True)
class Changes:
    """Sessions that a transaction writes to: other processes learn of them after its commit."""

    keys: dict[SessionKey, None] = field(default_factory=dict)
    """In the order of their first write."""
    urgent: bool = False
    """Whether to announce them at once: a turn in another process is to stop."""

    def add(self, more: Changes) -> None:
        """Take in those of another transaction."""
        self.keys |= more.keys
        self.urgent |= more.urgent


def note_changes(db: sa.Connection) -> Changes:
    """Begin to note what a transaction changes, where other processes use the database."""
    changes = db.info[_CHANGES] = Changes()
    return changes


def note_change(db: sa.Connection, key: SessionKey, *, urgent: bool = False) -> None:
    """Note that this transaction writes to a session; for SQLite, do nothing."""
    changes: Changes | None = db.info.get(_CHANGES)
    if changes is not None:
        changes.keys[key] = None
        changes.urgent |= urgent


class Engine(Protocol):
    """Runs transactions; a result is returned only after its commit.

    Raises:
        StoreUnavailable: The database did not answer; nothing is known to be written.
        StoreFull: The disk is full; nothing was written.
    """

    async def start(self) -> None:
        """Migrate under a lock and open."""

    async def write(self, work: Transaction[T], *, proof: Proof[T] | None = None) -> T:
        """Run a transaction that writes; `proof` decides where a commit's outcome is unknown."""

    async def probe_disk(self) -> None:
        """After a write that found the disk full, try again; StoreFull where it still is."""

    async def read(self, work: Transaction[T]) -> T:
        """Run a transaction that reads what was committed."""

    async def erase(self, work: Transaction[T]) -> T:
        """Run a transaction that writes and leave no byte of what it deleted in our own files."""

    def changes(self) -> AsyncIterator[SessionKey | None]:
        """Yield sessions that other processes wrote to; ends at once where there are none."""

    async def aclose(self) -> None:
        """Close everything; afterwards no file or connection is open."""


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
