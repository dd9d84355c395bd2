"""Runs in forks: those that had ended by then, with all that is kept of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import sqlalchemy as sa
from sqlalchemy import Table, bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunKind
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.database.tables_of_runs import node_runs, run_artifacts, run_values, runs

_ENDED = Prepared(
    select(runs)
    .where(of(runs), runs.c.listed, runs.c.end_seq.between(1, bindparam("last")))
    .order_by(runs.c.sequence)
)
_NAMES: sa.BindParameter[str] = bindparam("names", expanding=True)


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

    def run_columns(self, row: Found, copied: EventNumbers) -> dict[str, object]:
        """Return the columns of a run that differ in the fork."""
        taken = copied.from_number(row.taken_seq) if self._is_taken_up(row) else 0
        moved: dict[str, object] = {
            name: copied.number(getattr(row, name)) for name in ("sequence", "end_seq")
        }
        return moved | {"taken_seq": taken}


class EventNumbers(Protocol):
    """The numbers of events in a fork, by those in its source."""

    def number(self, old: int) -> int:
        """Return the number of an event that is copied."""

    def from_number(self, old: int) -> int:
        """Return the number of the first event there is from one on."""


def ended_by(db: sa.Connection, source: SessionKey, last: int) -> EndedRuns:
    """Return the runs of a session that had ended with an event."""
    return EndedRuns(_ENDED.rows(db, at(source) | {"last": last}), last)


def copy(
    db: sa.Connection, ended: EndedRuns, keys: tuple[SessionKey, SessionKey], copied: EventNumbers
) -> None:
    """Write runs of the first session for the second, with their nodes, values and files."""
    if not ended.rows:
        return
    source, target = keys
    changes: dict[Table, Callable[[Found], dict[str, object]]] = {
        node_runs: lambda row: {"sequence": copied.number(row.sequence)},
        run_values: lambda _: {},
        run_artifacts: lambda _: {},
    }
    _write(db, runs, target, [(row, ended.run_columns(row, copied)) for row in ended.rows])
    for table, change in changes.items():
        found = select(table).where(of(table), table.c.run_id.in_(_NAMES))
        rows = db.execute(found, at(source) | {"names": sorted(ended.ids)}).all()
        _write(db, table, target, [(row, change(row)) for row in rows])


def _write(
    db: sa.Connection,
    table: Table,
    target: SessionKey,
    rows: Sequence[tuple[Found, dict[str, object]]],
) -> None:
    insert = Prepared(table.insert())
    insert.run_each(db, [row._asdict() | change | owned(target) for row, change in rows])
