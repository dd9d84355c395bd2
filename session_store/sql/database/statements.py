"""Small parts that statements are made of, and the keys they are run with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy import Table, bindparam

# PostgreSQL's insert is spelled the same on SQLite: ON CONFLICT … DO UPDATE SET x = excluded.x
from sqlalchemy.dialects.postgresql import Insert, insert

from heartrule.domain.keys import SessionKey

Found: TypeAlias = Any
"""A row read, by SQLAlchemy or by `Prepared`; its columns are attributes."""
Values: TypeAlias = Mapping[str, object]
"""A row to write, by column."""


def of(table: Table) -> sa.ColumnElement[bool]:
    """Return the condition that a row belongs to the session of `at`."""
    return sa.and_(
        table.c.tenant == bindparam("at_tenant"), table.c.session_id == bindparam("at_session")
    )


def at(key: SessionKey) -> dict[str, object]:
    """Return the parameters of `of`."""
    return {"at_tenant": key.tenant, "at_session": key.session_id}


def owned(key: SessionKey) -> dict[str, object]:
    """Return the first two columns of a session's row."""
    return {"tenant": key.tenant, "session_id": key.session_id}


def upsert(table: Table) -> Insert:
    """Return an insert that replaces all but the key of a row that is there."""
    statement = insert(table)
    columns = [each.name for each in table.columns if not each.primary_key]
    return statement.on_conflict_do_update(
        index_elements=list(table.primary_key.columns),
        set_={name: statement.excluded[name] for name in columns},
    )


def insert_new(table: Table) -> Insert:
    """Return an insert that leaves a row that is there as it is."""
    return insert(table).on_conflict_do_nothing()
