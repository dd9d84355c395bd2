"""CREATE_NODE, CREATE_WORKFLOW_PLAN and MODIFY_NODE against what the session holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.decisions.ground import Ground
from executor_service.decisions.policy import DecisionPolicy
from heartrule.domain.decisions import Correction, FindingCode
from heartrule.domain.workflows import NodeType, WorkflowStatus
from tests.support.decision_examples import changed, example
from tests.support.gate_ground import (
    GROUND,
    a_new_node,
    judged,
    refused,
    with_sales,
)
from tests.support.workflow_builders import a_node, a_plan

START = {"node_id": "s", "type": "START", "name": "s", "config": {}}
UNKNOWN, FORBIDDEN = FindingCode.UNKNOWN_REFERENCE, FindingCode.FORBIDDEN_OPERATION


def a_change(**updates: Any) -> dict[str, Any]:
    """Return a payload that changes node_2; `__` stands for a dot."""
    named = {key.replace("__", "."): value for key, value in updates.items()}
    return {"action_type": "modify_node", "node_id": "node_2", "updates": named}


def test_a_created_node_can_read_no_other_node() -> None:
    """No edge leads to it yet."""
    payload = a_new_node("LLM", prompt="Look at ${node_1.output.data}.")
    assert refused(payload) == [(UNKNOWN, "config.prompt")]


def test_a_prompt_may_name_an_input_that_is_mapped_later() -> None:
    """Anywhere else a name that nobody declared is refused (D8)."""
    assert refused(a_new_node("LLM", prompt="Analyse ${input_data}.")) == []
    url = "https://api.weather.com/${OTHER_KEY}"
    assert refused(a_new_node("HTTP", url=url, method="GET")) == [(FORBIDDEN, "config.url")]


def test_without_a_sandbox_no_code_is_accepted() -> None:
    """Every PYTHON node is refused where nothing could confine it (D9)."""
    payload = a_new_node("PYTHON", code="return {'n': 1}")
    assert refused(payload, Ground()) == [(FORBIDDEN, "config.code")]
    assert refused(payload) == []


@pytest.mark.parametrize("count", [99, 100])
def test_a_session_has_a_hundred_workflows_at_most(count: int) -> None:
    """Each turn of an agent reads them all; a node may still join a draft (section 3.1.3)."""
    completed = replace(a_plan(a_node("n")), status=WorkflowStatus.COMPLETED)
    ground = Ground(workflows=(completed,) * count)
    full = [(FindingCode.INVALID_STATE, "")] if count == 100 else []
    plan = {**example("002-03-create-workflow-plan"), "nodes": [START], "edges": []}
    drafting = Ground(workflows=(*ground.workflows[1:], a_plan(a_node("n"))))
    assert refused(plan, ground) == full
    assert refused(a_new_node("LLM", prompt="hello"), ground) == full
    assert refused(a_new_node("LLM", prompt="hello"), drafting) == []


def test_a_full_draft_takes_no_node() -> None:
    """A workflow has at most fifty (section 3.1.3)."""
    nodes = tuple(a_node(f"n{n}") for n in range(50))
    ground = Ground(workflows=(a_plan(*nodes),))
    assert refused(a_new_node("LLM", prompt="hello"), ground) == [(FindingCode.TOO_MANY_NODES, "")]


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        (
            "edges.0.source",
            "nobody",
            [(UNKNOWN, "edges.0.source"), (UNKNOWN, "nodes.1.input_mapping.input_data")],
        ),
        ("edges.2.target", "node_1", [(FindingCode.CYCLE, "edges.2")]),
        ("nodes.1.node_id", "node_1", [(FindingCode.DUPLICATE_ID, "nodes.1.node_id")]),
        ("nodes.0.config.connection", "hr_db", [(UNKNOWN, "nodes.0.config.connection")]),
    ],
)
def test_a_plan_obeys_the_rules_of_plans(path: str, value: str, found: list[object]) -> None:
    """Findings stand at the payload's own paths."""
    wrong = refused(changed("002-03-create-workflow-plan", path, value))
    assert wrong[0] == found[0]


@pytest.mark.parametrize(
    ("type_", "config", "key"),
    [
        ("PYTHON", {"code": "import os\nreturn {}"}, "code"),
        ("DATABASE", {"query": "DELETE FROM sales"}, "query"),
        ("HTTP", {"url": "ftp://example.com/", "method": "GET"}, "url"),
    ],
)
def test_danger_is_found_in_the_body_of_a_loop(
    type_: str, config: dict[str, Any], key: str
) -> None:
    """In a plan and in a node of its own alike."""
    inner = {"node_id": "inner", "type": type_, "name": "Inner", "config": config}
    loop = {"items": [1], "max_iterations": 1, "body": [inner]}
    at = f"config.body.0.config.{key}"
    assert set(refused(a_new_node("LOOP", **loop))) == {(FORBIDDEN, at)}
    node = {"node_id": "loop", "type": "LOOP", "name": "Loop", "config": loop}
    plan = changed("002-03-create-workflow-plan", "nodes", [node])
    assert set(refused({**plan, "edges": []})) == {(FORBIDDEN, f"nodes.0.{at}")}


def test_the_policy_names_types_and_domains() -> None:
    """What the two lists leave out is refused (sections 3.2.1 and 3.2.2)."""
    policy = DecisionPolicy(
        node_types=frozenset({NodeType.LLM, NodeType.HTTP}), api_domains=("weather.com",)
    )
    call = a_new_node("HTTP", url="https://api.email.com", method="GET")
    assert [path for _, path in refused(call, policy=policy)] == ["config.url"]
    code = a_new_node("PYTHON", code="return {}")
    assert refused(code, policy=policy) == [(FindingCode.BAD_ENUM, "node_type")]


@pytest.mark.parametrize(
    "update",
    [{"config__colour": 1}, {"colour": 1}, {"node_id": "x"}, {"type": "HTTP"}, {"name__x": "y"}],
    ids=str,
)
def test_a_field_that_no_such_node_has_is_taken_out(update: dict[str, Any]) -> None:
    """The rest of the change holds (D3); id and type of a node never change."""
    payload = a_change(config__temperature=0.9, **update)
    verdict = judged(payload)
    ((key, value),) = ((k.replace("__", "."), v) for k, v in update.items())
    assert verdict.corrections == (
        Correction(path=f"updates.{key}", before=value, is_removed=True),
    )
    assert verdict.payload == a_change(config__temperature=0.9)


def test_a_change_of_unknown_fields_alone_is_rejected() -> None:
    """Nothing would be left of it."""
    assert refused(a_change(colour=1)) == [(FindingCode.EMPTY_VALUE, "updates")]


@pytest.mark.parametrize(
    ("updates", "code", "path"),
    [
        ({"config.temperature": "0.9"}, FindingCode.WRONG_TYPE, "updates.config.temperature"),
        ({"config.prompt": None}, FindingCode.MISSING_CONDITIONAL, "updates.config.prompt"),
        ({"config": {}}, FindingCode.MISSING_CONDITIONAL, "updates.config.prompt"),
        ({"config.prompt": "${node_4.output.x}"}, UNKNOWN, "updates.config.prompt"),
        ({"input_mapping.x": "${SOME_KEY}"}, FORBIDDEN, "updates.input_mapping.x"),
        ({"name": " "}, FindingCode.EMPTY_VALUE, "updates.name"),
        (
            {"retry_config.max_retries": True},
            FindingCode.WRONG_TYPE,
            "updates.retry_config.max_retries",
        ),
    ],
)
def test_a_changed_node_is_still_one(updates: dict[str, Any], code: FindingCode, path: str) -> None:
    """It keeps the rules of its type, its references and its secrets (section 2.7)."""
    assert refused({**a_change(), "updates": updates})[0] == (code, path)


def test_a_changed_address_is_judged_like_a_new_one() -> None:
    """Danger does not enter by a change (D4)."""
    payload = {**a_change(), "node_id": "node_1", "updates": {"config.url": "file:///etc/passwd"}}
    assert refused(payload) == [(FORBIDDEN, "updates.config.url")]


def test_a_node_that_no_workflow_holds_is_not_changed() -> None:
    """The newest draft or plan with the id is meant (D25)."""
    assert refused({**a_change(name="x"), "node_id": "node_9"}) == [(UNKNOWN, "node_id")]
    newer = replace(a_plan(a_node("node_2", NodeType.HTTP)), workflow_id="newer")
    ground = replace(GROUND, workflows=(*GROUND.workflows, newer))
    assert not judged(example("002-07-modify-node"), ground).is_valid


def test_what_was_wrong_elsewhere_does_not_stop_a_change() -> None:
    """A draft may be unfinished: its other nodes wait for their edges."""
    ground = with_sales(edges=(), status=WorkflowStatus.DRAFT)
    assert judged(a_change(config__temperature=0.9), ground).is_valid


def test_a_draft_with_many_faults_hides_no_danger() -> None:
    """Where more is wrong than is told, no change is let through."""
    nodes = [a_node(f"n{n}", NodeType.DATABASE, connection="gone") for n in range(50)]
    ground = Ground(workflows=(a_plan(*nodes),))
    updates = {"config.query": "DELETE FROM t"}
    payload = {"action_type": "modify_node", "node_id": "n49", "updates": updates}
    assert not judged(payload, ground).is_valid
