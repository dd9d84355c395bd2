"""Plans and their edits in the store over SQL."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.orchestration import PlanEdit
from session_store.records import MonitorTicket, Page, PlanningWork, PlanView, ProposedEdit
from session_store.sql import plan_edits, plannings, proposals
from session_store.sql.engine import Engine
from session_store.sql.proofs import told


class SqlPlans:
    """PlanStore over SQL."""

    _engine: Engine

    async def due_plannings(self, limit: int) -> tuple[MonitorTicket, ...]:
        """Return analyses to which a plan is owed that nobody works on; see the port."""
        return await self._engine.read(partial(plannings.due, limit=limit))

    async def claim_planning(
        self, ticket: MonitorTicket, *, owner: str, ttl: timedelta
    ) -> PlanningWork | None:
        """Claim a plan that is owed; see the port."""
        return await self._engine.write(
            partial(plannings.claim, ticket=ticket, owner=owner, ttl=ttl)
        )

    async def propose_edit(self, proposed: ProposedEdit) -> tuple[SessionEvent, ...]:
        """Keep a proposal and its calls for the next turn; see the port."""
        return await self._engine.write(
            partial(proposals.propose_edit, proposed=proposed),
            proof=lambda db, done: told(db, proposed.key, done),
        )

    async def request_undo(
        self, key: SessionKey, undo: PlanEdit
    ) -> tuple[PlanEdit, tuple[SessionEvent, ...]]:
        """Keep an undo for the next turn; see the port."""
        return await self._engine.write(
            partial(proposals.request_undo, key=key, undo=undo),
            proof=lambda db, done: told(db, key, done[1]),
        )

    async def list_plan_edits(self, key: SessionKey, page: Page) -> tuple[list[PlanEdit], str]:
        """Return edits in the order in which they were made, and the next page's token."""
        return await self._engine.read(partial(plan_edits.page, key=key, wanted=page))

    async def get_plan(self, key: SessionKey) -> PlanView:
        """Return the queue of the topic the session stands in, and the edits it had."""
        return await self._engine.read(partial(proposals.plan_view, key=key))
