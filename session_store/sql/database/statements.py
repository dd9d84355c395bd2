"""Small parts of statements, the keys they run with, and the pages of a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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


def at(key: SessionKey) -> dict[str, object]:
    """Return the parameters of `of`."""
    return {"at_tenant": key.tenant, "at_session": key.session_id}


def owned(key: SessionKey) -> dict[str, object]:
    """Return the first two columns of a session's row."""
    return {"tenant": key.tenant, "session_id": key.session_id}


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


@dataclass(frozen=True, slots=True)
class PagedSelect:
    """An ordered select and its parameters."""

    statement: sa.Select[Any]
    parameters: dict[str, object]

    def starting(self, condition: sa.ColumnElement[bool], **parameters: object) -> PagedSelect:
        """Return the part from the token's entry on, that entry included."""
        return PagedSelect(self.statement.where(condition), self.parameters | parameters)


def page_of(
    db: sa.Connection, wanted: PagedSelect, page: Page, *, name: Callable[[Found], str]
) -> tuple[Sequence[Found], str]:
    """Return the rows after the token's and the next token; empty after the last row.

    Errors:
        InvalidRequest: the token names no row of this list.
    """
    skip = 1 if page.token else 0
    limited = wanted.statement.limit(page.size + skip + 1)
    rows: Sequence[Found] = db.execute(limited, wanted.parameters).all()
    if skip and (not rows or name(rows[0]) != page.token):
        raise invalid_token()
    chosen = rows[skip : skip + page.size]
    more = len(rows) > skip + page.size
    return chosen, name(chosen[-1]) if more else ""


def number_of(token: str) -> int:
    """Return the number a token is; InvalidRequest where it is none."""
    if not token.isdecimal():
        raise invalid_token()
    return int(token)


def invalid_token() -> InvalidRequest:
    """Return the error of a token that names nothing."""
    return InvalidRequest("unknown page token", reason="PAGE_TOKEN_INVALID")
