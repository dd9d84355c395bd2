"""Monitor requests and advice in memory (ARCHITECTURE section 4.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from heartrule.domain.events import SessionEvent
from heartrule.domain.monitoring import (
    Advice,
    AdviceState,
    PlanningState,
)
from session_store.memory.events import tell
from session_store.memory.judging import is_free, take, work_of
from session_store.memory.rows import AdviceRow, RequestRow, SessionRow, Tables
from session_store.memory.steps import keep_calls
from session_store.records import AnalysisRecord, MonitorTicket, MonitorWork, Outlook
from session_store.step_events import analysis_drafts
from session_store.turn_rules import (
    ENDED,
    MAX_MONITOR_ATTEMPTS,
    state_of_new,
    tokens_of,
)


class MemoryMonitor:
    """MonitorStore over tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def claim_monitor_request(
        self, ticket: MonitorTicket, *, owner: str, ttl: timedelta
    ) -> MonitorWork | None:
        """Claim one request; None when it is done, claimed elsewhere, pausing, or exhausted."""
        row = self._tables.sessions.get(ticket.key)
        request = row.requests.get((ticket.action_instance_id, ticket.round)) if row else None
        if row is None or request is None or not is_free(self._tables, request):
            return None
        if request.attempts >= MAX_MONITOR_ATTEMPTS:
            return None
        take(self._tables, request, owner=owner, ttl=ttl)
        return work_of(row, request, request.failures + request.attempts)

    async def due_monitor_requests(self, limit: int) -> tuple[MonitorTicket, ...]:
        """Return requests that are free; after two claims that died in a row, as `exhausted`."""
        free = [
            replace(request.ticket, exhausted=request.attempts >= MAX_MONITOR_ATTEMPTS)
            for row in self._tables.sessions.values()
            if row is not None
            for request in row.requests.values()
            if is_free(self._tables, request)
        ]
        return tuple(free[:limit])

    async def look_for_advice(self, ticket: MonitorTicket) -> Outlook:
        """Return whether the round's analysis is to come, and its pending advice."""
        row = self._tables.session(ticket.key)
        request = row.requests.get((ticket.action_instance_id, ticket.round))
        found = (
            each.advice
            for each in row.advice.values()
            if each.advice.state is AdviceState.PENDING
            and each.advice.action_instance_id == ticket.action_instance_id
            and each.advice.about_round == ticket.round
        )
        is_open = request is not None and not request.done
        if request is not None and request.failures and not request.owner:
            is_open = False  # it pauses
        return Outlook(open=is_open, advice=next(found, None))

    async def finish_analysis(self, record: AnalysisRecord) -> tuple[SessionEvent, ...]:
        """Write analysis, advice, ledger and state in one transaction; done already: nothing."""
        row = self._tables.sessions.get(record.ticket.key)
        name = (record.ticket.action_instance_id, record.ticket.round)
        request = row.requests.get(name) if row else None
        if row is None or request is None or request.done:
            return ()
        if record.judged_turn_id not in {"", request.turn.turn_id}:
            return ()
        keep_calls(self._tables, row, record.calls, turn_id=request.turn.turn_id)
        row.monitor_tokens += tokens_of(record.calls)
        request.until, request.owner = 0.0, ""
        if record.retry_after is not None:
            request.until = self._tables.clock() + record.retry_after.total_seconds()
            request.failures, request.attempts = request.failures + 1, 0
            return ()
        request.done, request.failures = True, 0
        request.ended = replace(record, calls=())
        request.planning = PlanningState.OWED if record.plan_owed else None
        request.advice_id = record.advice.advice_id if record.advice else ""
        changed = self._keep_advice(row, request, record.advice) if record.advice else ()
        drafts = analysis_drafts(
            record, judged_turn_id=request.turn.turn_id, changed=tuple(changed)
        )
        return tell(self._tables, row, drafts)

    def _keep_advice(
        self, row: SessionRow, request: RequestRow, advice: Advice
    ) -> Iterator[Advice]:
        """Store an advice in the state that fits, and yield what changed, oldest first."""
        instance = row.plan.get(advice.action_instance_id)
        known = [
            each
            for each in row.advice.values()
            if each.advice.action_instance_id == advice.action_instance_id
        ]
        state = state_of_new(
            advice,
            instance_ended=instance is not None and instance.state in ENDED,
            known=[each.advice for each in known],
        )
        stored = replace(advice, state=state, made_at=advice.made_at or self._tables.now())
        for old in known if state is AdviceState.PENDING else ():
            if old.advice.state is AdviceState.PENDING:
                old.advice = replace(old.advice, state=AdviceState.SUPERSEDED)
                stored = replace(stored, supersedes=old.advice.advice_id)
                yield old.advice
        row.advice[stored.advice_id] = AdviceRow(stored, request.turn.turn_no)
        yield stored
