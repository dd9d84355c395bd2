"""The gate: the order of its stages, corrections, and what it never lets through (section 3)."""

from __future__ import annotations

from typing import Any

import pytest

from executor_service.decisions.coordinator import judge
from executor_service.decisions.decision_case import (
    DecisionCase,
    DecisionRule,
    Findings,
    RuleStage,
)
from executor_service.decisions.effects import EXECUTORS, OF_RUNS
from executor_service.decisions.rules.table import RULES
from heartrule.domain.decisions import Correction, DecisionType, FindingCode
from tests.support.decision_examples import changed, example, examples, part_at
from tests.support.gate_ground import GROUND, a_decision, a_new_node, judged, printed, refused


@pytest.mark.parametrize("name", examples())
def test_a_decision_of_document_002_is_valid_as_printed(name: str) -> None:
    """In a session that holds what it names, and without a correction but for generated ids."""
    verdict = judged(printed(name))
    assert (verdict.is_valid, verdict.errors) == (True, ())
    assert {each.path.rpartition(".")[2] for each in verdict.corrections} <= {"node_id"}


@pytest.mark.parametrize("decision_type", ["", "RESPOND", "delete_everything"])
def test_an_unknown_type_is_rejected(decision_type: str) -> None:
    """Types are written in lower case, and there are ten (D20)."""
    payload = {"action_type": decision_type}
    (error,) = judge(a_decision(payload, decision_type or "none"), GROUND).errors
    assert (error.code, error.path) == (FindingCode.UNKNOWN_DECISION_TYPE, "")


@pytest.mark.parametrize("payload", [None, [], "respond", 3, True])
def test_a_payload_that_is_no_object_is_rejected(payload: Any) -> None:
    """Nothing can be put into it."""
    (error,) = judge(a_decision(payload, "respond"), GROUND).errors
    assert (error.code, error.path) == (FindingCode.WRONG_TYPE, "")


def test_another_action_type_is_told_before_anything_else() -> None:
    """The schema it was written for is not known (section 3.1.1)."""
    payload = {"action_type": "continue", "response": ""}
    (error,) = judge(a_decision(payload, "respond"), GROUND).errors
    assert (error.code, error.path) == (FindingCode.TYPE_MISMATCH, "action_type")


def test_a_missing_action_type_a_confidence_and_a_method_are_added() -> None:
    """The three defaults of D1; the confidence is that of the decision."""
    reply = {"response": "hello", "intent": "greeting"}
    verdict = judge(a_decision(reply, "respond", confidence=0.8), GROUND)
    assert verdict.payload == {**reply, "action_type": "respond", "confidence": 0.8}
    call = judged(a_new_node("HTTP", url="https://api.weather.com"))
    assert call.corrections == (Correction(path="config.method", after="GET"),)


def test_a_method_is_added_to_a_node_of_a_plan() -> None:
    """Wherever the node stands."""
    verdict = judged(changed("002-03-create-workflow-plan", "nodes.3.config.method", ...))
    assert verdict.corrections == (Correction(path="nodes.3.config.method", after="GET"),)


@pytest.mark.parametrize(
    ("name", "path", "value", "after"),
    [
        ("002-01-respond", "confidence", 1.5, 1),
        ("002-06-continue", "progress", -0.1, 0),
        ("002-10-spawn-subagent", "priority", 11, 10),
        ("002-02-create-node-http", "config.timeout", 301, 300),
        ("002-07-modify-node", "updates.config.temperature", 2.5, 2),
        ("002-08-error-recovery", "recovery_plan.delay", 61, 60),
        ("002-08-error-recovery", "recovery_plan.modifications.config.timeout", 400, 300),
    ],
)
def test_a_closed_bound_is_kept_by_a_correction(
    name: str, path: str, value: object, after: object
) -> None:
    """The nearest value that is allowed takes its place (D2, D4)."""
    payload = example(name)
    for dotted in ("updates", "recovery_plan.modifications"):
        if path.startswith(f"{dotted}."):
            part_at(payload, dotted)[path.removeprefix(f"{dotted}.")] = value
            break
    else:
        payload = changed(name, path, value)
    verdict = judged(payload)
    assert verdict.corrections == (Correction(path=path, before=value, after=after),)  # type: ignore[arg-type]
    assert part_at(verdict.payload, path) == after


@pytest.mark.parametrize("value", [0, -1, float("nan"), "10", True])
def test_an_open_bound_and_a_wrong_type_are_not_corrected(value: object) -> None:
    """Nobody knows what was meant (D2)."""
    verdict = judged(changed("002-10-spawn-subagent", "timeout", value))
    assert [each.path for each in verdict.errors] == ["timeout"]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("002-01-respond", "mood"),
        ("002-02-create-node-http", "config.colour"),
        ("002-03-create-workflow-plan", "nodes.0.colour"),
        ("002-04-execute-workflow", "input_params.colour"),
        ("002-10-spawn-subagent", "task_payload.colour"),
    ],
)
def test_a_field_that_is_not_known_is_taken_out(name: str, path: str) -> None:
    """At the top level, in objects with a schema, and of inputs nobody declared (D3)."""
    verdict = judged(changed(name, path, 1))
    assert verdict.corrections == (Correction(path=path, before=1, is_removed=True),)
    assert verdict.payload == example(name)


@pytest.mark.parametrize("path", ["config.params.colour", "config.headers"])
def test_nothing_is_taken_out_of_a_free_form_map(path: str) -> None:
    """Its keys are those of whoever reads it (D3)."""
    payload = changed("002-02-create-node-http", path, {"x": 1})
    assert judged(payload).payload == payload


def test_danger_rejects_whatever_else_could_be_corrected() -> None:
    """It is told alone, and before what the schema misses (D4)."""
    payload = a_new_node("PYTHON", code="import os", timeout=900, colour="red")
    del payload["node_name"]
    assert refused(payload) == [(FindingCode.FORBIDDEN_OPERATION, "config.code")]


def test_all_errors_of_a_stage_come_together_missing_fields_first() -> None:
    """Whoever mends the payload mends it once."""
    payload = {"action_type": "respond", "response": " ", "intent": "sell"}
    assert refused(payload) == [
        (FindingCode.MISSING_FIELD, "confidence"),
        (FindingCode.EMPTY_VALUE, "response"),
        (FindingCode.BAD_ENUM, "intent"),
    ]


def test_a_rejected_payload_stays_as_it_was_proposed() -> None:
    """No correction of it counts."""
    payload = a_new_node("LLM", prompt="", temperature=9)
    verdict = judged(payload)
    assert (verdict.is_valid, verdict.payload, verdict.corrections) == (False, payload, ())


@pytest.mark.parametrize("count", [200, 201])
def test_what_needs_very_many_corrections_is_too_large(count: int) -> None:
    """A payload of a mebibyte of unknown fields costs no time of others."""
    payload = example("002-04-execute-workflow")
    payload["input_params"] |= {f"k{n}": n for n in range(count)}
    found = [] if count == 200 else [(FindingCode.TOO_LARGE, "")]
    assert refused(payload) == found


def test_what_is_wrong_takes_a_bounded_text_to_say() -> None:
    """A verdict stands in events, which every watcher of the session is sent."""
    payload = changed("002-02-create-node-http", "config.params", {})
    inner = payload["config"]["params"]
    for _ in range(20):
        inner["键" * 200] = inner = {}
    inner["x"] = [f"${{A{number}}}" for number in range(20)]
    assert refused(payload) == [(FindingCode.TOO_LARGE, "")]


def raising(case: DecisionCase) -> Findings:
    raise RuntimeError(f"secret of {case.payload}")


@pytest.mark.parametrize("stage", RuleStage)
def test_a_rule_that_raises_rejects(stage: RuleStage) -> None:
    """A gate that broke is closed, and tells nothing of what it read (D21)."""
    broken = DecisionRule("of a test", stage, raising)
    kind = DecisionType.RESPOND
    rules = {**RULES, kind: (*RULES[kind], broken)}
    (error,) = judge(a_decision(example("002-01-respond")), GROUND, rules=rules).errors
    assert (error.code, error.rule) == (FindingCode.VALIDATOR_ERROR, "of a test")
    assert "secret" not in error.message


def test_every_type_has_what_executes_it() -> None:
    """What decides about runs reads what is stored; the others need no more than the ground."""
    assert EXECUTORS.keys() | OF_RUNS == set(DecisionType)


def test_every_rule_names_its_section() -> None:
    """A reader of a verdict finds the text that it rests on."""
    names = {rule.name for rules in RULES.values() for rule in rules}
    assert all(name[0] in "23" for name in names)
    assert set(RULES) == set(DecisionType)
