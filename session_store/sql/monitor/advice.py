"""Advice and its states (RESOLUTIONS C10-C12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import Advice, AdviceState
from heartrule.domain.position import ExecutionPosition
from session_store.codec import dump, load
from session_store.records import StepCommit
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.database.tables_beside import IS_PENDING, advice
from session_store.turn_rules import ENDED, has_outlived

_INSERT = Prepared(advice.insert())
_PENDING = Prepared(select(advice).where(of(advice), IS_PENDING).order_by(advice.c.made_at))
_ONE = Prepared(select(advice).where(of(advice), advice.c.advice_id == bindparam("at_advice")))
_NAMED = select(advice).where(
    of(advice), advice.c.advice_id.in_(bindparam("names", expanding=True))
)
_RIVALS = Prepared(
    select(advice).where(
        of(advice),
        advice.c.action_instance_id == bindparam("at_instance"),
        sa.or_(IS_PENDING, advice.c.about_round > bindparam("at_round")),
    )
)
_CHANGE = Prepared(
    advice.update()
    .where(of(advice), advice.c.advice_id == bindparam("at_advice"))
    .values(state=bindparam("to_state"))
)


@dataclass(frozen=True, slots=True)
class Stored:
    """An advice as it stands, and the number of the turn it judged."""

    advice: Advice
    judged_turn_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """Advice that a step uses up, in its new state."""

    consumed: Advice | None = None
    """What its prompt held."""
    expired: tuple[Advice, ...] = ()
    """What waited for instances that have just ended."""

    @property
    def changed(self) -> tuple[Advice, ...]:
        """All of it."""
        return self.expired if self.consumed is None else (self.consumed, *self.expired)


def pending(db: sa.Connection, key: SessionKey) -> list[Stored]:
    """Return what waits for a prompt, in the order it was made."""
    return _stored(_PENDING.rows(db, at(key)))


def by_id(db: sa.Connection, key: SessionKey, names: Iterable[str]) -> list[Stored]:
    """Return the advice of those ids, in the order it was made."""
    found = (_ONE.row(db, at(key) | {"at_advice": each}) for each in dict.fromkeys(names))
    return _stored([row for row in found if row is not None])


def by_name(db: sa.Connection, key: SessionKey, names: Iterable[str]) -> dict[str, Advice]:
    """Return the advice of those ids by id, in the state in which it was made."""
    wanted = list(names)
    if not wanted:
        return {}
    rows = db.execute(_NAMED, at(key) | {"names": wanted})
    return {row.advice_id: load(Advice, row.advice) for row in rows}


def rivals(db: sa.Connection, key: SessionKey, new: Advice) -> list[Stored]:
    """Return what decides the state of a new advice: its instance's pending and newer ones."""
    name = {"at_instance": new.action_instance_id, "at_round": new.about_round}
    return _stored(_RIVALS.rows(db, at(key) | name))


def fitting(waiting: Iterable[Stored], position: ExecutionPosition, round_: int) -> Advice | None:
    """Return the newest for the current instance about a round before `round_` (C11)."""
    found = [
        each.advice
        for each in waiting
        if each.advice.action_instance_id == position.action_instance_id
        and each.advice.about_round < round_
    ]
    return max(found, key=lambda each: each.about_round, default=None)


def outlived(waiting: Iterable[Stored], turn_no: int) -> list[Stored]:
    """Return what waited for more turns than it may."""
    return [
        each
        for each in waiting
        if has_outlived(each.advice, judged_turn_no=each.judged_turn_no, turn_no=turn_no)
    ]


def used(db: sa.Connection, key: SessionKey, commit: StepCommit) -> Used:
    """Return what a step uses up; read from the rows (C11, C12)."""
    consumed = None
    if commit.advice_consumed:
        row = _ONE.row(db, at(key) | {"at_advice": commit.advice_consumed})
        if row is not None and row.state != AdviceState.CONSUMED:
            (consumed,) = _stored([row])
    ended = instances_ended(commit)
    waiting = pending(db, key) if ended else []
    return _used(consumed, waiting, ended)


def write(db: sa.Connection, key: SessionKey, changes: Used) -> None:
    """Give advice the state it has now."""
    for each in changes.changed:
        to = {"at_advice": each.advice_id, "to_state": each.state.value}
        _CHANGE.run(db, at(key) | to)


def instances_ended(commit: StepCommit) -> frozenset[str]:
    """Return the action instances that take no more advice after a step."""
    return frozenset([each.action_instance_id for each in commit.instances if each.state in ENDED])


def change(
    db: sa.Connection, key: SessionKey, which: Iterable[Stored], state: AdviceState
) -> tuple[Advice, ...]:
    """Give advice another state, and return it so."""
    changed = tuple(replace(each.advice, state=state) for each in which)
    to = {"to_state": state.value}
    _CHANGE.run_each(db, [at(key) | {"at_advice": each.advice_id} | to for each in changed])
    return changed


def store(db: sa.Connection, key: SessionKey, made: Stored) -> None:
    """Insert an advice."""
    new = made.advice
    _INSERT.run(
        db,
        owned(key)
        | {
            "advice_id": new.advice_id,
            "action_instance_id": new.action_instance_id,
            "about_round": new.about_round,
            "judged_turn_no": made.judged_turn_no,
            "state": new.state.value,
            "made_at": new.made_at,
            "advice": dump(replace(new, state=AdviceState.PENDING)),
        },
    )


def _used(consumed: Stored | None, waiting: Iterable[Stored], ended: frozenset[str]) -> Used:
    """Say consumed what the prompt held, whatever became of it; expired what comes too late."""
    name = consumed.advice.advice_id if consumed else ""
    late = [
        each.advice
        for each in waiting
        if each.advice.action_instance_id in ended and each.advice.advice_id != name
    ]
    return Used(
        consumed=replace(consumed.advice, state=AdviceState.CONSUMED) if consumed else None,
        expired=tuple([replace(each, state=AdviceState.EXPIRED) for each in late]),
    )


def _when(stored: Stored) -> tuple[datetime, str]:
    made_at = stored.advice.made_at
    assert made_at is not None, "what is stored has its time"
    return made_at, stored.advice.advice_id


def _stored(rows: Sequence[Found]) -> list[Stored]:
    found = (
        Stored(replace(load(Advice, row.advice), state=AdviceState(row.state)), row.judged_turn_no)
        for row in rows
    )
    return sorted(found, key=_when)
