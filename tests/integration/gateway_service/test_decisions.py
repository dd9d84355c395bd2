"""Decisions and workflows over HTTP."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from gateway_service.json_encoding import words
from gateway_service.routes.decisions import DecisionWord, StateWord
from heartrule.v1 import decision_pb2, decision_request_pb2
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.gate_ground import a_new_node
from tests.support.gateways import RunningGateway, running_gateway
from tests.support.scripts import ask_script

NODE = a_new_node("LLM", model="m", prompt="写一句", timeout=900)
SENT: dict[str, Any] = {"decisionId": "op_1", "decisionType": "create_node", "payload": NODE}


async def begun(running: RunningGateway) -> str:
    """Return the path of a session that waits for its client."""
    path = f"/api/v1/sessions/{await running.start(ask_script(9))}"
    await running.http.post(f"{path}/initialize")
    return path


def around() -> Neighbours:
    return Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]))


async def test_a_decision_and_its_workflow_are_read_back() -> None:
    """Names are lowerCamelCase, words lower-case; a payload keeps its own names."""
    async with running_gateway(around()) as running:
        path = await begun(running)
        made = (await running.http.post(f"{path}/decisions", json=SENT)).json()
        listed = (await running.http.get(f"{path}/decisions?state=done")).json()["decisions"]
        workflow_id = made["workflow"]["workflowId"]
        workflows = (await running.http.get(f"{path}/workflows")).json()["workflows"]
        read = (await running.http.get(f"{path}/workflows/{workflow_id}?revision=1")).json()
    assert (made["decision"]["state"], made["decision"]["author"]) == ("done", "operator")
    correction = {"path": "config.timeout", "before": 900, "after": 300, "isRemoved": False}
    assert made["decision"]["verdict"]["corrections"] == [correction]
    assert listed == [made["decision"]]
    assert workflows == [made["workflow"]]
    assert read["definition"]["nodes"][0]["config"] == {**NODE["config"], "timeout": 300}


async def test_a_rejection_is_an_answer() -> None:
    """200, with codes and paths; a dry run needs no id and writes nothing."""
    async with running_gateway(around()) as running:
        path = await begun(running)
        sent = {"decisionType": "create_node", "payload": {}, "dryRun": True}
        answer = await running.http.post(f"{path}/decisions", json=sent)
        listed = await running.http.get(f"{path}/decisions")
    verdict = answer.json()["decision"]["verdict"]
    assert (answer.status_code, verdict["isValid"]) == (200, False)
    assert {"missing_field"} == {each["code"] for each in verdict["errors"]}
    assert listed.json()["decisions"] == []


@pytest.mark.parametrize(
    ("changes", "status", "said"),
    [
        ({"decisionId": ""}, 400, "decision_id: is required"),
        ({"decisionType": "fly"}, 400, "decisionType: "),
        ({"payload": []}, 400, "payload: "),
        ({"confidence": 2}, 400, "confidence: "),
        ({"decisionType": "respond"}, 409, "agent's turn"),
    ],
    ids=str,
)
async def test_a_wrong_request_is_refused(changes: Any, status: int, said: str) -> None:
    """With the field, or with what forbids it."""
    async with running_gateway(around()) as running:
        path = await begun(running)
        answer = await running.http.post(f"{path}/decisions", json={**SENT, **changes})
    assert (answer.status_code, said in answer.json()["detail"]) == (status, True)


async def test_a_payload_that_the_contract_cannot_carry_is_refused() -> None:
    """24 levels pass to the gate, a further one is refused instead of becoming text."""
    async with running_gateway(around()) as running:
        path = await begun(running)

        async def nested(levels: int) -> Any:
            payload: dict[str, Any] = {}
            for _ in range(levels - 1):
                payload = {"x": payload}
            sent = {"decisionType": "continue", "payload": payload, "dryRun": True}
            return await running.http.post(f"{path}/decisions", json=sent)

        assert [(await nested(levels)).status_code for levels in (24, 25)] == [200, 400]


async def test_what_is_not_there_is_not_found() -> None:
    """A session, a workflow, a revision."""
    async with running_gateway(around()) as running:
        path = await begun(running)
        made = (await running.http.post(f"{path}/decisions", json=SENT)).json()["workflow"]
        missing = [
            await running.http.get("/api/v1/sessions/nobody/decisions"),
            await running.http.get(f"{path}/workflows/nothing"),
            await running.http.get(f"{path}/workflows/{made['workflowId']}?revision=2"),
        ]
    assert [each.status_code for each in missing] == [404, 404, 404]


def test_the_words_are_those_of_the_contract() -> None:
    """A type or a state that the contract gains is one that HTTP takes."""
    pairs = (
        (DecisionWord, decision_pb2.DecisionType.DESCRIPTOR),
        (StateWord, decision_request_pb2.DecisionState.DESCRIPTOR),
    )
    for told, enum in pairs:
        literal, _ = get_args(told)
        assert list(get_args(literal)) == list(words(enum).values())
