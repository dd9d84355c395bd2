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
"""Tells from the rows whether a transaction that gave this result was committed."""


_CHANGES = "changes"


@dataclass(slots=True)
class Changes:
    """Sessions that a transaction writes to: other processes learn of them after its commit."""

    keys: dict[SessionKey, None] = field(default_factory=dict)
    """In the order of their first write."""
    urgent: bool = False
    """Whether a turn in another process waits for it."""

    def add(self, more: Changes) -> None:
        """Take in those of another transaction."""
        self.keys |= more.keys
        self.urgent |= more.urgent


def note_changes(db: sa.Connection) -> Changes:
    """Begin to note what a transaction changes, where other processes use the database."""
    changes = db.info[_CHANGES] = Changes()
    return changes


def note_change(db: sa.Connection, key: SessionKey, *, urgent: bool = False) -> None:
    """Note that this transaction writes to a session; where nobody listens, do nothing."""
    changes: Changes | None = db.info.get(_CHANGES)
    if changes is not None:
        changes.keys[key] = None
        changes.urgent |= urgent


class Engine(Protocol):
    """Runs transactions; a result is given only after its commit.

    Errors:
        StoreUnavailable: the database did not answer; nothing is known to be written.
        StoreFull: the database has no room; nothing was written.
    """

    async def start(self) -> None:
        """Migrate under a lock and open."""

    async def write(self, work: Transaction[T], *, proof: Proof[T] | None = None) -> T:
        """Run a transaction that writes; `proof` decides where a commit's outcome is unknown."""

    async def probe_room(self) -> None:
        """Where a write has found no room, see whether there is some; StoreFull otherwise."""

    async def read(self, work: Transaction[T]) -> T:
        """Run a transaction that reads what was committed."""

    async def erase(self, work: Transaction[T]) -> T:
        """Run a transaction that writes and leave no byte of what it deleted in our own files."""

    def changes(self) -> AsyncIterator[SessionKey | None]:
        """Yield sessions that other processes wrote to; ends at once where there are none."""

    async def aclose(self) -> None:
        """Close everything; afterwards no file or connection is open."""
