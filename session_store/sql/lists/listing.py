"""Lists that callers filter and order, compiled to bound parameters of one statement."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select

from session_store.records import Page
from session_store.sql.database.statements import (
    Found,
    Values,
    invalid_token,
    number_of,
    of_one_session,
)
from session_store.sql.database.tables import sessions
from session_store.sql.database.tables_beside import session_labels
from session_store.sql.lists.list_filter import (
    LABELS,
    Comparison,
    FilterType,
    parse_filter,
    parse_order,
)

_OPERATORS: Mapping[str, Callable[[Any, Any], sa.ColumnElement[bool]]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_LARGEST = 2**31 - 1
_LONGEST_NUMBER = 11


@dataclass(frozen=True, slots=True, kw_only=True)
class ListField:
    """A field of the contract, and where the store has it."""

    type: FilterType
    column: sa.ColumnElement[Any] | None = None
    """None: labels, which are rows of a session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A list in its own order, and what it may be filtered and ordered by."""

    rows: sa.Select[Any]
    """Every row, in no order."""
    name: sa.Column[Any]
    """What a page's token names: unique in the list."""
    fields: Mapping[str, ListField] = field(default_factory=dict)
    orders: Mapping[str, sa.Column[Any]]
    """By the name of the field; with `name` behind it, so that each row has one place."""
    order_by: str
    """The list's own, as a caller would write it."""

    def page(
        self, db: sa.Connection, values: Values, page: Page, *conditions: sa.ColumnElement[bool]
    ) -> tuple[Sequence[Found], str]:
        """Return a page of the rows that meet filter and conditions, and the next one's token.

        A token stays good where its row no longer meets the filter.

        Errors:
            InvalidRequest: filter or order is malformed, or the token names no row of the list.
        """
        chosen = self.rows.where(*conditions, *self._filter(page.filter))
        by, down = parse_order(page.order_by.strip() or self.order_by, self.orders)
        column = self.orders[by]
        places = [column] if column is self.name else [column, self.name]
        if page.token:
            chosen = chosen.where(self._behind(db, values, page.token, places, down=down))
        ordered = chosen.order_by(*(each.desc() if down else each for each in places))
        rows: Sequence[Found] = db.execute(ordered.limit(page.size + 1), values).all()
        shown = rows[: page.size]
        more = len(rows) > page.size
        return shown, str(getattr(shown[-1], self.name.name)) if more else ""

    def _filter(self, text: str) -> list[sa.ColumnElement[bool]]:
        types = {name: each.type for name, each in self.fields.items()}
        return [self._condition(each) for each in parse_filter(text, types)]

    def _condition(self, asked: Comparison) -> sa.ColumnElement[bool]:
        if asked.field == LABELS:
            return _has_label(asked)
        column = self.fields[asked.field].column
        assert column is not None
        return _OPERATORS[asked.operator](column, asked.value)

    def _behind(
        self,
        db: sa.Connection,
        values: Values,
        token: str,
        places: Sequence[sa.Column[Any]],
        *,
        down: bool,
    ) -> sa.ColumnElement[bool]:
        name: object = token
        if isinstance(self.name.type, sa.Integer):
            name = number_of(token[:_LONGEST_NUMBER])
            if name > _LARGEST:
                raise invalid_token()
        of_token = self.rows.with_only_columns(*places, maintain_column_froms=True)
        found = db.execute(of_token.where(self.name == name), values).first()
        if found is None:
            raise invalid_token()
        here = sa.tuple_(*places)
        there = sa.tuple_(
            *(sa.literal(value, each.type) for value, each in zip(found, places, strict=True))
        )
        return here < there if down else here > there


def numbered(rows: sa.Select[Any], number: sa.Column[Any], *, down: bool = False) -> Listing:
    """Return a list in the order of its numbers, which nothing filters."""
    order_by = f"{number.name} desc" if down else number.name
    return Listing(rows=rows, name=number, orders={number.name: number}, order_by=order_by)


def meeting(table: sa.Table, wanted: Any) -> list[sa.ColumnElement[bool]]:
    """Return the conditions of a filter: values by column, of which an empty one means any."""
    given = ((table.c[each.name], getattr(wanted, each.name)) for each in fields(wanted))
    return [column == str(value) for column, value in given if value]


def _has_label(asked: Comparison) -> sa.ColumnElement[bool]:
    rows = select(sa.literal(1)).where(
        of_one_session(session_labels, sessions), session_labels.c.name == asked.label
    )
    if asked.operator != ":":
        rows = rows.where(_OPERATORS[asked.operator](session_labels.c.value, asked.value))
    return rows.exists()
