from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from executor_service.decisions.payloads.published import (
    SchemaOfDecisions,
    decision_schema,
    published_text,
    workflow_schema,
)
from heartrule.domain.decisions import DecisionType, FindingCode
from tests.support.decision_examples import example, examples
from tests.support.payload_grammar import OBJECTS, judge
from tests.support.payload_kinds import not_finite
from tests.support.payload_mutations import generated
from tests.support.source_tree import ROOT

DECISION = Draft202012Validator(decision_schema())
WORKFLOW = Draft202012Validator(workflow_schema())
SEED = 7
COUNT = 60


def is_seen(path: str, code: str, payload: dict[str, Any]) -> bool:
    """Return whether a schema can see this: `decision_schema` says what it cannot."""
    of_failure = code == FindingCode.MISSING_FIELD and path in payload
    of_default = code == FindingCode.WRONG_TYPE and path.endswith(".default")
    return not (code == FindingCode.CONFLICT or of_failure or of_default)


def is_refused(payload: dict[str, Any]) -> bool:
    """Return whether a schema should refuse a payload; corrections are not its business."""
    said = payload.get("action_type")
    if not isinstance(said, str) or said not in OBJECTS:
        return True
    return any(is_seen(path, code, payload) for path, code, _ in judge(said, payload))


@pytest.mark.parametrize("schema", [decision_schema(), workflow_schema()], ids=["d", "w"])
def test_a_schema_is_whole(schema: dict[str, Any]) -> None:
    """It obeys its dialect, and every reference leads to a definition that it has."""
    Draft202012Validator.check_schema(schema)
    assert {name.removeprefix("#/$defs/") for name in references(schema)} == set(schema["$defs"])


def references(part: object) -> Iterator[str]:
    """Yield where the parts of a schema refer to."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        part = list(part.values())
    for each in part if isinstance(part, list) else ():
        yield from references(each)


@pytest.mark.parametrize("kind", DecisionType)
def test_the_schema_reads_as_the_models_do(kind: DecisionType) -> None:
    """Of payloads wrong in up to four places it refuses the same; NaN is no JSON."""
    payloads = [each for each in generated(kind.value, COUNT, SEED) if not not_finite(each)]
    differ = [each for each in payloads if DECISION.is_valid(each) == is_refused(each)]
    assert differ == []


def test_a_plan_is_a_workflow_with_its_type() -> None:
    """The workflow's schema reads what a plan's payload describes."""
    plan = example("002-03-create-workflow-plan")
    assert not WORKFLOW.is_valid(plan)
    del plan["action_type"]
    assert WORKFLOW.is_valid(plan)


def test_the_examples_are_valid() -> None:
    """Those of document 002, as printed."""
    assert [name for name, each in examples().items() if not DECISION.is_valid(each)] == []


@pytest.mark.parametrize("of", SchemaOfDecisions)
def test_the_shipped_schema_is_the_one_made_now(of: SchemaOfDecisions) -> None:
    """`heartrule schema --of … > _system/schemas/….schema.json` writes one anew."""
    shipped = ROOT / "_system" / "schemas" / f"{of.value}.schema.json"
    assert shipped.read_text("utf-8") == published_text(of)
