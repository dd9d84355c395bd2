"""What a rehearsal sees of an agent's decisions."""

from __future__ import annotations

from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.decisions import Correction, DecisionType, FindingCode, RuleFinding
from heartrule.domain.workflows import WorkflowStatus
from heartrule_cli.rehearsal.decisions_seen import seen_of_decisions
from tests.support.event_builders import durable

RESPOND = DecisionType.RESPOND


def test_each_verdict_is_one_row() -> None:
    """In the order of the verdicts, with what was corrected or objected to."""
    error = RuleFinding(code=FindingCode.EMPTY_VALUE, path="response", message="empty")
    seen = seen_of_decisions(
        [
            durable(1, DecisionMade(decision_id="a", correlation_id="c", decision_type=RESPOND)),
            durable(2, DecisionMade(decision_id="b", correlation_id="c", decision_type=RESPOND)),
            durable(
                3,
                DecisionValidated(
                    decision_id="b",
                    correlation_id="c",
                    decision_type=RESPOND,
                    corrections=(Correction(path="confidence", after=1),),
                ),
            ),
            durable(4, DecisionRejected(decision_id="a", correlation_id="c", errors=(error,))),
        ]
    )
    assert seen["decisions"] == [
        {"type": RESPOND, "valid": True, "corrected": ["confidence"]},
        {"type": "", "valid": False, "codes": ["empty_value"], "paths": ["response"]},
    ]


def test_a_type_nobody_knows_is_seen_as_it_was_written() -> None:
    """Its rejection names no type of ours."""
    made = DecisionMade(decision_id="a", correlation_id="c", written_type="dance")
    rejected = DecisionRejected(decision_id="a", correlation_id="c")
    seen = seen_of_decisions([durable(1, made), durable(2, rejected)])
    assert seen["decisions"] == [{"type": "dance", "valid": False, "codes": [], "paths": []}]


def test_a_workflow_that_changed_is_seen() -> None:
    """Each revision, with its state."""
    changed = WorkflowChanged(
        workflow_id="w", revision=2, name="周报", status=WorkflowStatus.READY, decision_id="a"
    )
    seen = seen_of_decisions([durable(1, changed)])
    assert seen["workflows"] == [{"name": "周报", "revision": 2, "status": "ready"}]
