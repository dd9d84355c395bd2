"""What tables are made of: column types of both databases, one metadata, columns by their use."""

# ruff: noqa: ARG002 - SQLAlchemy prescribes what these take

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Boolean, Column, Index, Integer, Table, Text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import SchemaItem
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction
from sqlalchemy.types import TypeEngine

# PostgreSQL's clock. SQLite's is given to each connection under its name: microseconds, never twice
# the same.
CLOCK_FUNCTION = "clock_timestamp"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Moment(sa.types.TypeDecorator[datetime]):
    """A point in time: timestamptz on PostgreSQL, microseconds since 1970 on SQLite."""

    impl = sa.BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the database's own type."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(TIMESTAMP(timezone=True))
        return dialect.type_descriptor(sa.BigInteger())

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], object] | None:
        """Return what makes a moment the driver's."""
        return None if dialect.name == "postgresql" else _to_microseconds

    def result_processor(
        self, dialect: Dialect, coltype: object
    ) -> Callable[[Any], datetime | None]:
        """Return what makes the driver's value a moment in UTC."""
        return _in_utc if dialect.name == "postgresql" else _from_microseconds


def _to_microseconds(value: datetime | None) -> int | None:
    return None if value is None else (value - _EPOCH) // _MICROSECOND


def _from_microseconds(value: int | None) -> datetime | None:
    return None if value is None else _EPOCH + timedelta(microseconds=value)


def _in_utc(value: datetime | None) -> datetime | None:
    return None if value is None else value.astimezone(UTC)


class Microseconds(sa.types.TypeDecorator[timedelta]):
    """A length of time in microseconds."""

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:
        """Return whole microseconds."""
        return None if value is None else value // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> timedelta | None:
        """Return the length."""
        return None if value is None else timedelta(microseconds=value)


def database_now() -> sa.Function[datetime]:
    """Return the database's clock at this statement, not at the transaction's start."""
    return sa.Function(CLOCK_FUNCTION, type_=Moment())


class json_pairs(GenericFunction[Any]):  # noqa: N801 - named as SQL has it
    """The rows `key`, `value` of a JSON object of texts; as `.table_valued("key", "value")`."""

    type = Text()
    inherit_cache = True


@compiles(json_pairs, "sqlite")
def _sqlite_pairs(element: json_pairs, compiler: SQLCompiler, **kw: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **kw)})"


@compiles(json_pairs, "postgresql")
def _postgresql_pairs(element: json_pairs, compiler: SQLCompiler, **kw: Any) -> str:
    return f"json_each_text(CAST({compiler.process(element.clauses, **kw)} AS JSON))"


class json_at(GenericFunction[Any]):  # noqa: N801 - named as SQL has it
    """The text at a path of a JSON text, such as `json_at(body, constant("advice.state"))`.

    A boolean is `true` or `false` on PostgreSQL, 1 or 0 on SQLite.
    """

    type = Text()
    inherit_cache = True


@compiles(json_at, "sqlite")
def _sqlite_at(element: json_at, compiler: SQLCompiler, **kw: Any) -> str:
    column, path = (compiler.process(each, **kw) for each in element.clauses)
    return f"json_extract({column}, '$.' || {path})"


@compiles(json_at, "postgresql")
def _postgresql_at(element: json_at, compiler: SQLCompiler, **kw: Any) -> str:
    column, path = (compiler.process(each, **kw) for each in element.clauses)
    return f"(CAST({column} AS JSON) #>> string_to_array({path}, '.'))"


# Every table; complete once `session_store.sql.database.tables` is imported.
metadata = sa.MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "fk": "%(table_name)s_%(referred_table_name)s_fkey",
        "ix": "%(table_name)s_%(column_0_N_name)s_idx",
    }
)


def key(name: str) -> Column[str]:
    """Return a text column of the primary key."""
    return Column(name, Text, primary_key=True)


def number(name: str) -> Column[int]:
    """Return an integer column of the primary key."""
    return Column(name, Integer, primary_key=True, autoincrement=False)


def text(name: str) -> Column[str]:
    """Return a text column that is never null; often empty."""
    return Column(name, Text, nullable=False)


def integer(name: str) -> Column[int]:
    """Return an integer column that is never null."""
    return Column(name, Integer, nullable=False)


def of_session(name: str, *rest: SchemaItem) -> Table:
    """Return a table whose rows belong to a session and go when it is erased."""
    return Table(name, metadata, key("tenant"), key("session_id"), *rest, info={"of_session": True})


def blank(table: Table) -> dict[str, Any]:
    """Return what a row has in which nothing is said: empty texts, zeros, false and null.

    Keys, files, and times that are never null are left out.
    """
    found: dict[str, Any] = {}
    for each in table.columns:
        if each.nullable:
            found[each.name] = None
        elif not each.primary_key and isinstance(each.type, Boolean | Integer | Text):
            found[each.name] = each.type.python_type()
    return found


def partial(
    name: str, *columns: Column[Any], where: sa.ColumnElement[bool], unique: bool = False
) -> Index:
    """Return an index over the few rows that meet a condition."""
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


def constant(value: str) -> sa.ColumnElement[str]:
    """Return a literal in the statement's text: planners match it with a partial index."""
    return sa.literal_column(f"'{value}'", Text)
