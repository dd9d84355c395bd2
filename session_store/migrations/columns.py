"""Short words for migrations. What stands here never changes: old migrations use it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem


def key(name: str) -> sa.Column[str]:
    """Return a text column of the primary key."""
    return sa.Column(name, sa.Text, primary_key=True)


def number(name: str) -> sa.Column[int]:
    """Return an integer column of the primary key."""
    return sa.Column(name, sa.Integer, primary_key=True, autoincrement=False)


def text(name: str) -> sa.Column[str]:
    """Return a text column that is never null."""
    return sa.Column(name, sa.Text, nullable=False)


def integer(name: str) -> sa.Column[int]:
    """Return an integer column that is never null."""
    return sa.Column(name, sa.Integer, nullable=False)


def of_session(name: str, *columns: SchemaItem) -> None:
    """Make a table whose rows belong to a session."""
    op.create_table(name, key("tenant"), key("session_id"), *columns)


def partial(name: str, table: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    """Make an index over the rows that meet a condition."""
    condition = sa.text(where)
    op.create_index(
        name,
        table,
        columns,
        unique=unique,
        sqlite_where=condition,
        postgresql_where=condition,
    )
