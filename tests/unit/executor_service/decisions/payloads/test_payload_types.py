from __future__ import annotations

import math
from typing import get_args

import pytest

from executor_service.decisions.payloads.payload_types import PAYLOADS, parse_payload
from executor_service.decisions.payloads.running import (
    ExecuteWorkflowPayload,
    SpawnSubagentPayload,
)
from heartrule.domain.decisions import DecisionType, FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from tests.support.decision_examples import changed, decision_type, example, examples


def found(
    payload: JsonValue, kind: DecisionType, confidence: float | None = None
) -> tuple[RuleFinding, ...]:
    """Return what is wrong with a payload."""
    parsed = parse_payload(kind, payload, confidence=confidence)
    assert isinstance(parsed, tuple)
    return parsed


def told(name: str, path: str, value: object) -> list[tuple[str, str]]:
    """Return codes and paths of an example with another value at a path."""
    return [(each.code, each.path) for each in found(changed(name, path, value), kind_of(name))]


def kind_of(name: str) -> DecisionType:
    return decision_type(example(name))


@pytest.mark.parametrize("name", examples())
def test_an_example_is_valid_as_printed(name: str) -> None:
    """Each payload of document 002 is read by the model of its type."""
    payload = example(name)
    assert type(parse_payload(decision_type(payload), payload)) is PAYLOADS[decision_type(payload)]


def test_every_type_has_an_example_and_a_model() -> None:
    """No type is forgotten in one of the two."""
    assert {kind_of(name) for name in examples()} == set(DecisionType) == set(PAYLOADS)
    for kind, model in PAYLOADS.items():
        assert get_args(model.model_fields["action_type"].annotation) == (kind.value,)


def test_what_is_not_given_has_its_default() -> None:
    """A run is asynchronous and told, a sub-agent has priority 5."""
    run = parse_payload(
        DecisionType.EXECUTE_WORKFLOW, {"action_type": "execute_workflow", "workflow_id": "w"}
    )
    spawned = parse_payload(
        DecisionType.SPAWN_SUBAGENT,
        {"action_type": "spawn_subagent", "subagent_type": "s", "task_payload": {"q": 1}},
    )
    assert isinstance(run, ExecuteWorkflowPayload)
    assert (run.execution_mode, run.notify_on_completion) == ("async", True)
    assert isinstance(spawned, SpawnSubagentPayload)
    assert spawned.priority == 5


@pytest.mark.parametrize("wrong", ["respond", "RESPOND", "", None, 3])
def test_another_action_type_is_a_mismatch(wrong: object) -> None:
    """A payload says the type of its decision, and nothing else."""
    assert told("002-06-continue", "action_type", wrong) == [("type_mismatch", "action_type")]


def test_a_missing_action_type_is_that_of_the_decision() -> None:
    """It is put in as a correction (RESOLUTIONS D1)."""
    (finding,) = found(changed("002-06-continue", "action_type", ...), DecisionType.CONTINUE)
    assert finding.correction
    assert (finding.code, finding.correction.after) == ("missing_field", "continue")


@pytest.mark.parametrize(
    ("given", "after"), [(0.4, 0.4), (None, None), (7, None), (math.nan, None)]
)
def test_a_missing_confidence_is_that_of_the_decision(
    given: float | None, after: float | None
) -> None:
    """If the decision has one that is legal; else the payload is refused (RESOLUTIONS D1)."""
    payload = changed("002-01-respond", "confidence", ...)
    (finding,) = found(payload, DecisionType.RESPOND, given)
    assert finding.code is FindingCode.MISSING_FIELD
    assert (finding.correction and finding.correction.after) == after


@pytest.mark.parametrize("payload", [None, "text", 3, True, [], [{}]])
def test_what_is_no_object_is_no_payload(payload: JsonValue) -> None:
    """The error is that of the payload as a whole."""
    for kind in DecisionType:
        (finding,) = found(payload, kind)
        assert (finding.code, finding.path) == ("wrong_type", "")


def test_what_an_unknown_intent_is_told() -> None:
    """The sentence names the path and what would be right; intents are lower case (D5)."""
    (finding,) = found(changed("002-01-respond", "intent", "GREETING"), DecisionType.RESPOND)
    assert finding.message == "intent must be 'greeting' or 'simple_query'."
    assert finding.code is FindingCode.BAD_ENUM


def test_a_recovery_needs_what_its_action_needs() -> None:
    """RETRY needs max_attempts, MODIFY needs modifications (scenario 8); the others nothing."""
    path = "recovery_plan"
    name = "002-08-error-recovery"
    missing = "missing_conditional"
    assert told(name, path, {"action": "RETRY"}) == [(missing, f"{path}.max_attempts")]
    assert told(name, path, {"action": "MODIFY"}) == [(missing, f"{path}.modifications")]
    assert told(name, path, {"action": "MODIFY", "modifications": {}}) == [
        ("empty_value", f"{path}.modifications")
    ]
    for action in ("SKIP", "ABORT"):
        payload = changed(name, path, {"action": action})
        assert not isinstance(parse_payload(DecisionType.ERROR_RECOVERY, payload), tuple)


@pytest.mark.parametrize(
    "context",
    [
        {"failed_attempts": 1},
        {"error": "timeout"},
        {"failed_node_id": "n"},
        {"node_outputs": {"n": {"status": "failed"}}},
        {"node_outputs": {"n": {"error": "timeout"}}},
    ],
)
def test_what_tells_of_a_failure(context: object) -> None:
    """A field of its own or a failed output is enough (scenario 9)."""
    payload = changed("002-09-replan-workflow", "execution_context", context)
    assert not isinstance(parse_payload(DecisionType.REPLAN_WORKFLOW, payload), tuple)


@pytest.mark.parametrize(
    "context", [{"executed_nodes": ["n"]}, {"failed_attempts": 0, "node_outputs": {"n": {"x": 1}}}]
)
def test_a_new_plan_needs_a_failure(context: object) -> None:
    """A context that says nothing of one lacks it (scenario 9)."""
    path = "execution_context"
    assert told("002-09-replan-workflow", path, context) == [("missing_field", path)]


def test_options_are_given_or_absent() -> None:
    """A list without any is empty, and each is a text (scenario 5)."""
    name = "002-05-request-clarification"
    assert told(name, "options", []) == [("empty_value", "options")]
    assert told(name, "options", ["a", " "]) == [("empty_value", "options.1")]
    assert not isinstance(parse_payload(kind_of(name), changed(name, "options", None)), tuple)


def test_required_fields_are_names() -> None:
    """A name has letters, digits and underscores (scenario 5)."""
    name = "002-05-request-clarification"
    wrong = ["data_source", "时间范围", "a b", "1st", "a.b", ""]
    assert told(name, "required_fields", wrong) == [
        ("wrong_type", f"required_fields.{index}") for index in (2, 3, 4, 5)
    ]
