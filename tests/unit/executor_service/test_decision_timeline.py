"""A turn's timeline shows each decision of a step, with its verdict."""

from __future__ import annotations

from executor_service.decision_timeline import decision_spans
from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.decisions import Correction, DecisionType, FindingCode, RuleFinding
from heartrule.domain.events import EventBody
from heartrule.domain.timeline import TimelineKind, TimelineSpan
from tests.support.wire_samples import BODIES, event_of

MADE = DecisionMade(
    decision_id="dec_1", correlation_id="cor", decision_type=DecisionType.CREATE_NODE
)
VALID = DecisionValidated(
    decision_id="dec_1",
    correlation_id="cor",
    decision_type=DecisionType.CREATE_NODE,
    corrections=(Correction(path="x", before=1, after=0),),
)
ERROR = RuleFinding(code=FindingCode.MISSING_FIELD, path="x", message="x is missing")
REJECTED = DecisionRejected(decision_id="dec_1", correlation_id="cor", errors=(ERROR, ERROR))


def spans(*bodies: EventBody) -> list[TimelineSpan]:
    """Return the spans of a step with these events."""
    return list(decision_spans(map(event_of, bodies), "attempt-1/step-1"))


def test_a_decision_is_one_span_within_its_step() -> None:
    """Made and judged at one moment, with what it made."""
    changed = WorkflowChanged(workflow_id="wf_1", revision=1, decision_id="dec_1")
    (span,) = spans(MADE, VALID, changed)
    assert (span.kind, span.name) == (TimelineKind.DECISION, "create_node")
    assert span.parent_span_id == "attempt-1/step-1"
    assert span.facts == {"verdict": "valid", "author": "agent", "corrections": "1"}
    assert [(each.relation, each.workflow_id) for each in span.links] == [
        ("recorded_as", ""),
        ("made", "wf_1"),
    ]


def test_a_rejection_names_its_codes_once() -> None:
    """One that was made in an earlier step is judged in this one."""
    (span,) = spans(REJECTED)
    assert (span.name, span.facts) == (
        "unknown",
        {"verdict": "rejected", "codes": "missing_field"},
    )


def test_one_that_waits_has_no_verdict() -> None:
    """Its turn comes in a later step."""
    assert [each.facts["verdict"] for each in spans(MADE)] == ["none"]


def test_other_events_have_no_span_here() -> None:
    """Messages and the like have their own."""
    others = [each for each in BODIES if "Decision" not in type(each).__name__]
    assert spans(*others) == []
