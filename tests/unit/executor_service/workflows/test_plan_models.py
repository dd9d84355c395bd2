from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from executor_service.workflows.plan_models import (
    AddedNodeModel,
    PlanModel,
    workflow_of,
    written_plan,
)
from executor_service.workflows.schema_findings import findings_of
from heartrule.domain.workflows import Edge, Node, NodeType, WorkflowInput, WorkflowStatus

NODE = {"node_id": "a", "type": "LLM", "name": "n", "config": {"prompt": "p"}}


def plan(**fields: object) -> dict[str, Any]:
    return {"name": "n", "description": "d", "nodes": [NODE], "edges": [], **fields}


def told(document: dict[str, Any]) -> list[tuple[str, str]]:
    """Return codes and paths of what is wrong with a plan."""
    try:
        PlanModel.model_validate(document)
    except ValidationError as error:
        return [(each.code, each.path) for each in findings_of(error, "a rule")]
    return []


def test_a_plan_becomes_a_workflow() -> None:
    """What is left out is empty; what is written stays as it is written."""
    document = plan(
        nodes=[
            {**NODE, "retry_config": {"max_retries": 3.0}, "input_mapping": {"x": "${b.output.y}"}}
        ],
        edges=[{"source": "a", "target": "b", "condition": None}],
        inputs={"since": {"type": "string", "required": False, "default": "today"}},
        global_config={"timeout": 300, "env": {"URL": "u"}},
    )
    workflow = workflow_of(PlanModel.model_validate(document), "workflow_1")
    assert (workflow.workflow_id, workflow.revision) == ("workflow_1", 1)
    assert workflow.status is WorkflowStatus.DRAFT
    assert workflow.nodes == (
        Node(
            node_id="a",
            type=NodeType.LLM,
            name="n",
            config={"prompt": "p"},
            input_mapping={"x": "${b.output.y}"},
            retry_config={"max_retries": 3},
        ),
    )
    assert workflow.edges == (Edge(source="a", target="b"),)
    assert workflow.inputs == {
        "since": WorkflowInput(type="string", is_required=False, default="today")
    }
    assert workflow.global_config == {"timeout": 300, "env": {"URL": "u"}}


def test_an_added_node_may_have_no_id() -> None:
    """It is given one, which a plan's own node must have (RESOLUTIONS D10)."""
    nameless = {key: value for key, value in NODE.items() if key != "node_id"}
    assert AddedNodeModel.model_validate(nameless).node("made").node_id == "made"
    assert told(plan(nodes=[nameless])) == [("missing_field", "nodes.0.node_id")]


@pytest.mark.parametrize("count", [0, 50, 51])
def test_a_plan_has_one_to_fifty_nodes(count: int) -> None:
    """None is an empty list; 51 are too many, and are not cut to 50 (RESOLUTIONS D4, D11)."""
    wrong = {0: [("empty_value", "nodes")], 51: [("too_many_nodes", "nodes")]}
    assert told(plan(nodes=[NODE] * count)) == wrong.get(count, [])


@pytest.mark.parametrize("name", ["a b", "a.b", "", "1", "${x}"])
def test_an_input_has_a_name(name: str) -> None:
    """So that `${input.name}` can be written."""
    assert told(plan(inputs={name: {}, "好": {}})) == [("wrong_type", f"inputs.{name}")]


@pytest.mark.parametrize(
    ("kind", "fitting", "other"),
    [
        ("string", ["x", ""], [1, True, []]),
        ("number", [1, 1.5], ["1", True]),
        ("integer", [1, 2.0], [1.5, False]),
        ("boolean", [True], [1, "true"]),
        ("array", [[]], [{}, "x"]),
        ("object", [{}], [[], "x"]),
    ],
)
def test_a_default_is_of_its_type(kind: str, fitting: list[object], other: list[object]) -> None:
    """A plan whose default a run would refuse is refused itself."""
    for value in fitting:
        assert told(plan(inputs={"x": {"type": kind, "default": value}})) == []
    for value in other:
        found = told(plan(inputs={"x": {"type": kind, "default": value}}))
        assert found == [("wrong_type", "inputs.x.default")]


def test_what_holds_for_the_run_is_limited() -> None:
    """Its time is above 0, and what is beyond an hour is clamped."""
    for illegal in (0, 3_601):
        found = told(plan(global_config={"timeout": illegal}))
        assert found == [("out_of_range", "global_config.timeout")]


def test_a_workflow_is_written_as_the_plan_it_was() -> None:
    """What is empty is left out, and reading it again gives the same workflow."""
    document = plan(
        nodes=[
            {
                **NODE,
                "retry_config": {"max_retries": 3},
                "on_failure": {"action": "RETRY", "max_attempts": 2},
                "input_mapping": {"x": "y"},
            }
        ],
        edges=[{"source": "a", "target": "b", "condition": "true"}],
        inputs={"since": {"type": "string", "required": False, "default": "today"}},
        global_config={"timeout": 300.0, "env": {"URL": "u"}},
    )
    workflow = workflow_of(PlanModel.model_validate(document), "w")
    assert written_plan(workflow) == document
    assert workflow_of(PlanModel.model_validate(written_plan(workflow)), "w") == workflow
