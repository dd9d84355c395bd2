"""Advice and its states (RESOLUTIONS C10-C12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.fields import replace
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import Advice, AdviceState
from heartrule.domain.position import ExecutionPosition
from session_store.codec import dump, load
from session_store.sql.prepared import Prepared
from session_store.sql.statements import Found, at, of, owned
from session_store.sql.tables_mind import IS_PENDING, advice
from session_store.turn_rules import has_outlived

_INSERT = Prepared(advice.insert())
_PENDING = Prepared(select(advice).where(of(advice), IS_PENDING).order_by(advice.c.made_at))
_ONE = Prepared(select(advice).where(of(advice), advice.c.advice_id == bindparam("at_advice")))
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


def pending(db: sa.Connection, key: SessionKey) -> list[Stored]:
    """Return what waits for a prompt, in the order it was made."""
    return _stored(_PENDING.rows(db, at(key)))


def by_id(db: sa.Connection, key: SessionKey, names: Iterable[str]) -> list[Stored]:
    """Return the advice of those ids, in the order it was made."""
    found = (_ONE.row(db, at(key) | {"at_advice": each}) for each in dict.fromkeys(names))
    return _stored([row for row in found if row is not None])


def rivals(db: sa.Connection, key: SessionKey, new: Advice) -> list[Stored]:
    """Return what decides the state of a new advice: its instance's pending and newer ones."""
    name = {"at_instance": new.action_instance_id, "at_round": new.about_round}
    return _stored(_RIVALS.rows(db, at(key) | name))


def fitting(waiting: Iterable[Stored], position: ExecutionPosition) -> Advice | None:
    """Return the newest for the current instance about an earlier round (C11)."""
    found = [
        each.advice
        for each in waiting
        if each.advice.action_instance_id == position.action_instance_id
        and each.advice.about_round < position.current_round
    ]
    return max(found, key=lambda each: each.about_round, default=None)


def outlived(waiting: Iterable[Stored], turn_no: int) -> list[Stored]:
    """Return what waited for more turns than it may."""
    return [
        each
        for each in waiting
        if has_outlived(each.advice, judged_turn_no=each.judged_turn_no, turn_no=turn_no)
    ]


def consume(db: sa.Connection, key: SessionKey, advice_id: str) -> Advice | None:
    """Mark the advice consumed: the prompt held it, whatever became of it meanwhile (C12)."""
    if not advice_id:
        return None
    row = _ONE.row(db, at(key) | {"at_advice": advice_id})
    if row is None or row.state == AdviceState.CONSUMED:
        return None
    return change(db, key, _stored([row]), AdviceState.CONSUMED)[0]


def expire_ended(db: sa.Connection, key: SessionKey, ended: frozenset[str]) -> tuple[Advice, ...]:
    """Expire pending advice for instances that have just ended, and return it (C11)."""
    if not ended:
        return ()
    late = [each for each in pending(db, key) if each.advice.action_instance_id in ended]
    return change(db, key, late, AdviceState.EXPIRED)


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


def _stored(rows: Sequence[Found]) -> list[Stored]:
    return [
        Stored(replace(load(Advice, row.advice), state=AdviceState(row.state)), row.judged_turn_no)
        for row in sorted(rows, key=lambda row: (row.made_at, row.advice_id))
    ]
