"""What no step of a session wrote: the variables it began with, and replaced configs."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy import select

from heartrule.domain.keys import SessionKey
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.variables import VariableValue
from session_store.codec import dump, load, load_tuple
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import at, of, owned, upsert
from session_store.sql.database.tables_beside import action_replacements, session_origins

_INSERT = Prepared(session_origins.insert())
_READ = Prepared(select(session_origins.c.variables).where(of(session_origins)))
_REPLACE = Prepared(upsert(action_replacements))
_REPLACEMENTS = Prepared(select(action_replacements).where(of(action_replacements)))


def store(db: sa.Connection, key: SessionKey, first: tuple[VariableValue, ...]) -> None:
    """Keep what a new session begins with, where that is anything."""
    if first:
        _INSERT.run(db, owned(key) | {"variables": dump(first)})


def first_variables(db: sa.Connection, key: SessionKey) -> tuple[VariableValue, ...]:
    """Return the variables a session began with."""
    kept = _READ.scalar(db, at(key))
    return load_tuple(VariableValue, kept) if kept else ()


def replace_config(db: sa.Connection, key: SessionKey, tried: Iterable[ActionReplacement]) -> None:
    """Let configs stand in the place of the script's; the last of an action counts."""
    rows = [
        {
            "phase_id": each.phase_id,
            "topic_id": each.topic_id,
            "action_id": each.action_id,
            "config": dump(each.config),
        }
        for each in tried
    ]
    _REPLACE.run_each(db, [owned(key) | row for row in rows])


def replacements(db: sa.Connection, key: SessionKey) -> tuple[ActionReplacement, ...]:
    """Return the configs that stand in the place of the script's, by phase, topic and action."""
    found = (
        ActionReplacement(
            phase_id=row.phase_id,
            topic_id=row.topic_id,
            action_id=row.action_id,
            config=load(dict, row.config),
        )
        for row in _REPLACEMENTS.rows(db, at(key))
    )
    return tuple(sorted(found, key=lambda each: (each.phase_id, each.topic_id, each.action_id)))
