"""Runs in forks: those that had ended by then; and the numbers that events have there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunKind
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of
from session_store.sql.database.tables_of_runs import runs

_ENDED = Prepared(
    select(runs)
    .where(of(runs), runs.c.listed, runs.c.end_seq.between(1, bindparam("last")))
    .order_by(runs.c.sequence)
)


@dataclass(frozen=True, slots=True)
class EventNumbers:
    """Numbers of the events that are copied, in order: the fork counts them from 1."""

    old: Sequence[int] = ()

    def number(self, old: int) -> int:
        """Return the number of an event in the fork; what is no event's stays."""
        return self.old.index(old, bisect_left(self.old, old)) + 1 if old > 0 else old

    def from_number(self, old: int) -> int:
        """Return the number of the first event there is from one on; that one may be left out."""
        return bisect_left(self.old, old) + 1

    def moved(self, row: Found, *names: str) -> dict[str, Any]:
        """Return the columns that name events, by their new numbers."""
        return {name: self.number(getattr(row, name)) for name in names}


@dataclass(frozen=True, slots=True)
class EndedRuns:
    """The runs of a session that had ended with one of its events."""

    rows: Sequence[Found]
    last: int
    """The number of that event."""

    @property
    def ids(self) -> frozenset[str]:
        """Their ids."""
        return frozenset(row.run_id for row in self.rows)

    @property
    def of_agents(self) -> frozenset[str]:
        """The ids of those of sub-agents."""
        return frozenset(row.run_id for row in self.rows if row.kind == RunKind.SUB_AGENT)

    @property
    def waiting(self) -> int:
        """How many no turn had taken up by then."""
        return sum(not self._is_taken_up(row) for row in self.rows)

    def _is_taken_up(self, row: Found) -> bool:
        return bool(0 < row.taken_seq <= self.last)

    def run_columns(self, row: Found, numbers: EventNumbers) -> dict[str, Any]:
        """Return the columns of a run that differ in the fork."""
        taken = numbers.from_number(row.taken_seq) if self._is_taken_up(row) else 0
        return numbers.moved(row, "sequence", "end_seq") | {"taken_seq": taken}


def ended_by(db: sa.Connection, source: SessionKey, last: int) -> EndedRuns:
    """Return the runs of a session that had ended with an event."""
    return EndedRuns(_ENDED.rows(db, at(source) | {"last": last}), last)
