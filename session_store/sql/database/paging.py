"""Pages of a list; a token names the last entry given, so that new entries shift nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from heartrule.domain.errors import InvalidRequest
from session_store.records import Page
from session_store.sql.database.statements import Found


@dataclass(frozen=True, slots=True)
class Wanted:
    """An ordered select and its parameters."""

    statement: sa.Select[Any]
    parameters: dict[str, object]

    def starting(self, condition: sa.ColumnElement[bool], **parameters: object) -> Wanted:
        """Return the part from the token's entry on, that entry included."""
        return Wanted(self.statement.where(condition), self.parameters | parameters)


def page_of(
    db: sa.Connection, wanted: Wanted, page: Page, *, name: Callable[[Found], str]
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
