"""A sample of each event of decisions, and of the runs they lead to."""

from __future__ import annotations

from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.decisions import (
    Correction,
    DecisionAuthor,
    DecisionType,
    FindingCode,
    RuleFinding,
)
from heartrule.domain.workflows import WorkflowStatus
from tests.support.run_samples import OF_RUNS
from tests.support.thread_samples import OF_THREADS

DECIDED = (
    DecisionMade(
        decision_id="dec_1",
        correlation_id="cor_1",
        written_type="跳舞",
        payload={"action_type": "respond", "options": ["甲", None, 3]},
        confidence=0.5,
        author=DecisionAuthor.AGENT,
        causation_id="msg_1",
        action_instance_id="act_2",
    ),
    DecisionValidated(
        decision_id="dec_1",
        correlation_id="cor_1",
        decision_type=DecisionType.MODIFY_NODE,
        payload={"updates": {"config.timeout": 300}},
        corrections=(Correction(path="updates.config.timeout", before=900, after=300),),
    ),
    DecisionRejected(
        decision_id="dec_2",
        correlation_id="cor_1",
        decision_type=DecisionType.RESPOND,
        errors=(
            RuleFinding(
                code=FindingCode.MISSING_FIELD,
                path="response_text",
                message="response_text is missing; say what the client reads",
                rule="3.1.1 required fields",
                correction=Correction(path="extra", before=1, is_removed=True),
            ),
        ),
    ),
    WorkflowChanged(
        workflow_id="wf_1",
        revision=2,
        name="销售",
        status=WorkflowStatus.READY,
        decision_id="dec_1",
    ),
    *OF_RUNS,
    *OF_THREADS,
)
"""One body of each kind."""
