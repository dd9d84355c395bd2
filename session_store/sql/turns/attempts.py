"""Attempts of turns: a turn is the list of its attempts, and the newest has its state."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.problem import Degradation
from session_store.codec import dump, load, load_tuple
from session_store.records import TurnStatus
from session_store.sql.database.prepared import PendingRows, Prepared
from session_store.sql.database.statements import Found, Values, at, of, owned
from session_store.sql.database.tables import attempts
from session_store.sql.sessions.sessions import Locked


class AttemptState(StrEnum):
    """How far an attempt is; the newest attempt's is its turn's."""

    RUNNING = "running"
    LOST = "lost"
    """Its holder vanished; the next attempt took its place."""
    FAILED = "failed"
    ASKED_AGAIN = "asked_again"
    """Failed, and a repeat of an input asked for its turn."""
    GIVEN_UP = "given_up"
    """Failed, and the turn runs no more."""
    COMPLETED = "completed"

    @property
    def of_turn(self) -> TurnStatus:
        """What it means for the turn."""
        return TurnStatus(_OF_TURN.get(self, self.value))


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


def ask(db: sa.Connection, key: SessionKey, turn_id: str, attempt: int) -> PendingRows:
    """Send for an attempt."""
    return _READ.ask(db, _at(key, turn_id, attempt))


def newest(db: sa.Connection, key: SessionKey, turn_id: str) -> Found | None:
    """Return a turn's newest attempt."""
    return _NEWEST.row(db, at(key) | {"at_turn": turn_id})


def store(db: sa.Connection, key: SessionKey, values: Values) -> None:
    """Insert an attempt."""
    _INSERT.run(db, owned(key) | dict(values))


def update(db: sa.Connection, key: SessionKey, attempt: Found, values: Values) -> None:
    """Write columns of an attempt."""
    _UPDATE.run(db, _at(key, attempt.turn_id, attempt.attempt) | dict(values))


def given_up(locked: Locked) -> dict[str, object]:
    """Return the columns of the last attempt of a turn that runs no more."""
    return {"state": AttemptState.GIVEN_UP.value, "open_request": locked.row.open_request}


def with_degradations(text: str, more: Sequence[Degradation]) -> str:
    """Return the column of an attempt whose next step had these degradations."""
    return dump((*degradations_in(text), *more)) if more else text


def degradations_in(text: str) -> tuple[Degradation, ...]:
    """Return the degradations of the column."""
    return load_tuple(Degradation, text) if text else ()


def inputs_of(attempt: Found) -> tuple[str, ...]:
    """Return the ids of the inputs that the turn had as of this attempt."""
    return tuple(load(list, attempt.client_message_ids))


def _at(key: SessionKey, turn_id: str, attempt: int) -> dict[str, object]:
    return at(key) | {"at_turn": turn_id, "at_attempt": attempt}
