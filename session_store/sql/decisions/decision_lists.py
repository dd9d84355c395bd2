"""Decisions as they are read, with what became of them."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import select

from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from session_store.records import Page
from session_store.records.decisions import DecisionFilter, KeptDecision
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import at, of
from session_store.sql.database.tables_of_decisions import IS_UNDONE, decisions
from session_store.sql.decisions import decision_rows
from session_store.sql.lists.list_fields import DECISION_FIELDS
from session_store.sql.lists.listing import Listing, meeting
from session_store.sql.sessions import sessions

DECISIONS_LISTED = Listing(
    rows=select(decisions).where(of(decisions), decisions.c.listed),
    name=decisions.c.sequence,
    fields=DECISION_FIELDS,
    orders={"create_time": decisions.c.sequence},
    order_by="create_time",
)
_OPEN = Prepared(select(decisions).where(of(decisions), IS_UNDONE).order_by(decisions.c.sequence))


def list_decisions(
    db: sa.Connection,
    key: SessionKey,
    page: Page,
    wanted: DecisionFilter = DecisionFilter(),  # noqa: B008  frozen
) -> tuple[list[KeptDecision], str]:
    """Return decisions in the order in which they were made, and the next page's token.

    Those of turns that were taken back are left out.
    """
    sessions.read(db, key)
    rows, token = DECISIONS_LISTED.page(db, at(key), page, *meeting(decisions, wanted))
    return [decision_rows.kept(row) for row in rows], token


def open_decisions(db: sa.Connection, key: SessionKey) -> tuple[KeptDecision, ...]:
    """Return the decisions whose effect is to come or not done, in order."""
    sessions.read(db, key)
    return tuple(decision_rows.kept(row) for row in _OPEN.rows(db, at(key)))


def get_decision(db: sa.Connection, key: SessionKey, decision_id: str) -> KeptDecision:
    """Return a decision, also of a turn that was taken back; NotFound where there is none."""
    sessions.read(db, key)
    found = find_decision(db, key, decision_id)
    if found is None:
        raise NotFound("decision", decision_id)
    return found


def find_decision(db: sa.Connection, key: SessionKey, decision_id: str) -> KeptDecision | None:
    """Return a decision with what became of it; None where there is none of that id."""
    row = decision_rows.named(db, key, (decision_id,)).get(decision_id)
    return None if row is None else decision_rows.kept(row)
