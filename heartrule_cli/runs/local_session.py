"""A session with one workflow, and the decision to execute it: runs begin by the gate alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.run_decisions import DecidedRuns, RunDecisions
from executor_service.decisions.turn_reading import SessionReader
from heartrule.domain.decisions import (
    Decision,
    DecisionAuthor,
    DecisionState,
    DecisionType,
)
from heartrule.domain.ids import new_id
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.workflows import Workflow
from session_store.ports import Store
from session_store.records import DecisionChange, NewSession, SubmittedDecision

LOCAL = SessionKey(DEFAULT_TENANT, "ses_local")
"""The only session of its store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalSession:
    """One session, that no script runs."""

    store: Store
    """Open, and closed by its owner."""
    read_session: SessionReader
    judging: JudgingBeside

    async def create(self, workflow: Workflow) -> None:
        """Create the session with its workflow."""
        new = NewSession(
            key=LOCAL, script_id=workflow.workflow_id, script_version="", workflows=(workflow,)
        )
        await self.store.create_session(new)

    async def execute(self, workflow_id: str, inputs: Mapping[str, JsonValue]) -> DecidedRuns:
        """Decide to execute the workflow; where that is valid, its run is stored and QUEUED."""
        decision = _execution(workflow_id, inputs)
        found = await self.read_session(LOCAL, "")
        decisions = RunDecisions(self.store, new_id, judging=self.judging)
        decided = await decisions.decided(LOCAL, decision, found)
        if decided.verdict.is_valid and not decided.verdict.corrections:
            session = await self.store.get_session(LOCAL)
            change = DecisionChange(
                decision=decision, state=DecisionState.DONE, verdict=decided.verdict
            )
            submitted = SubmittedDecision(
                key=LOCAL, change=change, runs=decided.runs, at_sequence=session.last_sequence
            )
            await self.store.submit_decision(submitted)
        return decided


def _execution(workflow_id: str, inputs: Mapping[str, JsonValue]) -> Decision:
    decision_id, kind = new_id("dec"), DecisionType.EXECUTE_WORKFLOW
    return Decision(
        decision_id=decision_id,
        correlation_id=decision_id,
        decision_type=kind,
        payload={
            "action_type": kind.value,
            "workflow_id": workflow_id,
            "input_params": dict(inputs),
        },
        author=DecisionAuthor.OPERATOR,
    )
