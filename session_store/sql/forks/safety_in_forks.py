"""Where a fork is on the crisis path: where its last turn was, and never below its source."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import SafetyState, raised_in_fork
from session_store.codec import load
from session_store.sql.database.prepared import copy_rows
from session_store.sql.database.statements import Found, owned
from session_store.sql.database.tables_beside import safety_states as table
from session_store.sql.safety import safety_states
from session_store.sql.sessions import events
from session_store.sql.sessions.sessions import Locked
from session_store.step_events import safety_draft


def copy(
    db: sa.Connection,
    source: SessionKey,
    target: SessionKey,
    *,
    last: int,
    number: Callable[[int], int],
) -> dict[str, object]:
    """Write the rows up to event `last` for a fork; return the columns of its row.

    `number` gives the number that an event has in the fork.
    """
    kept = [row for row in safety_states.rows_of(db, source) if row.sequence <= last]
    if not kept:
        return {}
    copy_rows(db, table, kept, owned(target), lambda row: {"sequence": number(row.sequence)})
    state = load(SafetyState, kept[-1].state)
    return safety_states.columns_of(state, number(kept[-1].sequence))


def raise_to_source(db: sa.Connection, source: Locked, made: Locked) -> Found:
    """Raise a fork to the level its source has now; return its row as it is then.

    Going back is no way off the path.
    """
    now, then = safety_states.current(db, source.row), safety_states.current(db, made.row)
    if now.level <= then.level:
        return made.row
    state = raised_in_fork(then, now)
    emitted = events.emit(made, [safety_draft(state)])
    safety_states.write(db, made.key, state, sequence=emitted.first)
    return events.keep(db, made, emitted, safety_states.columns_of(state, emitted.first))
