"""Plans and their edits in memory."""

from __future__ import annotations

from dataclasses import replace

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import ExecutionStatus
from session_store.memory.edits import plan_of
from session_store.memory.events import tell
from session_store.memory.paging import page_of
from session_store.memory.rows import SessionRow, Tables
from session_store.memory.steps import keep_calls
from session_store.plan_edit_rules import edit_draft, ended, of_topic, undo_of
from session_store.records import KeptEdit, Page, PlanView, ProposedEdit


class MemoryPlans:
    """PlanStore over tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def propose_edit(self, proposed: ProposedEdit) -> tuple[SessionEvent, ...]:
        """Keep a proposal and its calls for the next turn; see the port."""
        row = self._tables.sessions.get(proposed.key)
        if row is None:
            return ()
        keep_calls(self._tables, row, proposed.calls, turn_id=proposed.judged_turn_id)
        turn = row.turns.get(proposed.judged_turn_id)
        if proposed.edit is None or turn is None:
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

    def _keep(self, row: SessionRow, edit: PlanEdit, turn_no: int) -> tuple[SessionEvent, ...]:
        made = replace(edit, made_at=self._tables.now())
        made = ended(made) if row.status is ExecutionStatus.COMPLETED else made
        events = tell(self._tables, row, [edit_draft(made)])
        row.edits[made.edit_id] = KeptEdit(
            edit=made, judged_turn_no=turn_no, sequence=events[0].sequence
        )
        return events
