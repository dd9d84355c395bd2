"""Decisions and workflows as lines that a person reads."""

from __future__ import annotations

from dataclasses import replace

import pytest

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
from heartrule.domain.events import Heartbeat
from heartrule.domain.workflows import WorkflowStatus
from heartrule_cli.narration.decision_narration import (
    decision_lines,
    judged_text,
    made_text,
    workflow_text,
)

MADE = DecisionMade(
    decision_id="dec_1",
    correlation_id="cor_1",
    decision_type=DecisionType.RESPOND,
    payload={"action_type": "respond", "response": "你好"},
    author=DecisionAuthor.AGENT,
)
VALID = DecisionValidated(decision_id="dec_1", correlation_id="cor_1")
REJECTED = DecisionRejected(decision_id="dec_1", correlation_id="cor_1")
ERROR = RuleFinding(code=FindingCode.MISSING_FIELD, path="url", message="url is missing")


def test_a_decision_has_type_author_and_payload() -> None:
    """The payload's own word for the type is left out."""
    assert made_text(MADE) == 'respond by agent (dec_1) {"response": "你好"}'


@pytest.mark.parametrize(("written", "told"), [("fly\x1b[2J", "fly[2J"), ("", "no type")])
def test_an_unknown_type_is_told_as_it_was_written(written: str, told: str) -> None:
    """What a model wrote steers no terminal; a payload may be anything."""
    made = replace(MADE, decision_type=None, written_type=written, payload=None)
    assert made_text(made) == f"{told} by agent (dec_1) null"


def test_a_verdict_tells_its_corrections() -> None:
    """What changed and what was taken out."""
    corrections = (
        Correction(path="config.timeout", before=900, after=300),
        Correction(path="colour", before="red", is_removed=True),
    )
    told = judged_text(replace(VALID, corrections=corrections))
    assert told == "valid; config.timeout from 900 to 300; colour taken out"


def test_a_rejection_tells_its_first_errors() -> None:
    """Three of them; a payload may have a thousand."""
    told = judged_text(replace(REJECTED, errors=(ERROR,) * 5))
    assert told == f"rejected: {'; '.join(['missing_field: url is missing'] * 3)}; and 2 more"


def test_a_workflow_has_its_revision() -> None:
    """With the name, where it has one."""
    changed = WorkflowChanged(
        workflow_id="wf_1", revision=2, name="天气", status=WorkflowStatus.READY
    )
    assert workflow_text(changed) == "workflow 天气 (wf_1) revision 2: ready"
    assert workflow_text(replace(changed, name="")) == "workflow (wf_1) revision 2: ready"


def test_the_debug_view_has_a_line_for_each_kind() -> None:
    """Other events have none here."""
    told = [
        line for body in (MADE, VALID, Heartbeat(last_sequence=1)) for line in decision_lines(body)
    ]
    assert told == [
        'decision respond by agent (dec_1) {"response": "你好"}',
        "decision dec_1: valid",
    ]
