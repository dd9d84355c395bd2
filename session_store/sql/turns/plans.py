"""A topic's plan: the queue of its action instances."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.action_result import ActionResult
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionPosition, ExecutionStatus
from session_store import turn_rules
from session_store.codec import dump, load, load_tuple
from session_store.records import ENDED, ActionInstance, InstanceState
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, owned, upsert
from session_store.sql.database.tables_beside import action_instances
from session_store.sql.sessions.rows import instance_of, instance_row, key_of

_WRITE = Prepared(upsert(action_instances))
_TOPIC = sa.and_(
    of(action_instances),
    action_instances.c.phase_id == bindparam("at_phase"),
    action_instances.c.topic_id == bindparam("at_topic"),
)
_IT = sa.and_(_TOPIC, action_instances.c.action_instance_id == bindparam("at_instance"))
_OF_TOPIC = Prepared(select(action_instances).where(_TOPIC).order_by(action_instances.c.ordinal))
_ALL = Prepared(select(action_instances).where(of(action_instances)))
_REMOVE = Prepared(action_instances.delete().where(_IT))
_STATE = Prepared(select(action_instances.c.state).where(_IT))
_DEFINITION = Prepared(select(action_instances.c.definition).where(_IT))

# What is the same in every state of an instance.
_FIXED = ("phase_id", "topic_id", "action_id", "action_type")
# All else, with its default.
_MOVING = tuple(
    (each.name, {} if each.default is MISSING else each.default)
    for each in fields(ActionInstance)
    if each.name not in _FIXED
)


def of_topic(
    db: sa.Connection, key: SessionKey, position: ExecutionPosition
) -> tuple[ActionInstance, ...]:
    """Return the instances of the topic a position is in, in the queue's order."""
    return ask_topic(db, key, position)()


def ask_topic(
    db: sa.Connection, key: SessionKey, position: ExecutionPosition
) -> Callable[[], tuple[ActionInstance, ...]]:
    """Send for the instances of a position's topic; the result returns them, in their order."""
    if not position.topic_id:
        return tuple
    topic = {"at_phase": position.phase_id, "at_topic": position.topic_id}
    asked = _OF_TOPIC.ask(db, at(key) | topic)
    return lambda: tuple(map(instance_of, asked.rows()))


def store(db: sa.Connection, key: SessionKey, changed: Sequence[ActionInstance]) -> None:
    """Write instances made or changed."""
    _WRITE.run_each(db, [owned(key) | instance_row(each) for each in changed])


def changes(before: str, changed: Sequence[ActionInstance]) -> str:
    """Return the column of an attempt whose next step changed these: what moves, no defaults."""
    known = load_tuple(dict, before) if before else ()
    return dump((*known, *map(_moved, changed))) if changed else before


def changed(text: str, known: Mapping[str, ActionInstance]) -> tuple[ActionInstance, ...]:
    """Return the instances of `changes`; `known` has what never moves, by id."""
    kept = load_tuple(dict, text) if text else ()
    return tuple(
        load(ActionInstance, dump({**_fixed(known[each["action_instance_id"]]), **each}))
        for each in kept
    )


def of_session(db: sa.Connection, key: SessionKey) -> dict[str, ActionInstance]:
    """Return every instance by id."""
    found = (instance_of(row) for row in _ALL.rows(db, at(key)))
    return {each.action_instance_id: each for each in found}


def remove(db: sa.Connection, key: SessionKey, gone: Sequence[ActionInstance]) -> None:
    """Delete instances that were made by what was taken back."""
    _REMOVE.run_each(db, [at(key) | _named(each) for each in gone])


def definition_of(db: sa.Connection, key: SessionKey, request: Found) -> Mapping[str, JsonValue]:
    """Return what an edit gave the instance that a monitor request is about; mostly nothing."""
    found = _DEFINITION.scalar(db, at(key) | _named(request))
    return load(dict, found) if found else {}


def has_ended(db: sa.Connection, key: SessionKey, request: Found) -> bool:
    """Return True where the instance that a monitor request is about takes no more advice."""
    state = _STATE.scalar(db, at(key) | _named(request))
    return state is not None and InstanceState(state) in ENDED


def is_usable(db: sa.Connection, session: Found, request: Found, judged: ActionResult) -> bool:
    """Return whether anything can come of the analysis of a judged round (RESOLUTIONS C13)."""
    if session.status == ExecutionStatus.COMPLETED.value:
        return False
    return turn_rules.is_usable(
        judged,
        ExecutionPosition(phase_id=request.phase_id, topic_id=request.topic_id),
        now=load(ExecutionPosition, session.position),
        instance_ended=has_ended(db, key_of(request), request),
    )


def _named(of_instance: Found) -> dict[str, object]:
    """Return the parameters that name an instance, or the instance that a request is about."""
    return {
        "at_phase": of_instance.phase_id,
        "at_topic": of_instance.topic_id,
        "at_instance": of_instance.action_instance_id,
    }


def _moved(instance: ActionInstance) -> dict[str, object]:
    values = ((name, getattr(instance, name), plain) for name, plain in _MOVING)
    return {name: value for name, value, plain in values if value != plain}


def _fixed(instance: ActionInstance) -> dict[str, str]:
    return {name: getattr(instance, name) for name in _FIXED}
