"""Builders for decisions and workflows in the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from heartrule.domain.decisions import (
    Correction,
    Decision,
    DecisionAuthor,
    DecisionState,
    FindingCode,
    RuleFinding,
    Verdict,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.workflows import Node, NodeType, Workflow, WorkflowStatus
from session_store.ports import Store
from session_store.records import (
    DecisionChange,
    NewRevision,
    StepCommit,
    SubmittedDecision,
    TurnSnapshot,
)
from tests.support.store_builders import accept, begun, last_step, said

PAYLOAD: Mapping[str, JsonValue] = {
    "action_type": "create_node",
    "config": {"timeout": 900},
    "名": ["甲", None, True],
}
EFFECTIVE: Mapping[str, JsonValue] = {**PAYLOAD, "config": {"timeout": 300}}
CORRECTION = Correction(path="config.timeout", before=900, after=300)
ERROR = RuleFinding(code=FindingCode.MISSING_FIELD, path="name", message="name is missing")
VALID = Verdict(is_valid=True, payload=EFFECTIVE, corrections=(CORRECTION,))
REJECTED = Verdict(is_valid=False, payload=PAYLOAD, errors=(ERROR,))


def decided(decision_id: str = "dec_1", **changes: Any) -> Decision:
    """Return a decision of an agent."""
    plain = Decision(
        decision_id=decision_id,
        correlation_id="cor_1",
        decision_type="create_node",
        payload=PAYLOAD,
        confidence=0.5,
        causation_id="msg_1",
    )
    return replace(plain, **changes)


def made(
    decision_id: str = "dec_1", verdict: Verdict | None = VALID, **changes: Any
) -> DecisionChange:
    """Return a decision that is made and judged at once."""
    valid = verdict is None or verdict.is_valid
    state = DecisionState.DONE if valid else DecisionState.REJECTED
    plain = DecisionChange(
        decision=decided(decision_id), state=state, verdict=verdict, action_instance_id="ai_1"
    )
    return replace(plain, **changes)


def moved(state: DecisionState, decision_id: str = "dec_1", **changes: Any) -> DecisionChange:
    """Return a known decision in another state."""
    plain = DecisionChange(decision=decided(decision_id), state=state, is_made=False)
    return replace(plain, **changes)


def revision(number: int = 1, workflow_id: str = "wf_1", decision_id: str = "dec_1") -> NewRevision:
    """Return a revision with as many nodes as its number."""
    nodes = tuple(
        Node(node_id=f"n{each}", type=NodeType.LLM, name="写", config={"prompt": "好"})
        for each in range(number)
    )
    status = WorkflowStatus.READY if number == 1 else WorkflowStatus.DRAFT
    workflow = Workflow(
        workflow_id=workflow_id, revision=number, name="销售", status=status, nodes=nodes
    )
    return NewRevision(workflow=workflow, decision_id=decision_id)


async def turn_with(
    store: Store, key: SessionKey, name: str, *decisions: DecisionChange, **changes: Any
) -> TurnSnapshot:
    """Run a turn whose one step has these decisions, and return what it was given."""
    await accept(store, key, name)
    snapshot = await begun(store, key)
    step: StepCommit = last_step(snapshot, said(f"re {name}"), decisions=decisions, **changes)
    await store.commit_step(snapshot.lease, step)
    return snapshot


async def submission(
    store: Store, key: SessionKey, decision_id: str = "op_1", **changes: Any
) -> SubmittedDecision:
    """Return a decision of an operator, judged for the session as it stands."""
    session = await store.get_session(key)
    decision = decided(decision_id, author=DecisionAuthor.OPERATOR)
    plain = SubmittedDecision(
        key=key,
        change=DecisionChange(decision=decision, state=DecisionState.DONE, verdict=VALID),
        at_sequence=session.last_sequence,
    )
    return replace(plain, **changes)
