"""Section 5 of document 002: which decisions answer which intent."""

from __future__ import annotations

import pytest

from executor_service.decisions.intents import DECISIONS_BY_INTENT, intent_degradation
from heartrule.domain.decisions import DecisionType, Intent

PRINTED = [
    ("greeting", "respond"),
    ("simple_query", "respond"),
    ("simple_query", "create_node"),
    ("complex_task", "create_node"),
    ("complex_task", "create_workflow_plan"),
    ("complex_task", "spawn_subagent"),
    ("workflow_request", "execute_workflow"),
    ("workflow_request", "create_workflow_plan"),
    ("unknown", "request_clarification"),
]


def test_the_table_is_that_of_section_5() -> None:
    """Nine rows; the conditions are told by the templates."""
    rows = [(intent, each) for intent, found in DECISIONS_BY_INTENT.items() for each in found]
    assert rows == PRINTED


@pytest.mark.parametrize(("intent", "decision_type"), PRINTED)
def test_a_decision_of_the_table_is_no_degradation(intent: str, decision_type: str) -> None:
    """It is what the intent calls for."""
    assert intent_degradation(intent, DecisionType(decision_type)) is None


@pytest.mark.parametrize(
    ("intent", "decision_type"),
    [
        (Intent.GREETING, DecisionType.CREATE_WORKFLOW_PLAN),
        (Intent.UNKNOWN, DecisionType.RESPOND),
        (Intent.COMPLEX_TASK, DecisionType.RESPOND),
    ],
)
def test_a_decision_the_table_does_not_name_is_recorded(
    intent: Intent, decision_type: DecisionType
) -> None:
    """It degrades and rejects nothing (R8)."""
    found = intent_degradation(intent, decision_type)
    assert found is not None
    assert found.metadata == {"intent": intent.value, "decision_type": decision_type.value}


def test_an_intent_nobody_knows_counts_as_unknown() -> None:
    """What a model writes into a free field is not told on."""
    found = intent_degradation("sell_everything", DecisionType.EXECUTE_WORKFLOW)
    assert found is not None
    assert found.metadata["intent"] == "unknown"


@pytest.mark.parametrize("decision_type", [DecisionType.CONTINUE, DecisionType.ERROR_RECOVERY])
def test_what_answers_no_client_goes_with_any_intent(decision_type: DecisionType) -> None:
    """An agent may think before it answers, and a failure has no intent."""
    assert intent_degradation(Intent.GREETING, decision_type) is None
