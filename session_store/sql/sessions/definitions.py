"""What a session knows of its variables beforehand: their definitions (RESOLUTIONS C20)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import select

from heartrule.domain.keys import SessionKey
from heartrule.domain.variables import VariableDefinition
from session_store.codec import dump, load
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import at, insert_new, of, owned
from session_store.sql.database.tables_beside import variable_definitions

_READ = Prepared(select(variable_definitions).where(of(variable_definitions)))
_WRITE = Prepared(insert_new(variable_definitions))


def store(
    db: sa.Connection, key: SessionKey, definitions: Iterable[VariableDefinition], now: datetime
) -> None:
    """Write the definitions that are new; a known one stays as it is."""
    rows = [
        owned(key)
        | {
            "scope": each.scope.value,
            "scope_id": each.scope_id,
            "name": each.name,
            "definition": dump(replace(each, create_time=None)),
            "create_time": each.create_time or now,
        }
        for each in definitions
    ]
    _WRITE.run_each(db, rows)


def of_session(db: sa.Connection, key: SessionKey) -> tuple[VariableDefinition, ...]:
    """Return them by scope, scope id and name."""
    found = (
        replace(load(VariableDefinition, row.definition), create_time=row.create_time)
        for row in _READ.rows(db, at(key))
    )
    # Sorted here: databases collate text in ways of their own.
    return tuple(sorted(found, key=lambda each: (each.scope, each.scope_id, each.name)))
