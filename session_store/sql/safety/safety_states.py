"""Where a session is on the crisis path: the newest row, and older ones for forks and retries.

The session's row names the newest by `safety_seq`, so a session that never was on the path reads
nothing (ADR 48).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import NOTHING_FOUND, SafetyState
from session_store.codec import dump, load
from session_store.event_drafts import EventDraft
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.database.tables_beside import safety_states
from session_store.step_events import safety_draft

_AT = Prepared(
    select(safety_states.c.state).where(
        of(safety_states), safety_states.c.sequence == bindparam("at_sequence")
    )
)
_ALL = Prepared(select(safety_states).where(of(safety_states)).order_by(safety_states.c.sequence))
_INSERT = Prepared(safety_states.insert())
_DELETE_FROM = Prepared(
    safety_states.delete().where(
        of(safety_states), safety_states.c.sequence >= bindparam("from_sequence")
    )
)


def current(db: sa.Connection, session: Found) -> SafetyState:
    """Return where the session of this row is; nothing is read where it never was on the path."""
    if not session.safety_seq:
        return NOTHING_FOUND
    key = SessionKey(session.tenant, session.session_id)
    return load(SafetyState, _AT.scalar(db, at(key) | {"at_sequence": session.safety_seq}))


def write(
    db: sa.Connection, key: SessionKey, state: SafetyState, *, sequence: int, turn_id: str = ""
) -> None:
    """Write the state a transaction leaves; `sequence` is its last event's."""
    row = {"sequence": sequence, "turn_id": turn_id, "state": dump(state)}
    _INSERT.run(db, owned(key) | row)


def columns_of(state: SafetyState, sequence: int) -> dict[str, object]:
    """Return the columns of the session's row that name a state."""
    return {"safety_seq": sequence, "frozen": state.frozen}


@dataclass(frozen=True, slots=True)
class Rewound:
    """Where a session is once a turn was taken back."""

    state: SafetyState

    @property
    def draft(self) -> EventDraft:
        """The event that watchers get."""
        return safety_draft(self.state)

    def write(self, db: sa.Connection, key: SessionKey, sequence: int) -> dict[str, object]:
        """Write the state under its event's number; return the columns of the session's row."""
        write(db, key, self.state, sequence=sequence)
        return columns_of(self.state, sequence)


def rewound(db: sa.Connection, key: SessionKey, first_seq: int) -> Rewound | None:
    """Delete the rows from a turn on and return where the session is then; None: nothing changes.

    It is where it was before the turn, but never at a lower level: taking a message back is no
    way off the path. An operator's decision stays.
    """
    rows = rows_of(db, key)
    if not rows or rows[-1].sequence < first_seq:
        return None
    newest = load(SafetyState, rows[-1].state)
    kept = [row for row in rows if row.sequence < first_seq]
    before = load(SafetyState, kept[-1].state) if kept else NOTHING_FOUND
    _DELETE_FROM.run(db, at(key) | {"from_sequence": first_seq})
    stays = not rows[-1].turn_id or newest.level > before.level
    return Rewound(newest if stays else before)


def rows_of(db: sa.Connection, key: SessionKey) -> Sequence[Found]:
    """Return all rows of a session, oldest first."""
    return _ALL.rows(db, at(key))
