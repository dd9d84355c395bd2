"""Ending an analysis: advice, ledger and state in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

import sqlalchemy as sa

from heartrule.domain.events import SessionEvent
from heartrule.domain.monitoring import Advice, AdviceState, PlanningState
from session_store.codec import dump
from session_store.records import AnalysisRecord, MonitorTicket, PendingAnalysis
from session_store.sql.database.statements import Found
from session_store.sql.monitor import advice, requests
from session_store.sql.monitor.advice import Stored
from session_store.sql.sessions import calls, sessions
from session_store.sql.sessions.events import emit, keep
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import plans
from session_store.sql.turns.leases import RELEASED
from session_store.step_events import analysis_drafts
from session_store.turn_rules import state_of_new


def finish_analysis(db: sa.Connection, record: AnalysisRecord) -> tuple[SessionEvent, ...]:
    """Write analysis, advice, ledger and state in one transaction; done already: nothing.

    An advice for an instance that has ended is stored as expired; one about a lower round
    than a newer advice as superseded, as are older pending ones. `claim_planning` finds debts.
    """
    locked = sessions.try_lock(db, record.ticket.key)
    if locked is None:
        return ()
    if record.retry_after is not None:
        _owe(db, locked, record, record.retry_after)
        return ()
    request = requests.end(
        db, record.ticket, RELEASED | _ended(record), of_turn=record.judged_turn_id
    )
    if request is None:
        return ()
    counted = calls.append_monitor_calls(db, locked, request.turn_id, record.calls)
    judged = _judge(db, record, request)
    changed = _store_advice(db, locked, request.turn_no, judged) if judged else ()
    drafts = analysis_drafts(record, judged_turn_id=request.turn_id, changed=changed)
    emitted = emit(locked, drafts)
    keep(db, locked, emitted, counted)
    return emitted.events


def _owe(db: sa.Connection, locked: Locked, record: AnalysisRecord, pause: timedelta) -> None:
    """Keep a failed analysis owed, with the calls it made; nothing where it is done."""
    request = requests.open_request(db, record.ticket)
    if request is None or record.judged_turn_id not in {"", request.turn_id}:
        return
    requests.pause(db, record.ticket, request, until=locked.now + pause, claims="claims")
    counted = calls.append_monitor_calls(db, locked, request.turn_id, record.calls)
    sessions.update(db, locked.key, counted)


def pending_analysis(db: sa.Connection, ticket: MonitorTicket) -> PendingAnalysis:
    """Return whether the round's analysis is to come, and its pending advice."""
    found = (
        each.advice
        for each in advice.pending(db, ticket.key)
        if each.advice.action_instance_id == ticket.action_instance_id
        and each.advice.about_round == ticket.round
    )
    request = requests.open_request(db, ticket)
    # One that failed and pauses is not worth a turn's wait.
    is_open = request is not None and bool(request.lease_owner or not request.failures)
    return PendingAnalysis(open=is_open, advice=next(found, None))


def _ended(record: AnalysisRecord) -> dict[str, object]:
    return {
        "outcome": record.outcome.value,
        "reason": record.reason,
        "advice_id": record.advice.advice_id if record.advice else "",
        "analysis": dump(record.analysis) if record.analysis else None,
        "failures": 0,
        "planning": PlanningState.OWED.value if record.plan_owed else "",
    }


@dataclass(frozen=True, slots=True)
class _Judged:
    """A new advice in the state that fits, and what it replaces."""

    advice: Advice
    replaced: list[Stored]


def _judge(db: sa.Connection, record: AnalysisRecord, request: Found) -> _Judged | None:
    """Say what becomes of the record's advice; None where it has none."""
    new = record.advice
    if new is None:
        return None
    known = advice.rivals(db, record.ticket.key, new)
    ended = plans.has_ended(db, record.ticket.key, request)
    state = state_of_new(new, instance_ended=ended, known=[each.advice for each in known])
    older = [each for each in known if each.advice.state is AdviceState.PENDING]
    replaced = older if state is AdviceState.PENDING else []
    supersedes = replaced[-1].advice.advice_id if replaced else new.supersedes
    return _Judged(replace(new, state=state, supersedes=supersedes), replaced)


def _store_advice(
    db: sa.Connection, locked: Locked, judged_turn_no: int, judged: _Judged
) -> tuple[Advice, ...]:
    """Store an advice and return what changed, oldest first."""
    made_at = judged.advice.made_at or locked.now
    new = replace(judged.advice, made_at=made_at)
    superseded = advice.change(db, locked.key, judged.replaced, AdviceState.SUPERSEDED)
    advice.store(db, locked.key, Stored(new, judged_turn_no))
    return (*superseded, new)
