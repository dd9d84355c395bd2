"""What belongs to a session and to a user: what an erasure empties and an export reads."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Table, bindparam, select

from session_store.sql.database import tables_of_decisions, tables_of_runs
from session_store.sql.database.schema import metadata
from session_store.sql.database.tables import sessions
from session_store.sql.database.tables_beside import user_variables
from session_store.sql.threads import tables_of_threads

# Importing a module of tables enters them into the metadata.
_ = tables_of_decisions, tables_of_runs, tables_of_threads

OF_SESSION: tuple[Table, ...] = tuple(
    table for table in metadata.tables.values() if "of_session" in table.info
)
# Beside their sessions, people have their globals.
OF_USER: tuple[Table, ...] = (user_variables,)


def of_user(table: Table) -> sa.ColumnElement[bool]:
    """Return the condition that a row is the user's of `at_tenant` and `at_user`."""
    return sa.and_(
        table.c.tenant == bindparam("at_tenant"), table.c.user_id == bindparam("at_user")
    )


SESSIONS_OF_USER = (
    select(sessions.c.session_id)
    .where(of_user(sessions), sessions.c.deleted.is_(False))
    .order_by(sessions.c.create_time, sessions.c.session_id)
)
