"""Decisions that a test submits to a running executor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.v1 import decision_pb2
from heartrule.v1 import decision_request_pb2 as pb
from heartrule.wire.json_values import fill_struct
from tests.support.executors import Neighbours, Running
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.gate_ground import a_new_node
from tests.support.scripts import ask_script

PLAN: dict[str, Any] = {
    "action_type": "create_workflow_plan",
    "name": "天气",
    "description": "问天气，写一句话",
    "nodes": [
        {
            "node_id": "ask",
            "type": "HTTP",
            "name": "问",
            "config": {"url": "https://api.weather.com/v1", "method": "GET", "timeout": 10},
        },
        {
            "node_id": "write",
            "type": "LLM",
            "name": "写",
            "config": {"model": "m", "prompt": "${ask.output.body}, ${input.city}"},
        },
    ],
    "edges": [{"source": "ask", "target": "write"}],
    "inputs": {"city": {"required": True, "type": "string"}},
}
WRITER = a_new_node("LLM", model="m", prompt="p", timeout=900)


def around(**environ: str) -> Neighbours:
    """Return a model that asks."""
    return Neighbours(model=FakeModel([ask_reply("怎么称呼你？")] * 3), environ=environ)


def submission(session_id: str, payload: Mapping[str, Any], **fields: Any) -> Any:
    """Return the request for a payload, of the type that it says."""
    name = f"DECISION_TYPE_{payload['action_type'].upper()}"
    kind = decision_pb2.DecisionType.Value(name)
    given = {"decision_id": "op_1", "decision_type": kind, **fields}
    request = pb.SubmitDecisionRequest(session_id=session_id, **given)
    fill_struct(payload, request.payload)
    return request


async def submit(running: Running, session_id: str, payload: Any, **fields: Any) -> Any:
    """Submit a decision and return the answer."""
    request = submission(session_id, payload, **fields)
    return await running.client.stubs.decision.SubmitDecision(request)


async def begun(running: Running) -> str:
    """Return a session that waits for its client."""
    session_id = await running.client.start(ask_script(9))
    await running.client.initialize(session_id)
    return session_id


async def decisions(running: Running, session_id: str, **fields: Any) -> list[Any]:
    """Return the ids of the decisions that are listed."""
    request = pb.ListDecisionsRequest(session_id=session_id, **fields)
    found = await running.client.stubs.decision.ListDecisions(request)
    return [each.decision_id for each in found.decisions]
