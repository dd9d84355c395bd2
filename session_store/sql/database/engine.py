"""What runs a transaction's function: an engine per database, each with threads of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

import sqlalchemy as sa

from heartrule.domain.keys import SessionKey

T = TypeVar("T")
Transaction: TypeAlias = Callable[[sa.Connection], T]
"""A function whose statements are one transaction; it may run again after a lost connection."""
Proof: TypeAlias = Callable[[sa.Connection, T], bool]
"""Returns from the rows whether the transaction that returned this result was committed."""


_CHANGES = "changes"


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
