"""Ending an analysis: advice, ledger and state in one transaction (ARCHITECTURE section 4.6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa

from heartrule.domain.events import SessionEvent
from heartrule.domain.monitoring import Advice, AdviceState, PlanningState
from session_store.codec import dump
from session_store.records import AnalysisRecord, MonitorTicket, Outlook
from session_store.sql import advice, calls, plans, requests, sessions
from session_store.sql.advice import Stored
from session_store.sql.events import keep, tell
from session_store.sql.leases import RELEASED
from session_store.sql.sessions import Locked
from session_store.sql.statements import Found
from session_store.step_events import analysis_drafts
from session_store.turn_rules import MAX_MONITOR_ATTEMPTS, state_of_new, tokens_of


@dataclass(frozen=True, slots=True)
class Minded:
    """What an analysis leaves of the session."""

    row: Found
    advice: tuple[Stored, ...] = ()
    """What it changed, in its new state."""


def finish_analysis(
    db: sa.Connection, record: AnalysisRecord
) -> tuple[tuple[SessionEvent, ...], Minded | None]:
    """Write analysis, advice, ledger and state; done already: nothing.

    Returns what is told, and what the session is then; None where it is as it was.
    """
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
    counted = _store_calls(db, locked, request, record)
    changed = _store_advice(db, locked, request, record.advice) if record.advice else ()
    advised = tuple([each.advice for each in changed])
    told = tell(locked, analysis_drafts(record, judged_turn_id=request.turn_id, changed=advised))
    return told.events, Minded(keep(db, locked, told, counted), changed)


def _release(db: sa.Connection, locked: Locked, record: AnalysisRecord) -> dict[str, object] | None:
    """Leave the request to a second attempt; None where there is none, or it is done."""
    request = requests.open_request(db, record.ticket)
    if request is None or request.claims >= MAX_MONITOR_ATTEMPTS:
        return None
    if record.judged_turn_id not in {"", request.turn_id}:
        return None
    requests.update(db, record.ticket, RELEASED)
    return _store_calls(db, locked, request, record)


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


def _store_calls(
    db: sa.Connection, locked: Locked, request: Found, record: AnalysisRecord
) -> dict[str, object]:
    """Write the ledger and return what the session's row counts of it."""
    first = int(locked.row.next_call)
    origin = calls.Origin(key=locked.key, turn_id=request.turn_id, first=first, now=locked.now)
    calls.store(db, origin, record.calls)
    return sessions.minded(locked.row) | {
        "next_call": first + len(record.calls),
        "monitor_tokens": int(locked.row.monitor_tokens) + tokens_of(record.calls),
    }


def _ended(record: AnalysisRecord) -> dict[str, object]:
    return {
        "outcome": record.outcome.value,
        "reason": record.reason,
        "advice_id": record.advice.advice_id if record.advice else "",
        "analysis": dump(record.analysis) if record.analysis else None,
        "planning": PlanningState.OWED.value if record.plan_owed else "",
    }


def _store_advice(
    db: sa.Connection, locked: Locked, request: Found, new: Advice
) -> tuple[Stored, ...]:
    """Store an advice in the state that fits, and return what changed, oldest first."""
    known = advice.rivals(db, locked.key, new)
    state = state_of_new(
        new,
        instance_ended=plans.has_ended(db, locked.key, request),
        known=[each.advice for each in known],
    )
    older = [each for each in known if each.advice.state is AdviceState.PENDING]
    replaced = older if state is AdviceState.PENDING else []
    stamped = _stamped(new, state, [each.advice for each in replaced], locked.now)
    stored = Stored(stamped, request.turn_no)
    changed = advice.change(db, locked.key, replaced, AdviceState.SUPERSEDED)
    advice.store(db, locked.key, stored)
    left = [Stored(each, was.judged_turn_no) for each, was in zip(changed, replaced, strict=True)]
    return (*left, stored)


def _stamped(new: Advice, state: AdviceState, replaced: list[Advice], now: datetime) -> Advice:
    supersedes = replaced[-1].advice_id if replaced else new.supersedes
    return replace(new, state=state, made_at=new.made_at or now, supersedes=supersedes)
