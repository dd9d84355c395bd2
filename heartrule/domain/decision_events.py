"""What a session's log tells of decisions: made, judged, and the workflows that came of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from heartrule.domain.decisions import (
    Correction,
    Decision,
    DecisionAuthor,
    DecisionType,
    RuleFinding,
    Verdict,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Workflow, WorkflowStatus

_TYPES: Mapping[str, DecisionType] = {each.value: each for each in DecisionType}


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionMade:
    """A decision is proposed; always before its verdict (RESOLUTIONS D12)."""

    decision_id: str
    correlation_id: str
    decision_type: DecisionType | None = None
    """None: its author named no known type."""
    written_type: str = ""
    """What its author wrote in the type's place, where that is none."""
    payload: JsonValue = None
    """As it was proposed; the row of the decision holds it, not the event's."""
    confidence: float | None = None
    author: DecisionAuthor = DecisionAuthor.AGENT
    causation_id: str = ""
    action_instance_id: str = ""
    """The action whose agent made it; empty: none did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionValidated:
    """A decision passed the gate, corrected where that was needed; its effect may follow."""

    decision_id: str
    correlation_id: str
    decision_type: DecisionType | None = None
    payload: JsonValue = None
    """The effective one, corrections applied; the row of the decision holds it, not the event's."""
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRejected:
    """A decision did not pass the gate; nothing of it is done."""

    decision_id: str
    correlation_id: str
    decision_type: DecisionType | None = None
    errors: tuple[RuleFinding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowChanged:
    """A workflow has a new revision, the first included; its definition is read by its id."""

    workflow_id: str
    revision: int
    name: str = ""
    status: WorkflowStatus = WorkflowStatus.DRAFT
    decision_id: str = ""
    """What made the revision."""


def made_event(decision: Decision, action_instance_id: str = "") -> DecisionMade:
    """Return the event of a decision that is proposed."""
    known = _TYPES.get(decision.decision_type)
    return DecisionMade(
        decision_id=decision.decision_id,
        correlation_id=decision.correlation_id,
        decision_type=known,
        written_type="" if known else decision.decision_type,
        payload=decision.payload,
        confidence=decision.confidence,
        author=decision.author,
        causation_id=decision.causation_id,
        action_instance_id=action_instance_id,
    )


def judged_event(decision: Decision, verdict: Verdict) -> DecisionValidated | DecisionRejected:
    """Return the event of a verdict."""
    known = _TYPES.get(decision.decision_type)
    if not verdict.is_valid:
        return DecisionRejected(
            decision_id=decision.decision_id,
            correlation_id=decision.correlation_id,
            decision_type=known,
            errors=verdict.errors,
        )
    return DecisionValidated(
        decision_id=decision.decision_id,
        correlation_id=decision.correlation_id,
        decision_type=known,
        payload=verdict.payload,
        corrections=verdict.corrections,
    )


def workflow_event(workflow: Workflow, decision_id: str = "") -> WorkflowChanged:
    """Return the event of a new revision."""
    return WorkflowChanged(
        workflow_id=workflow.workflow_id,
        revision=workflow.revision,
        name=workflow.name,
        status=workflow.status,
        decision_id=decision_id,
    )


def revision_made(decision_id: str, bodies: Iterable[object]) -> tuple[str, int] | None:
    """Return id and revision of the workflow that a decision made, as events tell it, or None."""
    for body in bodies:
        if isinstance(body, WorkflowChanged) and body.decision_id == decision_id:
            return body.workflow_id, body.revision
    return None
