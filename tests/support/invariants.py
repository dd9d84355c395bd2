"""The chaos checker's invariants, held against a store and what its calls emitted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from heartrule.domain.events import SessionEvent
from session_store.sql.store import SqlStore
from tests.chaos.checker import check
from tests.chaos.databases import Row
from tests.chaos.dump import take_dump
from tests.chaos.evidence import Violation
from tests.chaos.history import History, ReceivedEvent
from tests.support.row_rules import row_violations

NOT_OF_PLAYS = frozenset(
    {
        "everything is answered",
        "one text per message",
        "decisions are kept",
        "no effect without verdict",
        "decided once",
        "runs end",
        "runs are told as kept",
        "spent failures are decided once",
        "threads end",
        "no placeholder is left",
        "said in threads once",
    }
)
"""A play stops anywhere, says the same words again, decides at random, runs nodes again, and takes
messages of threads away."""


@dataclass(slots=True)
class OpenDatabase:
    """The database of a store that is open, read in one of its own transactions."""

    db: sa.Connection
    kind: str = ""
    address: str = ""

    def rows(self, query: str, *values: object) -> list[Row]:
        """Return what a query finds."""
        assert not values, "the checker's queries have none"
        return [tuple(row) for row in self.db.exec_driver_sql(query)]


async def violations(store: SqlStore, emitted: Sequence[SessionEvent]) -> list[Violation]:
    """Return what is broken in the sessions that are left."""
    dump = await store._engine.read(lambda db: take_dump(OpenDatabase(db)))
    received = [
        ReceivedEvent(at=0.0, client="c", session_id=event.session_id, stream=stream, event=event)
        for stream, event in enumerate(emitted)
        if event.session_id in dump.sessions
    ]
    found = check(History(list(received)), dump)
    kept = [each for each in found if each.rule not in NOT_OF_PLAYS]
    return kept + await store._engine.read(row_violations)


def events_in(outcome: object) -> Iterator[SessionEvent]:
    """Yield the events of what a call returned: alone, in a tuple, or in the field `events`."""
    if isinstance(outcome, SessionEvent):
        yield outcome
    elif isinstance(outcome, tuple):
        for each in outcome:
            yield from events_in(each)
    else:
        yield from getattr(outcome, "events", ())
