"""References of a node, filled in when it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.node_values import NodeValues, run_inputs
from executor_service.workflows.resolving import (
    call_key,
    filled,
    output_values,
    own_values,
    resolved_config,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode
from heartrule.domain.workflows import Node, NodeType, Workflow, WorkflowInput
from tests.support.workflow_builders import a_node

VALUES = NodeValues(
    outputs={"a": {"rows": [{"name": "Ann"}, {"name": "Bo"}], "n": 3, "none": None}, "whole": "x"},
    left_out=frozenset({"gone"}),
    inputs={"word": "hello", "NAME": "of the run"},
)
SECRETS = {"KEY": "s3cret", "NAME": "of the secrets"}


def config_of(
    node: Node, values: NodeValues = VALUES, secrets: Mapping[str, str] | None = None
) -> Mapping[str, JsonValue]:
    return resolved_config(node, own_values(node, values, secrets))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${a.output.rows.1.name}", "Bo"),
        ("${a.output.rows}", [{"name": "Ann"}, {"name": "Bo"}]),
        ("${a.output.n}", 3),
        ("${a.output.none}", None),
        ("${whole.output}", "x"),
        ("${gone.output.anything.0}", None),
        ("${input.word}", "hello"),
        ("${word}", "hello"),
        ("${a.output.n} of ${word}: ${a.output.rows.0}", '3 of hello: {"name":"Ann"}'),
        ("${a.output.none}!", "null!"),
        ({"deep": ["${a.output.n}", "plain", 1.5]}, {"deep": [3, "plain", 1.5]}),
    ],
)
def test_a_reference_becomes_its_value(text: JsonValue, value: JsonValue) -> None:
    """As the whole text it keeps the type; within a text all but texts is compact JSON."""
    assert filled(text, VALUES, "config") == value


@pytest.mark.parametrize(
    "text", ["${b.output}", "${a.output.rows.2}", "${a.output.rows.x}", "${input.no}", "${NOBODY}"]
)
def test_a_missing_value_is_told_with_its_place(text: str) -> None:
    """It is not tried again: nothing would change."""
    with pytest.raises(NodeFailed) as unresolved:
        filled({"body": [f"so: {text}"]}, VALUES, "config")
    failure = unresolved.value.failure
    assert (failure.code, failure.is_retryable) == (RunErrorCode.MISSING_VALUE, False)
    assert failure.message == f"config.body.0: {text} has no value"


def test_a_name_is_an_input_of_the_node_then_of_the_run_then_a_secret() -> None:
    """In this order (D8)."""
    node = a_node("x", NodeType.HTTP, body="${NAME}")
    assert config_of(node, secrets=SECRETS)["body"] == "of the run"
    assert config_of(replace(node, input_mapping={"NAME": "own"}))["body"] == "own"
    bare = replace(VALUES, inputs={})
    assert config_of(node, bare, SECRETS)["body"] == "of the secrets"


@pytest.mark.parametrize("kind", [NodeType.LLM, NodeType.PYTHON])
def test_only_http_and_database_are_given_secrets(kind: NodeType) -> None:
    """Others do not find them, in their inputs neither."""
    node = a_node("x", kind, inputs={"key": "${KEY}"})
    with pytest.raises(NodeFailed):
        own_values(node, VALUES, SECRETS)


def test_a_declared_input_has_its_default() -> None:
    """Or null, where there is none."""
    taken = {"a": WorkflowInput(default=3), "b": WorkflowInput(is_required=False)}
    workflow = Workflow(workflow_id="w", inputs=taken)
    assert run_inputs(workflow, {"c": 1}) == {"a": 3, "b": None, "c": 1}


def test_code_is_left_as_it_is() -> None:
    """Whatever it looks like: values reach it as inputs."""
    inputs: dict[str, JsonValue] = {"rows": "${a.output.rows}"}
    node = a_node("x", NodeType.PYTHON, code="return '${word}'", inputs=inputs)
    values = own_values(node, VALUES)
    assert resolved_config(node, values)["code"] == "return '${word}'"
    assert values.own == {"rows": [{"name": "Ann"}, {"name": "Bo"}]}


def test_a_query_binds_its_values() -> None:
    """They are never text of it, whatever they hold; one that stands twice is bound once."""
    query = "SELECT * FROM t WHERE a = ${word} AND b = ${a.output.n} OR c = ${word}"
    config = config_of(
        a_node("x", NodeType.DATABASE, query=query), replace(VALUES, inputs={"word": "' OR 1=1"})
    )
    assert config["query"] == "SELECT * FROM t WHERE a =  $1  AND b =  $2  OR c =  $1 "
    assert config["params"] == {"1": "' OR 1=1", "2": 3}


@pytest.mark.parametrize("value", ["../admin", "a/b?c#d", "@evil.example", "é x", 3])
def test_a_value_is_one_piece_of_an_address(value: JsonValue) -> None:
    """It adds no slash, no query, and no host."""
    node = a_node("x", NodeType.HTTP, url="https://api.example.com/v1/${word}/x?q=${word}")
    url = str(config_of(node, replace(VALUES, inputs={"word": value}))["url"])
    assert url.startswith("https://api.example.com/v1/")
    assert (url.count("/"), url.count("?"), url.count("#")) == (5, 1, 0)


@pytest.mark.parametrize("value", [".", ".."])
def test_a_value_leads_to_no_other_place_of_the_host(value: str) -> None:
    """A part of the path that is only dots is refused."""
    node = a_node("x", NodeType.HTTP, url="https://api.example.com/v1/${word}/x")
    with pytest.raises(NodeFailed) as unresolved:
        config_of(node, replace(VALUES, inputs={"word": value}))
    assert unresolved.value.failure.code is RunErrorCode.REFUSED


def test_a_condition_is_given_its_values_by_reference() -> None:
    """Those that are absent are left out, and null to it."""
    node = a_node("x", NodeType.CONDITION, expression="${a.output.n} > 2 && ${b.output} == null")
    assert config_of(node)["values"] == {"a.output.n": 3}


def test_an_output_mapping_adds_names() -> None:
    """Over those the node gave; an output that is no object gives way."""
    node = a_node("x", outputs={"first": "${x.output.rows.0}", "n": "${a.output.n}"})
    given = output_values(node, {"rows": [7], "n": 1}, VALUES)
    assert given == {"rows": [7], "n": 3, "first": 7}
    plain = a_node("x", outputs={"text": "${x.output}"})
    assert output_values(plain, "hi", VALUES) == {"text": "hi"}
    assert output_values(a_node("x"), [1], VALUES) == [1]


def test_an_output_mapping_finds_what_is_there() -> None:
    """A field that the node did not give fails it."""
    node = a_node("x", outputs={"first": "${x.output.rows.0}"})
    with pytest.raises(NodeFailed):
        output_values(node, {"rows": []}, VALUES)


def test_calls_of_the_same_thing_bear_one_key() -> None:
    """Another run, node, configuration or input has another; a secret's value is no part of it."""
    node = a_node("x", NodeType.HTTP, body="${word}", headers={"Key": "${KEY}"})

    def key(run: str = "r", path: str = "x", secret: str = "s", **changes: JsonValue) -> str:
        made = replace(node, config={**node.config, **changes})
        return call_key(run, path, made, own_values(made, VALUES, {"KEY": secret}))

    assert key() == key(secret="rotated")
    assert len({key(), key("r2"), key(path="l/0/x"), key(timeout=9), key(body="other")}) == 5
