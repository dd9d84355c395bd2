"""Advice and its states (RESOLUTIONS C10-C12), also after a turn was taken back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import AdviceChanged, AnalysisEnded
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import Advice, AdviceState, AnalysisOutcome
from heartrule.domain.position import ExecutionPosition
from session_store.codec import dump, load
from session_store.event_drafts import EventDraft, kind_of
from session_store.past import TURN_TAKEN_BACK
from session_store.records import ENDED, StepCommit
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.database.tables import HAS_SUBJECT, events
from session_store.sql.database.tables_beside import IS_PENDING, advice, monitor_requests
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions.event_texts import NamedAdvice
from session_store.step_events import advice_draft
from session_store.turn_rules import has_outlived

_ADVICE = RowsOf(Advice, advice)
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
_OF_TURN = sa.and_(of(monitor_requests), monitor_requests.c.turn_id == bindparam("at_turn"))
_REQUESTS = Prepared(select(monitor_requests).where(_OF_TURN))
_DROP = Prepared(monitor_requests.delete().where(_OF_TURN))
_UNLIST = Prepared(
    events.update()
    .where(
        of(events),
        events.c.subject == bindparam("at_subject"),
        HAS_SUBJECT,
        events.c.kind == kind_of(AnalysisEnded),
    )
    .values(subject="", listed=False)
)
_CHANGED = Prepared(
    select(events.c.body).where(
        of(events),
        events.c.sequence >= bindparam("from_sequence"),
        events.c.kind == kind_of(AdviceChanged),
        events.c.turn_id == bindparam("at_turn"),
    )
)


@dataclass(frozen=True, slots=True)
class Stored:
    """An advice in its current state, and the number of the turn it judged."""

    advice: Advice
    judged_turn_no: int

    def has_outlived(self, turn_no: int) -> bool:
        """Return True in a turn for which the advice is too old."""
        return has_outlived(self.advice, judged_turn_no=self.judged_turn_no, turn_no=turn_no)


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
    return _stored(_named(db, key, names))


def by_name(db: sa.Connection, key: SessionKey, names: Iterable[str]) -> dict[str, Advice]:
    """Return the advice of those ids by id, in the state in which it was made."""
    return {row.advice_id: load(Advice, row.advice) for row in _named(db, key, names)}


def _named(db: sa.Connection, key: SessionKey, names: Iterable[str]) -> Sequence[Found]:
    wanted = sorted(set(names))
    return db.execute(_NAMED, at(key) | {"names": wanted}).all() if wanted else ()


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


def expire_outlived(
    db: sa.Connection, key: SessionKey, turn_no: int
) -> tuple[list[Stored], tuple[Advice, ...]]:
    """Expire what waited for more turns than it may; return what waits still, and what expired."""
    waiting = pending(db, key)
    late = [each for each in waiting if each.has_outlived(turn_no)]
    still = [each for each in waiting if each not in late]
    return still, change(db, key, late, AdviceState.EXPIRED)


def used(db: sa.Connection, key: SessionKey, commit: StepCommit) -> Used:
    """Return what a step uses up (C11, C12).

    Its prompt consumes an advice, whatever became of it since; what waits for an instance that ends
    with the step has expired.
    """
    consumed = None
    if commit.advice_consumed:
        row = _ONE.row(db, at(key) | {"at_advice": commit.advice_consumed})
        if row is not None and row.state != AdviceState.CONSUMED:
            consumed = replace(load(Advice, row.advice), state=AdviceState.CONSUMED)
    over = {each.action_instance_id for each in commit.instances if each.state in ENDED}
    waiting = [each.advice for each in pending(db, key)] if over else []
    late = [
        replace(each, state=AdviceState.EXPIRED)
        for each in waiting
        if each.action_instance_id in over
        and (consumed is None or each.advice_id != consumed.advice_id)
    ]
    return Used(consumed=consumed, expired=tuple(late))


def write(db: sa.Connection, key: SessionKey, changes: Used) -> None:
    """Give advice the state it has now."""
    _write_states(db, key, changes.changed)


def change(
    db: sa.Connection, key: SessionKey, which: Iterable[Stored], state: AdviceState
) -> tuple[Advice, ...]:
    """Give advice another state, and return it so."""
    changed = tuple(replace(each.advice, state=state) for each in which)
    _write_states(db, key, changed)
    return changed


def _write_states(db: sa.Connection, key: SessionKey, changed: Iterable[Advice]) -> None:
    rows = [{"at_advice": each.advice_id, "to_state": each.state.value} for each in changed]
    _CHANGE.run_each(db, [at(key) | row for row in rows])


def store(db: sa.Connection, key: SessionKey, made: Stored) -> None:
    """Insert an advice."""
    new = made.advice
    text = dump(replace(new, state=AdviceState.PENDING))
    row = _ADVICE.columns(new, judged_turn_no=made.judged_turn_no, advice=text)
    _INSERT.run(db, row | owned(key))


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


def take_back(db: sa.Connection, key: SessionKey, turn: Found) -> list[EventDraft]:
    """Drop the turn's requests, expire advice about it, and give back what it took up.

    Returns what is emitted of it. A later request of the same round finds its name free.
    """
    name = at(key) | {"at_turn": turn.turn_id, "from_sequence": turn.first_seq}
    requests = _REQUESTS.rows(db, name)
    about = [row.advice_id for row in requests if row.advice_id]
    made = by_id(db, key, about)
    taken = [load(NamedAdvice, row.body).advice_id for row in _CHANGED.rows(db, name)]
    replaced = [each.advice.supersedes for each in made if each.advice.supersedes]
    older = by_id(db, key, [each for each in (*taken, *replaced) if each not in about])
    drafts = _changed(db, key, _waiting(made), AdviceState.EXPIRED)
    drafts += _changed(db, key, _returning(older, turn.turn_no), AdviceState.PENDING)
    for row in requests:
        if row.outcome:
            subject = f"{row.action_instance_id}/{row.round}"
            _UNLIST.run(db, at(key) | {"at_subject": subject})
        else:
            drafts.append(_dropped(row))
    _DROP.run(db, name)
    return drafts


def _waiting(made: Sequence[Stored]) -> list[Stored]:
    return [each for each in made if each.advice.state is AdviceState.PENDING]


def _returning(older: Sequence[Stored], turn_no: int) -> list[Stored]:
    """Return the advice that waits again, unless it would have been too old anyhow."""
    return [
        each
        for each in older
        if each.advice.state is not AdviceState.PENDING and not each.has_outlived(turn_no)
    ]


def _changed(
    db: sa.Connection, key: SessionKey, which: Sequence[Stored], state: AdviceState
) -> list[EventDraft]:
    return [advice_draft(each) for each in change(db, key, which, state)]


def _dropped(row: Found) -> EventDraft:
    body = AnalysisEnded(
        action_instance_id=row.action_instance_id,
        about_round=row.round,
        judged_turn_id=row.turn_id,
        result=AnalysisOutcome.DROPPED,
        reason=TURN_TAKEN_BACK,
    )
    return EventDraft(body)
