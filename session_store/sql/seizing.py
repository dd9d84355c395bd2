"""A session's row written where it still has the revision that a process knows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam

from heartrule.domain.keys import SessionKey
from session_store.records import AnalysisRecord
from session_store.sql.prepared import Prepared
from session_store.sql.requests import ASKED, named
from session_store.sql.sessions import Locked
from session_store.sql.statements import Found, Values, at, of
from session_store.sql.tables import IS_INPUT, messages, sessions
from session_store.sql.tables_mind import monitor_requests
from session_store.sql.types import Span, announced, database_now, later

_KNOWN = sa.select(messages.c.sequence).where(
    of(messages), IS_INPUT, messages.c.client_message_id == bindparam("at_input")
)
_SEIZED = (
    sessions.update()
    .where(
        of(sessions),
        sessions.c.revision == bindparam("at_revision"),
        sessions.c.deleted.is_(False),
    )
    .values(revision=sessions.c.revision + 1, update_time=database_now())
    .returning(sessions.c.update_time, announced(sessions.c.tenant, sessions.c.session_id))
)
_SEIZE = Prepared(_SEIZED)
_TAKE = Prepared(
    _SEIZED.where(sa.not_(sa.exists(_KNOWN))).values(
        lease_until=later(bindparam("for_time", type_=Span()))
    )
)
_JUDGED = sa.select(monitor_requests.c.turn_no).where(ASKED)
_SEIZE_ASKED = Prepared(
    _SEIZED.where(sa.exists(_JUDGED)).returning(_JUDGED.scalar_subquery().label("judged_turn_no"))
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A session seized for an analysis that is open."""

    locked: Locked
    judged_turn_no: int


def seize(db: sa.Connection, key: SessionKey, row: Found, values: Values) -> Locked | None:
    """Write columns and return the session as it was, locked; None where it has moved on.

    Then nothing was written: somebody changed the session after the transaction that left `row`.
    """
    return _seized(key, row, _SEIZE.rows(db, _name(key, row) | dict(values)))


def seize_asked(
    db: sa.Connection, record: AnalysisRecord, row: Found, values: Values
) -> Asked | None:
    """As `seize`, and only while the record's analysis is open; `requests.update` closes it."""
    key = record.ticket.key
    name = named(record.ticket) | {"of_turn": record.judged_turn_id}
    found = _SEIZE_ASKED.row(db, name | {"at_revision": row.revision} | dict(values))
    return Asked(Locked(key, row, found.update_time), found.judged_turn_no) if found else None


def take(
    db: sa.Connection,
    key: SessionKey,
    row: Found,
    values: Values,
    *,
    ttl: timedelta,
    client_message_id: str,
) -> Locked | None:
    """As `seize`, and hold the lease from now on; None also where the input is known already."""
    new = {"at_input": client_message_id, "for_time": ttl}
    return _seized(key, row, _TAKE.rows(db, _name(key, row) | new | dict(values)))


def _name(key: SessionKey, row: Found) -> dict[str, object]:
    return at(key) | {"at_revision": row.revision}


def _seized(key: SessionKey, row: Found, found: list[Found]) -> Locked | None:
    return Locked(key, row, found[0].update_time) if found else None
