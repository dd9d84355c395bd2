"""Alembic's entry: runs on the connection, and in the transaction, that `migrate` gives it."""

from __future__ import annotations

from alembic import context

from session_store.sql.database import (  # noqa: F401  they fill the metadata
    tables,
    tables_beside,
    tables_of_decisions,
)
from session_store.sql.database.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
