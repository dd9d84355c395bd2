"""The port of decisions and workflows; what decides and what shows them needs no other."""

from __future__ import annotations

from typing import Protocol

from heartrule.domain.keys import SessionKey
from session_store.records import Page
from session_store.records.decisions import (
    DecisionFilter,
    DecisionOutcome,
    KeptDecision,
    KeptWorkflow,
    SubmittedDecision,
)
from session_store.records.spending import Spending, SpentSoFar


class DecisionStore(Protocol):
    """Decisions with what became of them, and revisions of workflows; a step writes its own."""

    async def list_decisions(
        self, key: SessionKey, page: Page, wanted: DecisionFilter = ...
    ) -> tuple[list[KeptDecision], str]:
        """Return decisions in the order in which they were made, and the next page's token.

        Those of turns that were taken back are left out.
        """

    async def open_decisions(self, key: SessionKey) -> tuple[KeptDecision, ...]:
        """Return the decisions whose effect is to come or not done, in order."""

    async def get_decision(self, key: SessionKey, decision_id: str) -> KeptDecision:
        """Return a decision, also of a turn that was taken back; NotFound where there is none."""

    async def list_workflows(self, key: SessionKey, page: Page) -> tuple[list[KeptWorkflow], str]:
        """Return each workflow's newest revision, the one changed last at the end."""

    async def get_workflow(
        self, key: SessionKey, workflow_id: str, revision: int = 0
    ) -> KeptWorkflow:
        """Return a revision, by default the newest; NotFound where there is none."""

    async def submit_decision(self, submitted: SubmittedDecision) -> DecisionOutcome:
        """Write a decision that is made between turns, with verdict and effect, in one transaction.

        A known id writes nothing and returns what became of it, rejected or taken back too
        (RESOLUTIONS D20). SessionFinished at the session's end; SessionBusy while a turn runs or is
        to run; RevisionConflict, reason SESSION_MOVED, where the session has moved since the
        verdict.
        """

    async def spent(self, key: SessionKey) -> SpentSoFar:
        """Return what runs used; NotFound for a deleted session."""

    async def spend(self, spending: Spending) -> bool:
        """Count what is about to be used; False, and nothing is counted, where it passes a limit.

        Whichever processes call this at once, no limit is passed. What is counted stays so: a turn
        that is taken back has used it all the same, and a fork has used nothing yet.
        """
