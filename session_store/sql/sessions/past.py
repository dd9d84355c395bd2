"""The past of a session read from its rows, to be folded by `session_store.past`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import select

from heartrule.domain.events import VariableChanged
from heartrule.domain.keys import SessionKey
from session_store.codec import load
from session_store.event_drafts import kind_of
from session_store.past import PastStep
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of
from session_store.sql.database.tables import attempts, events
from session_store.sql.turns import plans
from session_store.sql.turns.attempts import AttemptState

_ATTEMPTS = Prepared(
    select(attempts)
    .where(of(attempts), attempts.c.turn_no >= 0)
    .order_by(attempts.c.turn_no, attempts.c.attempt)
)
_OPERATIONS = Prepared(
    select(events.c.turn_id, events.c.body)
    .where(of(events), events.c.kind == kind_of(VariableChanged))
    .order_by(events.c.sequence)
)


SETTLED = frozenset({AttemptState.COMPLETED.value, AttemptState.FAILED.value})
"""States of a turn that nobody runs and nobody asked to run."""


def turns(db: sa.Connection, key: SessionKey) -> list[Found]:
    """Return the newest attempt of every turn that was not taken back, in order."""
    newest = {row.turn_id: row for row in _ATTEMPTS.rows(db, at(key))}
    return list(newest.values())


def has_ended(turn: Found) -> bool:
    """Return whether the session stood after this turn: it ended, and not in a failure."""
    return bool(turn.state == AttemptState.COMPLETED)


def steps_of(db: sa.Connection, key: SessionKey, which: Sequence[Found]) -> list[PastStep]:
    """Return what the committed steps of each of these turns changed, in order."""
    known = plans.of_session(db, key)
    written = defaultdict(list)
    for row in _OPERATIONS.rows(db, at(key)):
        written[row.turn_id].append(load(VariableChanged, row.body).variable_operation)
    return [
        PastStep(
            turn_no=turn.turn_no,
            instances=plans.changed(turn.plan, known),
            operations=tuple(written.get(turn.turn_id, ())),
        )
        for turn in which
    ]
