"""Prepared statements on PostgreSQL: by the connection's line, where it knows the types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.types import TypeEngine

from session_store.sql.postgres_line import Sent, line_of
from session_store.sql.postgres_text import from_text, numbered, rows_of, to_text
from session_store.sql.prepared import CursorForm, Form
from session_store.sql.statements import Found, Values


def line_form(form: CursorForm, kinds: Sequence[TypeEngine[Any]]) -> Form:
    """Return the form that is run below psycopg's cursor; the form itself where that may not be.

    Args:
        form: As psycopg's cursor runs it.
        kinds: Types of the columns it gives.
    """
    readers = from_text(kinds)
    if readers is None:
        return CursorAfterLine(form)
    text, names = numbered(form.text)
    return LineForm(form.text, form.arguments, text, names, form.made, readers)


@dataclass(frozen=True, slots=True)
class LineForm:
    """Sent by the connection's line."""

    text: str
    arguments: Callable[[Values], object]
    sent: str
    """The text with numbered parameters."""
    names: Sequence[str]
    made: Callable[[Sequence[object]], Found] | None
    readers: Sequence[Callable[[bytes], object]]

    def put(self, db: sa.Connection, rows: Sequence[Values]) -> None:
        """Let it wait for the next exchange, for every row."""
        line = line_of(db)
        for row in rows:
            line.put(self.sent, self._sent(row))

    def count(self, db: sa.Connection, values: Values) -> int:
        """Run it and return how many rows it touched."""
        return line_of(db).ask(self.sent, self._sent(values)).command_tuples or 0

    def rows(self, db: sa.Connection, values: Values) -> list[Found]:
        """Run it and return every row it gives."""
        result = line_of(db).ask(self.sent, self._sent(values))
        assert self.made is not None
        return list(map(self.made, rows_of(result, self.readers)))

    def _sent(self, values: Values) -> Sent:
        found = cast("dict[str, object]", self.arguments(values))
        return to_text(map(found.__getitem__, self.names))


@dataclass(frozen=True, slots=True)
class CursorAfterLine:
    """Run by psycopg's cursor, behind what waits."""

    form: CursorForm

    @property
    def text(self) -> str:
        """As the cursor takes it."""
        return self.form.text

    @property
    def arguments(self) -> Callable[[Values], object]:
        """As the cursor takes them."""
        return self.form.arguments

    def put(self, db: sa.Connection, rows: Sequence[Values]) -> None:
        """Run it for every row."""
        line_of(db).hand_over()
        self.form.put(db, rows)

    def count(self, db: sa.Connection, values: Values) -> int:
        """Run it and return how many rows it touched."""
        line_of(db).hand_over()
        return self.form.count(db, values)

    def rows(self, db: sa.Connection, values: Values) -> list[Found]:
        """Run it and return every row it gives."""
        line_of(db).hand_over()
        return self.form.rows(db, values)
