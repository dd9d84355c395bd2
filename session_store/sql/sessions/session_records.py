"""A session as its callers see it: its own row, and what other tables have of it."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.input_request import InputRequested
from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import NOTHING_FOUND, SafetyState
from session_store.codec import load
from session_store.event_drafts import kind_of
from session_store.records import SessionRecord
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, of_one_session
from session_store.sql.database.tables import HAS_SUBJECT, events, sessions
from session_store.sql.database.tables import messages as messages_table
from session_store.sql.database.tables_beside import safety_states as safety_table
from session_store.sql.rows_of import RowsOf
from session_store.sql.safety import safety_states
from session_store.sql.sessions import messages, variables
from session_store.sql.sessions.rows import key_of, plain_text_of

_SESSIONS = RowsOf(SessionRecord, sessions, but="open_request")
# Sessions with what records have of other tables, so that a list asks nothing for each.
WITH_ITS_OWN = (
    select(sessions, messages_table.c.parts, safety_table.c.state)
    .outerjoin(
        messages_table,
        sa.and_(
            of_one_session(messages_table, sessions),
            messages_table.c.sequence == sessions.c.last_message,
        ),
    )
    .outerjoin(
        safety_table,
        sa.and_(
            of_one_session(safety_table, sessions), safety_table.c.sequence == sessions.c.safety_seq
        ),
    )
)
_REQUESTED = Prepared(
    select(events.c.body).where(
        of(events),
        events.c.subject == bindparam("at_request"),
        HAS_SUBJECT,
        events.c.kind == kind_of(InputRequested),
    )
)


def record(db: sa.Connection, row: Found) -> SessionRecord:
    """Return the session with what is read from its messages and other rows."""
    key = key_of(row)
    said, safety = messages.text_of(db, key, row.last_message), safety_states.current(db, row)
    return _record(db, row, last_ai_message=said, safety=safety)


def listed(db: sa.Connection, row: Found) -> SessionRecord:
    """Return the session of a row of `WITH_ITS_OWN`."""
    said = plain_text_of(row) if row.parts else ""
    safety = load(SafetyState, row.state) if row.state else NOTHING_FOUND
    return _record(db, row, last_ai_message=said, safety=safety)


def _record(
    db: sa.Connection, row: Found, *, last_ai_message: str, safety: SafetyState
) -> SessionRecord:
    key = key_of(row)
    return _SESSIONS.value(
        row,
        key=key,
        last_sequence=row.next_seq - 1,
        running_turn_id=row.open_turn_id if row.lease_owner else "",
        last_ai_message=last_ai_message,
        pending_client_message_ids=messages.pending(db, key) if row.waiting else (),
        open_request=_requested(db, key, row.open_request),
        replacements=variables.replacements(db, key) if row.replaced else (),
        safety=safety,
    )


def _requested(db: sa.Connection, key: SessionKey, input_request_id: str) -> InputRequested | None:
    """Return the input request of that id; None for the empty one."""
    if not input_request_id:
        return None
    text = _REQUESTED.scalar(db, at(key) | {"at_request": input_request_id})
    return None if text is None else load(InputRequested, text)
