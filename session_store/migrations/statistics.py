"""What PostgreSQL may sample. What stands here never changes: old migrations use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from alembic import op


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
