"""Exports: the rows that an erasure would take, read in the order of their keys, page by page."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import LargeBinary, Table, select

from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.sensitive import SensitiveVariables
from session_store.records.exports import ExportedRow, ExportPage, ExportPlace
from session_store.sql.database.statements import Values, at, of
from session_store.sql.database.tables import sessions
from session_store.sql.exports.belongings import OF_SESSION, OF_USER, SESSIONS_OF_USER, of_user
from session_store.sql.exports.export_rules import RULES, ExportRule

# Rows of a page; each may have a megabyte.
_PAGE = 50
# What every row of an export has in common.
_OWNER = frozenset({"tenant", "session_id", "user_id"})


@dataclass(frozen=True, slots=True)
class _Family:
    """The rows of a table that belong to one session, or to one user."""

    table: Table
    theirs: sa.ColumnElement[bool]
    rule: ExportRule

    @property
    def size(self) -> int:
        """How many rows a page has: one where a row may hold a file."""
        has_files = any(isinstance(each.type, LargeBinary) for each in self.table.c)
        return 1 if has_files else _PAGE

    @property
    def order(self) -> Sequence[sa.Column[Any]]:
        """The columns that tell its owner's rows apart."""
        return [each for each in self.table.primary_key.columns if each.name not in _OWNER]

    def read(
        self, db: sa.Connection, owner: Values, after: Sequence[object]
    ) -> Sequence[sa.RowMapping]:
        """Return the rows behind one, by their key."""
        order = self.order
        chosen = select(self.table).where(self.theirs).order_by(*order).limit(self.size)
        if after:
            pairs = zip(order, after, strict=True)
            behind = sa.tuple_(*(sa.literal(value, each.type) for each, value in pairs))
            chosen = chosen.where(sa.tuple_(*order) > behind)
        return db.execute(chosen, owner).mappings().all()

    def exported(self, row: sa.RowMapping, hidden: SensitiveVariables) -> ExportedRow:
        """Return a row as JSON."""
        shown = self.rule.shown(dict(row), hidden)
        columns = {name: _json(value) for name, value in shown.items() if name != "tenant"}
        return ExportedRow(table=self.table.name, row=columns)


_IN_SESSION = tuple(
    _Family(each, of(each), RULES[each.name])
    for each in (sessions, *(each for each in OF_SESSION if each is not sessions))
)
_OF_USER = tuple(_Family(each, of_user(each), RULES[each.name]) for each in OF_USER)


def sessions_of_user(db: sa.Connection, tenant: str, user_id: str) -> tuple[str, ...]:
    """Return the ids of the sessions that `delete_user_data` would erase, the oldest first.

    The empty id names no user.
    """
    if not user_id:
        return ()
    found = db.execute(SESSIONS_OF_USER, {"at_tenant": tenant, "at_user": user_id})
    return tuple(found.scalars().all())


def export_session(
    db: sa.Connection, key: SessionKey, hidden: SensitiveVariables, place: ExportPlace
) -> ExportPage:
    """Return the next rows that `delete_session` would empty, masked; none once it is gone."""
    alive = select(sessions.c.deleted).where(of(sessions))
    if db.execute(alive, at(key)).scalar_one_or_none() is not False:
        return ExportPage(rows=(), next=None)
    return _page(db, _IN_SESSION, at(key), hidden=hidden, place=place)


def export_globals(
    db: sa.Connection, tenant: str, user_id: str, hidden: SensitiveVariables, place: ExportPlace
) -> ExportPage:
    """Return the next globals that `delete_user_data` would erase, masked by their names."""
    owner = {"at_tenant": tenant, "at_user": user_id}
    return _page(db, _OF_USER, owner, hidden=hidden, place=place)


def _page(
    db: sa.Connection,
    families: Sequence[_Family],
    owner: Mapping[str, object],
    *,
    hidden: SensitiveVariables,
    place: ExportPlace,
) -> ExportPage:
    after: Sequence[object] = place.after
    for index in range(place.table, len(families)):
        family = families[index]
        if found := family.read(db, owner, after):
            last = tuple(found[-1][each.name] for each in family.order)
            # A table whose key is its owner's has one row.
            more = len(found) == family.size and last
            return ExportPage(
                rows=tuple(family.exported(row, hidden) for row in found),
                next=ExportPlace(table=index, after=last) if more else ExportPlace(table=index + 1),
            )
        after = ()
    return ExportPage(rows=(), next=None)


def _json(value: Any) -> JsonValue:
    """Return what a column holds as JSON."""
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case timedelta():
            return value.total_seconds()
        case bytes():
            return base64.b64encode(value).decode()
        case _:
            known: JsonValue = value
            return known
