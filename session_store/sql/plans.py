"""A topic's plan: the queue of its action instances."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionPosition
from session_store.records import ActionInstance, InstanceState
from session_store.sql.prepared import Prepared
from session_store.sql.rows import instance_of, instance_row
from session_store.sql.statements import Found, at, of, owned, upsert
from session_store.sql.tables_mind import action_instances
from session_store.turn_rules import ENDED

_WRITE = Prepared(upsert(action_instances))
_OF_TOPIC = Prepared(
    select(action_instances)
    .where(
        of(action_instances),
        action_instances.c.phase_id == bindparam("at_phase"),
        action_instances.c.topic_id == bindparam("at_topic"),
    )
    .order_by(action_instances.c.ordinal)
)
_STATE = Prepared(
    select(action_instances.c.state).where(
        of(action_instances),
        action_instances.c.phase_id == bindparam("at_phase"),
        action_instances.c.topic_id == bindparam("at_topic"),
        action_instances.c.action_instance_id == bindparam("at_instance"),
    )
)


def of_topic(
    db: sa.Connection, key: SessionKey, position: ExecutionPosition
) -> tuple[ActionInstance, ...]:
    """Return the instances of the topic a position is in, in the queue's order."""
    if not position.topic_id:
        return ()
    topic = {"at_phase": position.phase_id, "at_topic": position.topic_id}
    return tuple(instance_of(row) for row in _OF_TOPIC.rows(db, at(key) | topic))


def store(db: sa.Connection, key: SessionKey, changed: Sequence[ActionInstance]) -> None:
    """Write instances made or changed."""
    _WRITE.run_each(db, [owned(key) | instance_row(each) for each in changed])


def has_ended(db: sa.Connection, key: SessionKey, request: Found) -> bool:
    """Return True where the instance that a monitor request is about takes no more advice."""
    name = {
        "at_phase": request.phase_id,
        "at_topic": request.topic_id,
        "at_instance": request.action_instance_id,
    }
    state = _STATE.scalar(db, at(key) | name)
    return state is not None and InstanceState(state) in ENDED
