"""What a turn that is taken back leaves with the monitor: requests dropped, advice put right."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import AdviceChanged, AnalysisEnded
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import AdviceState, AnalysisOutcome
from session_store.codec import load
from session_store.event_bodies import NamedAdvice
from session_store.event_drafts import EventDraft, kind_of
from session_store.past import TURN_TAKEN_BACK
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import Found, at, of
from session_store.sql.database.tables import events
from session_store.sql.database.tables_beside import monitor_requests
from session_store.sql.monitor import advice
from session_store.sql.monitor.advice import Stored
from session_store.step_events import advice_draft
from session_store.turn_rules import has_outlived

_OF_TURN = sa.and_(of(monitor_requests), monitor_requests.c.turn_id == bindparam("at_turn"))
_REQUESTS = Prepared(select(monitor_requests).where(_OF_TURN))
_DROP = Prepared(monitor_requests.delete().where(_OF_TURN))
_UNLIST = Prepared(
    events.update()
    .where(
        of(events),
        events.c.subject == bindparam("at_subject"),
        events.c.subject != constant(""),  # so that the partial index is found
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


def take_back(db: sa.Connection, key: SessionKey, turn: Found) -> list[EventDraft]:
    """Drop the turn's requests, expire advice about it, and give back what it took up.

    Returns what is emitted of it. A later request of the same round finds its name free.
    """
    name = at(key) | {"at_turn": turn.turn_id, "from_sequence": turn.first_seq}
    requests = _REQUESTS.rows(db, name)
    about = [row.advice_id for row in requests if row.advice_id]
    made = advice.by_id(db, key, about)
    taken = [load(NamedAdvice, row.body).advice_id for row in _CHANGED.rows(db, name)]
    replaced = [each.advice.supersedes for each in made if each.advice.supersedes]
    older = advice.by_id(db, key, [each for each in (*taken, *replaced) if each not in about])
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
        if each.advice.state is not AdviceState.PENDING
        and not has_outlived(each.advice, judged_turn_no=each.judged_turn_no, turn_no=turn_no)
    ]


def _changed(
    db: sa.Connection, key: SessionKey, which: Sequence[Stored], state: AdviceState
) -> list[EventDraft]:
    return [advice_draft(each) for each in advice.change(db, key, which, state)]


def _dropped(row: Found) -> EventDraft:
    body = AnalysisEnded(
        action_instance_id=row.action_instance_id,
        about_round=row.round,
        judged_turn_id=row.turn_id,
        result=AnalysisOutcome.DROPPED,
        reason=TURN_TAKEN_BACK,
    )
    return EventDraft(body)
