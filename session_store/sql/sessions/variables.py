"""Variables of sessions and users, definitions, and what no step wrote (C19, C20, C32)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.variables import (
    ScopeSnapshot,
    VariableDefinition,
    VariableScope,
    VariableValue,
)
from session_store.codec import dump, load, load_tuple
from session_store.sql.database.prepared import PendingRows, Prepared
from session_store.sql.database.statements import at, insert_new, of, owned, upsert
from session_store.sql.database.tables_beside import (
    action_replacements,
    session_origins,
    user_variables,
    variable_definitions,
    variables,
)
from session_store.sql.exports.belongings import of_user
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions.rows import global_of, local_row, variable_of, variable_row

_READ = Prepared(select(variables).where(of(variables)))
_READ_GLOBALS = Prepared(
    select(user_variables)
    .where(of_user(user_variables))
    .order_by(user_variables.c.last_updated, user_variables.c.name)
)
_WRITE = Prepared(upsert(variables))
_WRITE_GLOBAL = Prepared(upsert(user_variables))
_DECLARE_GLOBAL = Prepared(insert_new(user_variables))
_CLEAR = Prepared(
    variables.delete().where(
        of(variables),
        variables.c.scope == bindparam("at_scope"),
        variables.c.scope_id == bindparam("at_scope_id"),
    )
)

_RESET = Prepared(
    variables.delete().where(of(variables), variables.c.scope != VariableScope.GLOBAL.value)
)


_ORDER = attrgetter("last_updated", "name", "archived", "scope", "scope_id")
_READ_DEFINITIONS = Prepared(select(variable_definitions).where(of(variable_definitions)))
_WRITE_DEFINITIONS = Prepared(insert_new(variable_definitions))
_INSERT_FIRST = Prepared(session_origins.insert())
_READ_FIRST = Prepared(select(session_origins.c.variables).where(of(session_origins)))
_TRIED = RowsOf(ActionReplacement, action_replacements)
_REPLACE = Prepared(upsert(action_replacements))
_REPLACEMENTS = Prepared(select(action_replacements).where(of(action_replacements)))


@dataclass(frozen=True, slots=True)
class VariableOwner:
    """Whose variables: a session's, and the globals of its user."""

    key: SessionKey
    user_id: str

    def has(self, value: VariableValue) -> bool:
        """Return True where the session keeps the value; False where its user does."""
        return value.archived or value.scope is not VariableScope.GLOBAL or not self.user_id


def declare(
    db: sa.Connection, owner: VariableOwner, values: Iterable[VariableValue], now: datetime
) -> None:
    """Write a new session's declared values; a user's global only where there is none."""
    _write(db, owner, values, now=now, globally=_DECLARE_GLOBAL)


def store(
    db: sa.Connection, owner: VariableOwner, values: Iterable[VariableValue], now: datetime
) -> None:
    """Put each value in place of the one of its scope and name, or of its name in the archive."""
    _write(db, owner, values, now=now, globally=_WRITE_GLOBAL)


def own_globals(db: sa.Connection, owner: VariableOwner) -> list[VariableValue]:
    """Return the globals of a session without a user: they live with it, and never go back."""
    if owner.user_id:
        return []
    own = visible(db, owner)
    return [each for each in own if each.scope is VariableScope.GLOBAL and not each.archived]


def clear(db: sa.Connection, key: SessionKey, left: Sequence[ScopeSnapshot]) -> None:
    """Delete what lives in scopes that were left."""
    rows = [at(key) | {"at_scope": each.scope.value, "at_scope_id": each.scope_id} for each in left]
    _CLEAR.run_each(db, rows)


def local(db: sa.Connection, key: SessionKey) -> tuple[VariableValue, ...]:
    """Return what the session keeps itself, the archive too, from the longest unwritten."""
    return _in_order(_READ.ask(db, at(key)))


def reset(
    db: sa.Connection, owner: VariableOwner, values: Iterable[VariableValue], now: datetime
) -> None:
    """Let these be the session's variables, but for globals, which stay as they are."""
    _RESET.run(db, at(owner.key))
    store(db, owner, values, now)


def visible(db: sa.Connection, owner: VariableOwner) -> tuple[VariableValue, ...]:
    """Return the session's variables, archived ones too, then the globals of its user."""
    return ask_visible(db, owner)()


def ask_visible(db: sa.Connection, owner: VariableOwner) -> Callable[[], tuple[VariableValue, ...]]:
    """Send for what `visible` returns; the result returns it."""
    own, shared = _READ.ask(db, at(owner.key)), None
    if owner.user_id:
        user = {"at_tenant": owner.key.tenant, "at_user": owner.user_id}
        shared = _READ_GLOBALS.ask(db, user)
    session_id = owner.key.session_id
    return lambda: (
        *_in_order(own),
        *((global_of(row, session_id) for row in shared.rows()) if shared else ()),
    )


def _in_order(asked: PendingRows) -> tuple[VariableValue, ...]:
    # Sorted here: each database collates names in its own way.
    return tuple(sorted(map(variable_of, asked.rows()), key=_ORDER))


def _write(
    db: sa.Connection,
    owner: VariableOwner,
    values: Iterable[VariableValue],
    *,
    now: datetime,
    globally: Prepared,
) -> None:
    local_rows, shared = {}, {}
    for each in values:  # One row a statement may meet once: the last value is the one that stays.
        if owner.has(each):
            place = local_row(each)
            row = owned(owner.key) | place | variable_row(each, now)
            local_rows[place["scope"], place["scope_id"], each.name] = row
        else:
            shared[each.name] = variable_row(each, now)
    _WRITE.run_each(db, list(local_rows.values()))
    user = {"tenant": owner.key.tenant, "user_id": owner.user_id, "writer": owner.key.session_id}
    # In one order, so that two sessions of a user never wait for each other.
    globally.run_each(db, [user | shared[name] for name in sorted(shared)])


def store_definitions(
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
    _WRITE_DEFINITIONS.run_each(db, rows)


def definitions_of(db: sa.Connection, key: SessionKey) -> tuple[VariableDefinition, ...]:
    """Return them by scope, scope id and name."""
    found = (
        replace(load(VariableDefinition, row.definition), create_time=row.create_time)
        for row in _READ_DEFINITIONS.rows(db, at(key))
    )
    # Sorted here: databases collate text in ways of their own.
    return tuple(sorted(found, key=lambda each: (each.scope, each.scope_id, each.name)))


def store_first(db: sa.Connection, key: SessionKey, first: tuple[VariableValue, ...]) -> None:
    """Keep what a new session begins with, where that is anything."""
    if first:
        _INSERT_FIRST.run(db, owned(key) | {"variables": dump(first)})


def first_variables(db: sa.Connection, key: SessionKey) -> tuple[VariableValue, ...]:
    """Return the variables a session began with."""
    kept = _READ_FIRST.scalar(db, at(key))
    return load_tuple(VariableValue, kept) if kept else ()


def replace_config(db: sa.Connection, key: SessionKey, tried: Iterable[ActionReplacement]) -> None:
    """Write configs that replace the script's; the last of an action counts."""
    _REPLACE.run_each(db, [owned(key) | _TRIED.columns(each) for each in tried])


def replacements(db: sa.Connection, key: SessionKey) -> tuple[ActionReplacement, ...]:
    """Return the configs that replace the script's, by phase, topic and action."""
    found = map(_TRIED.value, _REPLACEMENTS.rows(db, at(key)))
    return tuple(sorted(found, key=attrgetter("phase_id", "topic_id", "action_id")))
