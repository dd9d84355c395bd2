"""The rows of monitor requests: found, paused, ended."""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from session_store.records import MonitorTicket
from session_store.sql.database.prepared import Prepared, now_of
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import Found, Values, at, of
from session_store.sql.database.tables_beside import IS_OPEN, IS_OWED, monitor_requests

# The request that `named` names.
IT = sa.and_(
    of(monitor_requests),
    monitor_requests.c.action_instance_id == bindparam("at_instance"),
    monitor_requests.c.round == bindparam("at_round"),
)
_OPEN = Prepared(select(monitor_requests).where(IT, IS_OPEN))
_OWED = Prepared(select(monitor_requests).where(IT, IS_OWED))
_UPDATE = Prepared(monitor_requests.update().where(IT))
_RENEW = Prepared(
    monitor_requests.update()
    .where(IT, monitor_requests.c.lease_owner == bindparam("at_owner"))
    .values(lease_until=bindparam("to_until"))
    .returning(monitor_requests.c.round)
)
_OF_TURN = bindparam("of_turn", type_=sa.Text)
# It, while it is open and judges the turn `of_turn`; empty: whichever.
_ASKED = sa.and_(
    IT, IS_OPEN, sa.or_(constant("") == _OF_TURN, monitor_requests.c.turn_id == _OF_TURN)
)
_END = Prepared(monitor_requests.update().where(_ASKED).returning(monitor_requests))


def open_request(db: sa.Connection, ticket: MonitorTicket) -> Found | None:
    """Return the request's row unless its analysis is done."""
    return _OPEN.row(db, named(ticket))


def owed_request(db: sa.Connection, ticket: MonitorTicket) -> Found | None:
    """Return the request's row while a plan is owed to it."""
    return _OWED.row(db, named(ticket))


def update(db: sa.Connection, ticket: MonitorTicket, values: Values) -> None:
    """Write columns of a request."""
    _UPDATE.run(db, named(ticket) | dict(values))


def renew_claim(db: sa.Connection, ticket: MonitorTicket, *, owner: str, ttl: timedelta) -> bool:
    """Prolong a claim on an analysis or a plan; False when it is no longer held.

    One that ran out untaken is held.
    """
    until = {"to_until": now_of(db) + ttl, "at_owner": owner}
    return _RENEW.row(db, named(ticket) | until) is not None


def pause(
    db: sa.Connection, ticket: MonitorTicket, request: Found, *, until: datetime, claims: str
) -> None:
    """Free a request whose attempt failed, for another after a pause; `claims` counts anew."""
    later = {"lease_owner": "", "lease_until": until}
    update(db, ticket, later | {"failures": request.failures + 1, claims: 0})


def end(db: sa.Connection, ticket: MonitorTicket, values: Values, *, of_turn: str) -> Found | None:
    """Write columns of a request that is open, and return its row; None where it is done.

    None, too, where another turn than `of_turn` was judged; empty: whichever it was.
    """
    return _END.row(db, named(ticket) | dict(values) | {"of_turn": of_turn})


def named(ticket: MonitorTicket) -> dict[str, object]:
    """Return the parameters that name a request."""
    return at(ticket.key) | {"at_instance": ticket.action_instance_id, "at_round": ticket.round}
