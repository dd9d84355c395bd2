from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import ValidationError

from executor_service.workflows.configs import BodyNodeModel, config_model
from executor_service.workflows.plan_models import AddedNodeModel
from executor_service.workflows.schema_findings import findings_of
from heartrule.domain.workflows import NodeType

NEEDED: dict[NodeType, dict[str, Any]] = {
    NodeType.LLM: {"prompt": "p"},
    NodeType.HTTP: {"url": "u", "method": "GET"},
    NodeType.PYTHON: {"code": "return {}"},
    NodeType.DATABASE: {"query": "SELECT 1"},
    NodeType.CONDITION: {"expression": "true"},
    NodeType.LOOP: {
        "items": "${a.output.x}",
        "body": [{"node_id": "b", "type": "LLM", "name": "b", "config": {"prompt": "p"}}],
        "max_iterations": 1,
    },
    NodeType.START: {},
    NodeType.END: {},
}
"""The least that each type is configured with (scenario 2; RESOLUTIONS D26)."""


def told(node_type: NodeType, config: dict[str, Any]) -> list[tuple[str, str]]:
    """Return codes and paths of what is wrong with a configuration."""
    try:
        config_model(node_type).model_validate(config)
    except ValidationError as error:
        return [(each.code, each.path) for each in findings_of(error, "a rule")]
    return []


@pytest.mark.parametrize("node_type", NodeType)
def test_each_type_has_what_it_needs(node_type: NodeType) -> None:
    """The least is valid, and without any part of it the configuration is not."""
    least = NEEDED[node_type]
    assert told(node_type, least) == []
    for name in least:
        (finding,) = told(node_type, {key: least[key] for key in least if key != name})
        assert finding in {("missing_field", name), ("missing_conditional", name)}


@pytest.mark.parametrize("node_type", [each for each in NodeType if each not in {"START", "END"}])
def test_a_node_has_a_time(node_type: NodeType) -> None:
    """Above 0 and at most 300 seconds, whatever it does; a boundary does nothing."""
    config = NEEDED[node_type]
    for legal in (0.001, 10, 300, None):
        assert told(node_type, {**config, "timeout": legal}) == []
    for illegal in (0, -1, 300.001):
        assert told(node_type, {**config, "timeout": illegal}) == [("out_of_range", "timeout")]


def test_a_model_is_asked_a_prompt_or_messages() -> None:
    """One of them is enough; null is none."""
    messages = [{"role": "user", "content": "c"}]
    assert told(NodeType.LLM, {"messages": messages}) == []
    assert told(NodeType.LLM, {"messages": messages, "prompt": "p"}) == []
    lacking = [("missing_conditional", "prompt")]
    assert told(NodeType.LLM, {}) == told(NodeType.LLM, {"prompt": None}) == lacking
    assert told(NodeType.LLM, {"messages": []}) == [("empty_value", "messages")]
    assert told(NodeType.LLM, {"messages": [{"role": "tool"}]}) == [
        ("missing_field", "messages.0.content"),
        ("bad_enum", "messages.0.role"),
    ]


@pytest.mark.parametrize("name", ["temperature", "max_tokens"])
def test_bounds_of_a_model_call(name: str) -> None:
    """Temperature is 0 to 2, max_tokens 1 to 10,000."""
    least, most = {"temperature": (0, 2), "max_tokens": (1, 10_000)}[name]
    config = NEEDED[NodeType.LLM]
    assert [told(NodeType.LLM, {**config, name: value}) for value in (least, most)] == [[], []]
    for value in (least - 1, most + 1):
        assert told(NodeType.LLM, {**config, name: value}) == [("out_of_range", name)]


@pytest.mark.parametrize("method", ["get", "HEAD", "TRACE", "GET ", ""])
def test_methods_are_five(method: str) -> None:
    """A spelling of their own is not guessed."""
    assert told(NodeType.HTTP, {"url": "u", "method": method}) == [("bad_enum", "method")]


@pytest.mark.parametrize("items", ["", "  ", []])
def test_a_loop_over_nothing(items: object) -> None:
    """What it runs over is a list with items, or a text that refers to one."""
    assert told(NodeType.LOOP, {**NEEDED[NodeType.LOOP], "items": items}) == [
        ("empty_value", "items")
    ]
    assert told(NodeType.LOOP, {**NEEDED[NodeType.LOOP], "items": {"x": 1}}) == [
        ("wrong_type", "items")
    ]


@pytest.mark.parametrize("value", [0, 101])
def test_a_loop_ends(value: int) -> None:
    """It runs its body 1 to 100 times."""
    assert told(NodeType.LOOP, {**NEEDED[NodeType.LOOP], "max_iterations": value}) == [
        ("out_of_range", "max_iterations")
    ]


@pytest.mark.parametrize("inner", ["LOOP", "START", "END"])
def test_what_a_loop_may_not_hold(inner: str) -> None:
    """No loop in a loop; its configuration is not even read, so that nothing nests."""
    body = [{"node_id": "b", "type": inner, "name": "b", "config": {"body": [{"deep": 1}]}}]
    assert told(NodeType.LOOP, {**NEEDED[NodeType.LOOP], "body": body}) == [
        ("bad_enum", "body.0.type")
    ]


def test_a_body_is_configured_like_other_nodes() -> None:
    """Paths lead through it."""
    body = [{"node_id": "b", "type": "PYTHON", "name": "b", "config": {"codes": "x"}}]
    assert told(NodeType.LOOP, {**NEEDED[NodeType.LOOP], "body": body}) == [
        ("missing_field", "body.0.config.code"),
        ("wrong_type", "body.0.config.codes"),
    ]


def test_types_are_those_of_the_domain() -> None:
    """What models name as texts are the types there are."""
    in_plans = get_args(AddedNodeModel.model_fields["type"].annotation)
    in_loops = get_args(BodyNodeModel.model_fields["type"].annotation)
    assert in_plans == tuple(each.value for each in NodeType)
    assert set(in_plans) - set(in_loops) == {"LOOP", "START", "END"}
