"""Small parts of statements, the keys they run with, and the pages of a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy import Table, bindparam
from sqlalchemy.dialects.postgresql import Insert, insert

from heartrule.domain.errors import InvalidRequest
from heartrule.domain.keys import SessionKey
from session_store.records import Page

# A row read, by SQLAlchemy or by `Prepared`; its columns are attributes.
Found: TypeAlias = Any
# A row to write, by column.
Values: TypeAlias = Mapping[str, object]


def of(table: Table) -> sa.ColumnElement[bool]:
    """Return the condition that a row belongs to the session of `at`."""
    return sa.and_(
        table.c.tenant == bindparam("at_tenant"), table.c.session_id == bindparam("at_session")
    )


def of_one_session(table: sa.FromClause, other: sa.FromClause) -> sa.ColumnElement[bool]:
    """Return the condition that rows of two tables belong to one session."""
    return sa.and_(table.c.tenant == other.c.tenant, table.c.session_id == other.c.session_id)


def at(key: SessionKey) -> dict[str, object]:
    """Return the parameters of `of`."""
    return {"at_tenant": key.tenant, "at_session": key.session_id}


def owned(key: SessionKey) -> dict[str, object]:
    """Return the first two columns of a session's row."""
    return {"tenant": key.tenant, "session_id": key.session_id}


def copied(source: object, names: Iterable[str]) -> dict[str, Any]:
    """Return what a row and a record have in common: attributes of the same name and form."""
    return {name: getattr(source, name) for name in names}


def upsert(table: Table) -> Insert:
    """Return an insert that replaces all but the key of a row that is there."""
    statement = insert(table)
    columns = [each.name for each in table.columns if not each.primary_key]
    return statement.on_conflict_do_update(
        index_elements=list(table.primary_key.columns),
        set_={name: statement.excluded[name] for name in columns},
    )


def insert_new(table: Table) -> Insert:
    """Return an insert that leaves a row that is there as it is."""
    return insert(table).on_conflict_do_nothing()


def page_by(
    db: sa.Connection,
    ordered: sa.Select[Any],
    parameters: Values,
    page: Page,
    *,
    column: sa.Column[Any],
    first: sa.ColumnElement[bool] | None = None,
) -> tuple[Sequence[Found], str]:
    """Return the rows after the token's and the next token; empty after the last row.

    Args:
        db: The transaction.
        ordered: A select; tokens are values of `column`.
        parameters: Of the select.
        page: Which part is wanted.
        column: The column of the select that names its rows.
        first: Holds for the token's row and those after it; by default it has the least number.

    Errors:
        InvalidRequest: the token names no row of this list.
    """
    skip = 1 if page.token else 0
    if page.token:
        if first is None:
            first = column >= number_of(page.token)
        ordered = ordered.where(first)
    limited = ordered.limit(page.size + skip + 1)
    rows: Sequence[Found] = db.execute(limited, parameters).all()
    names = [str(getattr(row, column.name)) for row in rows]
    if skip and names[:1] != [page.token]:
        raise invalid_token()
    last = skip + page.size
    return rows[skip:last], names[last - 1] if len(rows) > last else ""


def number_of(token: str) -> int:
    """Return the number a token is; InvalidRequest where it is none."""
    if not token.removeprefix("-").isdecimal():
        raise invalid_token()
    return int(token)


def invalid_token() -> InvalidRequest:
    """Return the error of a token that names nothing."""
    return InvalidRequest("unknown page token", reason="PAGE_TOKEN_INVALID")
