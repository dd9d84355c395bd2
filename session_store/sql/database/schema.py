"""What the tables are made of: one metadata, and columns by their use."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, Index, Integer, Table, Text
from sqlalchemy.schema import SchemaItem

metadata = sa.MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "fk": "%(table_name)s_%(referred_table_name)s_fkey",
        "ix": "%(table_name)s_%(column_0_N_name)s_idx",
    }
)
"""Every table; complete once `session_store.sql.database.tables` is imported."""


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


def partial(
    name: str, *columns: Column[Any], where: sa.ColumnElement[bool], unique: bool = False
) -> Index:
    """Return an index over the few rows that meet a condition."""
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


def constant(value: str) -> sa.ColumnElement[str]:
    """Return a literal in the statement's text: planners match it with a partial index."""
    return sa.literal_column(f"'{value}'", Text)
