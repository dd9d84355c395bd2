"""Attempts of turns: a turn is the list of its attempts, and the newest says how it stands."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import TurnEnded
from heartrule.domain.keys import SessionKey
from session_store.codec import dump
from session_store.records import TurnState
from session_store.sql.bodies import slim
from session_store.sql.prepared import Prepared
from session_store.sql.sessions import Locked
from session_store.sql.statements import Found, Values, at, of, owned
from session_store.sql.tables import attempts


class AttemptState(StrEnum):
    """How far an attempt is; the newest attempt's is its turn's."""

    RUNNING = "running"
    LOST = "lost"
    """Its holder vanished; the next attempt took its place."""
    FAILED = "failed"
    ASKED_AGAIN = "asked_again"
    """Failed, and a repeat of an input asked for its turn."""
    COMPLETED = "completed"

    @property
    def of_turn(self) -> TurnState:
        """What it means for the turn."""
        return TurnState(_OF_TURN.get(self, self.value))


_OF_TURN = {AttemptState.ASKED_AGAIN: "failed", AttemptState.LOST: "running"}
_INSERT = Prepared(attempts.insert())
_IT = sa.and_(
    of(attempts),
    attempts.c.turn_id == bindparam("at_turn"),
    attempts.c.attempt == bindparam("at_attempt"),
)
_READ = Prepared(select(attempts).where(_IT))
_UPDATE = Prepared(attempts.update().where(_IT))
_NEWEST = Prepared(
    select(attempts)
    .where(of(attempts), attempts.c.turn_id == bindparam("at_turn"))
    .order_by(attempts.c.attempt.desc())
    .limit(1)
)


def unfinished(db: sa.Connection, locked: Locked) -> Found | None:
    """Return the newest attempt of the turn that has not completed, where there is one."""
    turn_id = locked.row.open_turn_id
    if not turn_id:
        return None
    return _READ.row(db, _at(locked.key, turn_id, locked.row.open_attempt))


def newest(db: sa.Connection, key: SessionKey, turn_id: str) -> Found | None:
    """Return a turn's newest attempt."""
    return _NEWEST.row(db, at(key) | {"at_turn": turn_id})


def store(db: sa.Connection, key: SessionKey, values: Values) -> None:
    """Insert an attempt."""
    _INSERT.run(db, owned(key) | dict(values))


def update(db: sa.Connection, key: SessionKey, attempt: Found, values: Values) -> None:
    """Write columns of an attempt."""
    _UPDATE.run(db, _at(key, attempt.turn_id, attempt.attempt) | dict(values))


def ended_text(ended: TurnEnded) -> str:
    """Return a turn's end without what other rows say."""
    state = slim(ended.state) if ended.state is not None else None
    return dump(replace(ended, client_message_ids=(), state=state))


def _at(key: SessionKey, turn_id: str, attempt: int) -> dict[str, object]:
    return at(key) | {"at_turn": turn_id, "at_attempt": attempt}
