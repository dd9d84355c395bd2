"""Plans and their edits in memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import MonitorAnalysis, PlanningState
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import ExecutionStatus
from session_store.memory.edits import plan_of
from session_store.memory.events import tell
from session_store.memory.judging import work_of
from session_store.memory.paging import page_of
from session_store.memory.rows import RequestRow, SessionRow, Tables
from session_store.memory.steps import keep_calls
from session_store.plan_edit_rules import edit_draft, ended, of_topic, undo_of
from session_store.records import (
    KeptEdit,
    MonitorTicket,
    Page,
    PlanningWork,
    PlanView,
    ProposedEdit,
)
from session_store.turn_rules import MAX_MONITOR_ATTEMPTS, tokens_of


class MemoryPlans:
    """PlanStore over tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def due_plannings(self, limit: int) -> tuple[MonitorTicket, ...]:
        """Return analyses to which a plan is owed that nobody works on; see the port."""
        free = [
            replace(request.ticket, exhausted=request.planning_claims >= MAX_MONITOR_ATTEMPTS)
            for row in self._tables.sessions.values()
            if row is not None
            for request in row.requests.values()
            if self._is_owed(request)
        ]
        return tuple(free[:limit])

    async def claim_planning(
        self, ticket: MonitorTicket, *, owner: str, ttl: timedelta
    ) -> PlanningWork | None:
        """Claim a plan that is owed; see the port."""
        row = self._tables.sessions.get(ticket.key)
        request = row.requests.get((ticket.action_instance_id, ticket.round)) if row else None
        if row is None or request is None or not self._is_owed(request):
            return None
        if request.planning_claims >= MAX_MONITOR_ATTEMPTS:
            return None
        request.planning_claims += 1
        request.owner = owner
        request.until = self._tables.clock() + ttl.total_seconds()
        assert request.ended is not None, "only an analysis that ended is owed a plan"
        return PlanningWork(
            judged=work_of(row, request, request.failures + request.planning_claims),
            analysis=request.ended.analysis or MonitorAnalysis(),
            advice_id=request.advice_id,
        )

    async def propose_edit(self, proposed: ProposedEdit) -> tuple[SessionEvent, ...]:
        """Keep a proposal and its calls for the next turn; see the port."""
        row = self._tables.sessions.get(proposed.key)
        if row is None:
            return ()
        keep_calls(self._tables, row, proposed.calls, turn_id=proposed.judged_turn_id)
        row.monitor_tokens += tokens_of(proposed.calls)
        wanted = self._settle(row, proposed)
        turn = row.turns.get(proposed.judged_turn_id)
        if proposed.edit is None or turn is None or not wanted:
            return ()
        return self._keep(row, proposed.edit, turn.turn_no)

    async def request_undo(
        self, key: SessionKey, undo: PlanEdit
    ) -> tuple[PlanEdit, tuple[SessionEvent, ...]]:
        """Keep an undo for the next turn; see the port."""
        row = self._tables.session(key)
        made = undo_of(list(row.edits.values()), undo)
        if made.edit_id != undo.edit_id:
            return made, ()
        newest = row.newest_turn()
        events = self._keep(row, made, newest.turn_no if newest else 0)
        return row.edits[made.edit_id].edit, events

    async def list_plan_edits(self, key: SessionKey, page: Page) -> tuple[list[PlanEdit], str]:
        """Return edits in the order in which they were made, and the next page's token."""
        known = self._tables.session(key).edits.values()
        return page_of({str(each.sequence): each.edit for each in known}, page)

    async def get_plan(self, key: SessionKey) -> PlanView:
        """Return the queue of the topic the session stands in, and the edits it had."""
        row = self._tables.session(key)
        place = row.position
        return PlanView(
            script_id=row.new.script_id,
            script_version=row.new.script_version,
            replacements=row.replacements,
            position=place,
            plan_revision=row.plan_revision,
            plan=plan_of(row),
            past=of_topic(row.edits.values(), place.phase_id, place.topic_id),
        )

    def _settle(self, row: SessionRow, proposed: ProposedEdit) -> bool:
        """Keep what became of the wish; False where there is none, and nothing is proposed."""
        if proposed.ticket is None:
            return True
        request = row.requests.get((proposed.ticket.action_instance_id, proposed.ticket.round))
        if request is None or request.planning is not PlanningState.OWED:
            return False
        if proposed.judged_turn_id not in {"", request.turn.turn_id}:
            return False
        request.until, request.owner = 0.0, ""
        if proposed.retry_after is not None:
            request.until = self._tables.clock() + proposed.retry_after.total_seconds()
            request.failures, request.planning_claims = request.failures + 1, 0
            return False
        request.planning, request.planning_reason = proposed.state, proposed.reason
        return True

    def _is_owed(self, request: RequestRow) -> bool:
        is_owed = request.planning is PlanningState.OWED
        return is_owed and self._tables.clock() >= request.until

    def _keep(self, row: SessionRow, edit: PlanEdit, turn_no: int) -> tuple[SessionEvent, ...]:
        made = replace(edit, made_at=self._tables.now())
        made = ended(made) if row.status is ExecutionStatus.COMPLETED else made
        events = tell(self._tables, row, [edit_draft(made)])
        row.edits[made.edit_id] = KeptEdit(
            edit=made, judged_turn_no=turn_no, sequence=events[0].sequence
        )
        return events
