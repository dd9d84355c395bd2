"""Statements that SQLAlchemy writes once per database and the driver's own cursor runs.

SQLAlchemy's execution is four fifths of a short statement's CPU, and a turn has thirty of them
(ADR 16). What it does for the values stays: the types' conversions.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.dml import Insert, Update
from sqlalchemy.types import TypeEngine

from session_store.sql.database.schema import database_now
from session_store.sql.database.statements import Found, Values

_Convert: TypeAlias = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class CompiledStatement:
    """A statement as one database takes it."""

    text: str
    """As the driver takes it."""
    arguments: Callable[[Values], object]
    """Turns parameters into what the driver takes."""
    made: Callable[[Sequence[object]], Found] | None
    """Turns what the driver gives into a row; None where it gives none."""


@dataclass(frozen=True, slots=True)
class PendingRows:
    """Rows the database was asked for.

    On PostgreSQL statements that are asked before the first `rows` go to the server together.
    """

    cursor: Any
    made: Callable[[Sequence[object]], Found]

    def rows(self) -> list[Found]:
        """Wait for the rows and return them; to be called once."""
        return list(map(self.made, self.cursor.fetchall()))


class Prepared:
    """A statement to be run again and again; without state but for its compiled forms."""

    def __init__(self, statement: sa.Select[Any] | sa.UpdateBase) -> None:
        """Keep the statement; it is compiled when a database first needs it.

        An insert or update without values of its own writes the columns its parameters name.
        """
        self.statement = statement
        self._forms: dict[str | tuple[str, ...], CompiledStatement] = {}
        self._table = statement.table if isinstance(statement, Insert | Update) else None

    def run(self, db: sa.Connection, values: Values) -> None:
        """Run it; on PostgreSQL at the latest with the next read, or the end."""
        form = self._form(db, values)
        _driver(db).execute(form.text, form.arguments(values))

    def run_each(self, db: sa.Connection, rows: Sequence[Values]) -> None:
        """Run it for every row, all of the same columns; nothing to write costs nothing."""
        if len(rows) == 1:
            self.run(db, rows[0])
        elif rows:
            form = self._form(db, rows[0])
            _driver(db).cursor().executemany(form.text, [form.arguments(row) for row in rows])

    def ask(self, db: sa.Connection, values: Values) -> PendingRows:
        """Send it and return what gives its rows, so that several can be sent together."""
        form = self._form(db, values)
        assert form.made is not None, "it gives rows"
        return PendingRows(_driver(db).execute(form.text, form.arguments(values)), form.made)

    def rows(self, db: sa.Connection, values: Values) -> list[Found]:
        """Run it and return every row it gives."""
        return self.ask(db, values).rows()

    def row(self, db: sa.Connection, values: Values) -> Found:
        """Run it and return its only row, or None."""
        found = self.rows(db, values)
        return found[0] if found else None

    def scalar(self, db: sa.Connection, values: Values) -> Any:
        """Run it and return the first column of its only row, or None."""
        found = self.rows(db, values)
        return found[0][0] if found else None

    def _form(self, db: sa.Connection, values: Values) -> CompiledStatement:
        name = db.dialect.name
        key = (name, *values) if self._table is not None else name
        form = self._forms.get(key)
        if form is None:
            form = self._forms[key] = self._compiled(db.dialect, values)
        return form

    def _compiled(self, dialect: Dialect, values: Values) -> CompiledStatement:
        columns = None
        if self._table is not None:
            columns = [name for name in values if name in self._table.columns]
        compiled = self.statement.compile(dialect=dialect, column_keys=columns)
        assert isinstance(compiled, SQLCompiler)
        return CompiledStatement(
            str(compiled), _arguments(compiled, dialect), _rows(self.statement, dialect)
        )


def copy_rows(
    db: sa.Connection,
    table: sa.Table,
    rows: Iterable[Found],
    owner: Values,
    change: Callable[[Found], Values] = lambda _row: {},
) -> None:
    """Insert rows of another owner anew for this one, each with the columns that differ."""
    copies = [row._asdict() | change(row) | owner for row in rows]
    Prepared(table.insert()).run_each(db, copies)


_NOW = Prepared(sa.select(database_now()))


def now_of(db: sa.Connection) -> datetime:
    """Return the time by the database's clock, later than at the call before."""
    now: datetime = _NOW.scalar(db, {})
    return now


def _driver(db: sa.Connection) -> Any:
    """Return the driver's own connection."""
    return db.connection.dbapi_connection


def _arguments(compiled: SQLCompiler, dialect: Dialect) -> Callable[[Values], object]:
    """Return what turns parameters into the driver's, constants and conversions included."""
    bound = compiled.binds.items()
    constants = {name: it.value for name, it in bound if it.value is not None and not it.required}
    converts = {name: each for name, it in bound if (each := _bind(it.type, dialect))}

    def named(values: Values) -> dict[str, object]:
        found = {**constants, **values}
        for name, convert in converts.items():
            found[name] = convert(found[name])
        return found

    if compiled.positiontup is None:
        return named
    names = tuple(compiled.positiontup)
    return lambda values: tuple(map(named(values).__getitem__, names))


def _bind(kind: TypeEngine[Any], dialect: Dialect) -> _Convert | None:
    return kind.dialect_impl(dialect).bind_processor(dialect)


def _rows(
    statement: sa.Select[Any] | sa.UpdateBase, dialect: Dialect
) -> Callable[[Sequence[object]], Found] | None:
    """Return what makes a row of what the driver gives."""
    columns = list(statement.exported_columns)
    if not columns:
        return None
    row = namedtuple("Row", [each.name for each in columns])  # type: ignore[misc]  # noqa: PYI024
    converts = [
        (place, convert)
        for place, column in enumerate(columns)
        if (convert := column.type.dialect_impl(dialect).result_processor(dialect, None))
    ]

    def made(found: Sequence[object]) -> Found:
        values = list(found)
        for place, convert in converts:
            values[place] = convert(values[place])
        return row._make(values)

    return made
