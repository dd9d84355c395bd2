"""Ending an analysis: advice, ledger and state in one transaction (ARCHITECTURE section 4.6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import sqlalchemy as sa

from heartrule.domain.events import SessionEvent
from heartrule.domain.monitoring import Advice, AdviceState, PlanningState
from session_store.codec import dump
from session_store.records import AnalysisRecord, MonitorTicket, Outlook
from session_store.sql import advice, calls, plans, requests, sessions
from session_store.sql.advice import Stored
from session_store.sql.events import Told, keep, tell, write
from session_store.sql.kept import Kept
from session_store.sql.leases import RELEASED
from session_store.sql.seizing import seize_asked
from session_store.sql.sessions import Locked
from session_store.sql.statements import Found
from session_store.step_events import analysis_drafts
from session_store.turn_rules import ENDED, MAX_MONITOR_ATTEMPTS, state_of_new, tokens_of


@dataclass(frozen=True, slots=True)
class Minded:
    """What an analysis leaves of the session."""

    row: Found
    advice: tuple[Stored, ...] = ()
    """What it changed, in its new state."""


Finished: TypeAlias = "tuple[tuple[SessionEvent, ...], Minded | None]"
"""What is told, and what the session is then; None where it is as it was."""


def finish_analysis(
    db: sa.Connection, record: AnalysisRecord, kept: Kept | None = None
) -> Finished:
    """Write analysis, advice, ledger and state; done already: nothing. `kept` saves reading."""
    if kept is not None and _is_known(record, kept):
        done = _finish_known(db, record, kept)
        if done is not None:
            return done
    locked = sessions.try_lock(db, record.ticket.key)
    if locked is None:
        return (), None
    if record.retry:
        counted = _release(db, locked, record)
        if counted is not None:
            return (), Minded(sessions.change(db, locked, counted))
    request = requests.end(
        db, record.ticket, RELEASED | _ended(record), of_turn=record.judged_turn_id
    )
    if request is None:
        return (), None
    origin = _origin(locked, request.turn_id)
    calls.store(db, origin, record.calls)
    judged = _judge(db, record, ended=lambda: plans.has_ended(db, locked.key, request))
    changed = _store_advice(db, locked, request.turn_no, judged) if judged else ()
    told = _told(locked, record, request.turn_id, changed)
    return told.events, Minded(keep(db, locked, told, _counted(locked.row, record)), changed)


def _is_known(record: AnalysisRecord, kept: Kept) -> bool:
    """Return whether all it depends on is known, but that it is open: `seize_asked` asks that."""
    return (
        not record.retry
        and bool(record.judged_turn_id)
        and (record.advice is None or kept.state_of(record.ticket.action_instance_id) is not None)
    )


def _finish_known(db: sa.Connection, record: AnalysisRecord, kept: Kept) -> Finished | None:
    """Do so by what is kept; None, and nothing written, where it is too old or all is done."""
    row, turn_id = kept.row, record.judged_turn_id
    state = kept.state_of(record.ticket.action_instance_id)
    judged = _judge(db, record, ended=lambda: state in ENDED)
    told_of_advice = len(judged.replaced) + 1 if judged else 0
    counted = _counted(row, record) | {"next_seq": row.next_seq + told_of_advice + 1}
    asked = seize_asked(db, record, row, counted)
    if asked is None:
        return None
    locked = asked.locked
    requests.update(db, record.ticket, RELEASED | _ended(record))
    calls.store(db, _origin(locked, turn_id), record.calls)
    changed = _store_advice(db, locked, asked.judged_turn_no, judged) if judged else ()
    told = _told(locked, record, turn_id, changed)
    write(db, locked.key, told)
    return told.events, Minded(sessions.changed(row, counted), changed)


def _release(db: sa.Connection, locked: Locked, record: AnalysisRecord) -> dict[str, object] | None:
    """Leave the request to a second attempt; None where there is none, or it is done."""
    request = requests.open_request(db, record.ticket)
    if request is None or request.claims >= MAX_MONITOR_ATTEMPTS:
        return None
    if record.judged_turn_id not in {"", request.turn_id}:
        return None
    requests.update(db, record.ticket, RELEASED)
    calls.store(db, _origin(locked, request.turn_id), record.calls)
    return _counted(locked.row, record)


def outlook(db: sa.Connection, ticket: MonitorTicket) -> Outlook:
    """Return whether the round's analysis is to come, and its pending advice."""
    found = (
        each.advice
        for each in advice.pending(db, ticket.key)
        if each.advice.action_instance_id == ticket.action_instance_id
        and each.advice.about_round == ticket.round
    )
    is_open = requests.open_request(db, ticket) is not None
    return Outlook(open=is_open, advice=next(found, None))


def _origin(locked: Locked, turn_id: str) -> calls.Origin:
    """Return what the ledger says of the calls an analysis made."""
    first = int(locked.row.next_call)
    return calls.Origin(key=locked.key, turn_id=turn_id, first=first, now=locked.now)


def _counted(row: Found, record: AnalysisRecord) -> dict[str, object]:
    """Return what the session's row counts of an analysis."""
    return sessions.minded(row) | {
        "next_call": int(row.next_call) + len(record.calls),
        "monitor_tokens": int(row.monitor_tokens) + tokens_of(record.calls),
    }


def _told(locked: Locked, record: AnalysisRecord, turn_id: str, changed: Sequence[Stored]) -> Told:
    advised = tuple([each.advice for each in changed])
    return tell(locked, analysis_drafts(record, judged_turn_id=turn_id, changed=advised))


def _ended(record: AnalysisRecord) -> dict[str, object]:
    return {
        "outcome": record.outcome.value,
        "reason": record.reason,
        "advice_id": record.advice.advice_id if record.advice else "",
        "analysis": dump(record.analysis) if record.analysis else None,
        "planning": PlanningState.OWED.value if record.plan_owed else "",
    }


@dataclass(frozen=True, slots=True)
class _Judged:
    """A new advice in the state that fits, and what it replaces."""

    advice: Advice
    replaced: list[Stored]


def _judge(
    db: sa.Connection, record: AnalysisRecord, *, ended: Callable[[], bool]
) -> _Judged | None:
    """Say what becomes of the record's advice; None where it has none."""
    new = record.advice
    if new is None:
        return None
    known = advice.rivals(db, record.ticket.key, new)
    state = state_of_new(new, instance_ended=ended(), known=[each.advice for each in known])
    older = [each for each in known if each.advice.state is AdviceState.PENDING]
    replaced = older if state is AdviceState.PENDING else []
    supersedes = replaced[-1].advice.advice_id if replaced else new.supersedes
    return _Judged(replace(new, state=state, supersedes=supersedes), replaced)


def _store_advice(
    db: sa.Connection, locked: Locked, judged_turn_no: int, judged: _Judged
) -> tuple[Stored, ...]:
    """Store an advice and return what changed, oldest first."""
    replaced = judged.replaced
    made_at = judged.advice.made_at or locked.now
    stored = Stored(replace(judged.advice, made_at=made_at), judged_turn_no)
    changed = advice.change(db, locked.key, replaced, AdviceState.SUPERSEDED)
    advice.store(db, locked.key, stored)
    left = [Stored(each, was.judged_turn_no) for each, was in zip(changed, replaced, strict=True)]
    return (*left, stored)
