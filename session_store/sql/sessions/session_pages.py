"""Pages of what belongs to one session, by the number of each row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from session_store.records import Page
from session_store.sql.database.statements import Found, at, page_by
from session_store.sql.sessions import sessions

T = TypeVar("T")


class ReadsPage(Protocol[T]):
    """A read of one page."""

    def __call__(self, db: sa.Connection, key: SessionKey, page: Page) -> tuple[list[T], str]:
        """Return the page and the next one's token; NotFound for a deleted session."""


def paged(
    ordered: sa.Select[Any], value_of: Callable[[Found], T], column: sa.Column[int]
) -> ReadsPage[T]:
    """Return the read of a list, a page at a time; `column` is the number it is ordered by."""

    def read(db: sa.Connection, key: SessionKey, page: Page) -> tuple[list[T], str]:
        sessions.read(db, key)
        rows, token = page_by(db, ordered, at(key), page, column=column)
        return [value_of(row) for row in rows], token

    return read
