"""Small parts of statements, and the keys they run with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy import Table, bindparam
from sqlalchemy.dialects.postgresql import Insert, insert

from heartrule.domain.errors import InvalidRequest
from heartrule.domain.keys import SessionKey

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


def number_of(token: str) -> int:
    """Return the number a token is; InvalidRequest where it is none."""
    if not token.removeprefix("-").isdecimal():
        raise invalid_token()
    return int(token)


def invalid_token() -> InvalidRequest:
    """Return the error of a token that names nothing."""
    return InvalidRequest("unknown page token", reason="PAGE_TOKEN_INVALID")
