from __future__ import annotations

import json
import math

import pytest
from pydantic import ValidationError

from executor_service.workflows.configs import config_model
from executor_service.workflows.plan_models import PlanModel
from executor_service.workflows.schema_findings import (
    LONGEST_SHOWN,
    MOST_ERRORS,
    findings_of,
)
from executor_service.workflows.strict_model import MOST_FAULTS, MOST_ITEMS, MOST_KEYS, StrictModel
from heartrule.domain.decisions import Correction, FindingCode, RuleFinding
from heartrule.domain.workflows import MOST_NODES, NodeType


def refused(model: type[StrictModel], document: object) -> tuple[RuleFinding, ...]:
    """Return the findings of a document; none where it is valid."""
    try:
        model.model_validate(document)
    except ValidationError as error:
        return findings_of(error, "2 a rule")
    return ()


def of_llm(**fields: object) -> tuple[RuleFinding, ...]:
    return refused(config_model(NodeType.LLM), {"prompt": "p", **fields})


@pytest.mark.parametrize(
    ("value", "after"), [(2.5, 2), (-1, 0), (10**20, 2), (1e300, 2), (2.0001, 2)]
)
def test_a_closed_bound_is_clamped(value: float, after: float) -> None:
    """What is beyond it becomes the bound (RESOLUTIONS D2)."""
    assert of_llm(temperature=value) == (
        RuleFinding(
            code=FindingCode.OUT_OF_RANGE,
            path="temperature",
            message=f"temperature must be at {'least' if after == 0 else 'most'} {after}.",
            rule="2 a rule",
            correction=Correction(path="temperature", before=value, after=after),
        ),
    )


@pytest.mark.parametrize("value", [0, -1, 0.0, -0.0, math.nan, math.inf, -math.inf])
def test_an_open_bound_is_not_corrected(value: float) -> None:
    """Nor is what is no finite number (RESOLUTIONS D2)."""
    (finding,) = of_llm(timeout=value)
    assert (finding.code, finding.correction) == (FindingCode.OUT_OF_RANGE, None)


def test_an_id_and_a_name_have_a_length() -> None:
    """Neither bears a correction: what refers to it would be lost."""
    node = {"node_id": "n" * 201, "type": "START", "name": "a", "config": {}}
    inputs: dict[str, object] = {"n" * 64: {}, "n" * 65: {}}
    plan = {"name": "n", "description": "d", "nodes": [node], "edges": [], "inputs": inputs}
    assert [(each.code, each.path, each.correction) for each in refused(PlanModel, plan)] == [
        (FindingCode.TOO_LARGE, "nodes.0.node_id", None),
        (FindingCode.TOO_LARGE, f"inputs.{'n' * 65}", None),
    ]


@pytest.mark.parametrize("value", [True, False, "0.9", None, [1], {"x": 1}])
def test_a_number_is_a_number(value: object) -> None:
    """No text, and neither true nor false, is read as one (RESOLUTIONS D2)."""
    whole = {"items": [1], "body": [], "max_iterations": value}
    (_, finding) = refused(config_model(NodeType.LOOP), whole)
    assert (finding.code, finding.path) == (FindingCode.WRONG_TYPE, "max_iterations")
    assert finding.correction is None


def test_a_whole_number_may_be_written_with_a_point() -> None:
    """3.0 is the integer 3, and 2.5 is none."""
    assert of_llm(max_tokens=3.0) == ()
    (finding,) = of_llm(max_tokens=2.5)
    assert finding.message == "max_tokens must be a whole number, not a number."


def test_an_unknown_field_is_taken_out() -> None:
    """It never stands in the way (RESOLUTIONS D3); in a free-form map nothing is unknown."""
    (finding,) = of_llm(top_k={"deep": [1]})
    assert finding.correction == Correction(path="top_k", before={"deep": [1]}, is_removed=True)
    call = {"url": "u", "method": "GET", "params": {"any": {"x": 1}}, "headers": {"X": 1}}
    assert refused(config_model(NodeType.HTTP), call) == ()


def test_missing_fields_come_first() -> None:
    """Section 7 reads the first error; whatever is missing is read before what is wrong."""
    found = refused(PlanModel, {"name": 3, "nodes": [{"node_id": "a", "type": "X"}]})
    assert [each.code for each in found] == ["missing_field"] * 4 + ["wrong_type", "bad_enum"]


def test_an_item_that_cannot_be_read_does_not_make_its_list_empty() -> None:
    """A list is empty when it has no items."""
    found = refused(PlanModel, {"name": "n", "description": "d", "edges": [], "nodes": [1]})
    assert [(each.code, each.path) for each in found] == [("wrong_type", "nodes.0")]


@pytest.mark.parametrize(
    ("document", "code", "path"),
    [
        ({"nodes": [1] * (MOST_NODES + 1)}, FindingCode.TOO_MANY_NODES, "nodes"),
        ({"edges": [1] * (MOST_ITEMS + 1)}, FindingCode.TOO_LARGE, "edges"),
        ({str(n): 1 for n in range(MOST_KEYS + 1)}, FindingCode.TOO_LARGE, ""),
    ],
)
def test_what_is_too_much_is_not_read_item_by_item(
    document: object, code: FindingCode, path: str
) -> None:
    """A document that is wrong a million times is refused once, and never corrected (D4)."""
    found = [each for each in refused(PlanModel, document) if each.code is code]
    assert [(each.path, each.correction) for each in found] == [(path, None)]


def test_not_every_error_is_told() -> None:
    """An agent that reads a hundred errors has read enough; what is corrected is all there."""
    edges = [{"source": "a", "target": 1, "x": 1} for _ in range(MOST_ERRORS + 1)]
    found = refused(PlanModel, {"name": "n", "description": "d", "nodes": [], "edges": edges})
    assert sum(each.correction is None for each in found) == MOST_ERRORS
    assert sum(each.correction is not None for each in found) == MOST_ERRORS + 1


@pytest.mark.parametrize("more", [0, 1])
def test_a_document_of_faults_alone_is_refused_as_a_whole(more: int) -> None:
    """What would be corrected a hundred thousand times costs no more than a thousand."""
    edges = [{"source": "a", "target": "b", "x": 1}] * (MOST_FAULTS + more - 1)
    document = {"name": "n", "description": "d", "nodes": [], "edges": edges}
    found = refused(PlanModel, document)
    assert len(found) == (1 if more else MOST_FAULTS)
    assert (found[0].code, found[0].path) == (
        (FindingCode.TOO_LARGE, "") if more else (FindingCode.EMPTY_VALUE, "nodes")
    )
    assert found[0].correction is None


def test_a_sentence_is_never_long() -> None:
    """A key of a million characters is not said again; its correction names it."""
    key = "k" * 1_000_000
    (finding,) = of_llm(**{key: 1})
    assert len(finding.message) < LONGEST_SHOWN + 100
    assert finding.correction
    assert finding.correction.path == key


@pytest.mark.parametrize("key", ["[key]", "HTTP", "{le}", "0", "", "a.b"])
def test_a_path_is_the_payloads_own(key: str) -> None:
    """Keys that look like marks of the library or of a template are keys."""
    (finding,) = of_llm(**{key: 1})
    assert finding.path == key


def test_broken_characters_are_no_text() -> None:
    """Half of a surrogate pair cannot be written anywhere."""
    (finding,) = of_llm(prompt=json.loads('"\\ud800"'))
    assert (finding.code, finding.path) == (FindingCode.WRONG_TYPE, "prompt")
