"""A topic's plan: the queue of its action instances."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionPosition
from session_store.records import ActionInstance
from session_store.sql.rows import instance_of, instance_row
from session_store.sql.statements import at, of, owned, upsert, write
from session_store.sql.tables_mind import action_instances

_WRITE = upsert(action_instances)
_OF_TOPIC = (
    select(action_instances)
    .where(
        of(action_instances),
        action_instances.c.phase_id == bindparam("at_phase"),
        action_instances.c.topic_id == bindparam("at_topic"),
    )
    .order_by(action_instances.c.ordinal)
)
_STATE = select(action_instances.c.state).where(
    of(action_instances), action_instances.c.action_instance_id == bindparam("at_instance")
)


def of_topic(
    db: sa.Connection, key: SessionKey, position: ExecutionPosition
) -> tuple[ActionInstance, ...]:
    """Return the instances of the topic a position is in, in the queue's order."""
    if not position.topic_id:
        return ()
    topic = {"at_phase": position.phase_id, "at_topic": position.topic_id}
    return tuple(instance_of(row) for row in db.execute(_OF_TOPIC, at(key) | topic))


def store(db: sa.Connection, key: SessionKey, changed: Sequence[ActionInstance]) -> None:
    """Write instances made or changed."""
    write(db, _WRITE, [owned(key) | instance_row(each) for each in changed])


def state_of(db: sa.Connection, key: SessionKey, instance_id: str) -> str:
    """Return the state of an instance; empty where there is none."""
    return str(db.execute(_STATE, at(key) | {"at_instance": instance_id}).scalar() or "")
