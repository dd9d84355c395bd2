"""Short words for migrations. What stands here never changes: old migrations use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def texts_unsampled(*sampled: str) -> Iterator[None]:
    """Keep PostgreSQL's statistics, which repeat values, from texts of the tables made inside.

    Those columns alone are sampled as usual.
    """
    if op.get_bind().dialect.name != "postgresql":
        yield
        return
    before = sa.inspect(op.get_bind()).get_table_names()
    yield
    inspector = sa.inspect(op.get_bind())
    for table in set(inspector.get_table_names()).difference(before):
        for column in inspector.get_columns(table):
            if isinstance(column["type"], sa.Text) and column["name"] not in sampled:
                op.execute(f'ALTER TABLE {table} ALTER COLUMN "{column["name"]}" SET STATISTICS 0')
