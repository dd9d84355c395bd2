"""Plans and their edits. Every method is one transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.orchestration import PlanEdit
from session_store.records import MonitorTicket, Page, PlanningWork, PlanView, ProposedEdit


class PlanStore(Protocol):
    """Edits of plans; a turn's first step decides those that wait (RESOLUTIONS C29)."""

    async def due_plannings(self, limit: int) -> tuple[MonitorTicket, ...]:
        """Return analyses to which a plan is owed that nobody works on, `exhausted` as above."""

    async def claim_planning(
        self, ticket: MonitorTicket, *, owner: str, ttl: timedelta
    ) -> PlanningWork | None:
        """Claim a plan that is owed; None when it is not, is held, pauses, or is exhausted."""

    async def propose_edit(self, proposed: ProposedEdit) -> tuple[SessionEvent, ...]:
        """Keep a proposal and its calls for the next turn, and return what is told of it.

        Nothing where the session is gone; the calls alone, and their tokens, where nothing was
        proposed, the judged turn was taken back, or the plan is no longer owed; as expired where
        the session has ended.
        """

    async def request_undo(
        self, key: SessionKey, undo: PlanEdit
    ) -> tuple[PlanEdit, tuple[SessionEvent, ...]]:
        """Keep an undo for the next turn; the same `cause_id` again gives the first.

        Raises:
            NotFound: There is no such session, or no such edit in it.
            NotReady: The edit is not the latest that is applied.
        """

    async def list_plan_edits(self, key: SessionKey, page: Page) -> tuple[list[PlanEdit], str]:
        """Return edits in the order in which they were made, and the next page's token."""

    async def get_plan(self, key: SessionKey) -> PlanView:
        """Return the queue of the topic the session stands in, and the edits it had."""
