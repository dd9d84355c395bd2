"""Scenarios 4, 8 and 9 of document 002 on a whole executor, with the payloads that it prints."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict

from heartrule.domain.decision_events import DecisionMade, DecisionValidated
from heartrule.domain.decisions import DecisionAuthor
from heartrule.domain.run_events import Activity, NodeExecutionFailed
from heartrule.domain.runs import RunErrorCode, RunState
from heartrule.v1 import script_pb2, session_pb2
from tests.support.decision_examples import changed, example
from tests.support.executors import running_executor
from tests.support.odd_servers import OPEN_HOST, Answer, Listener, answered, listening
from tests.support.scripts import ask_script
from tests.support.served_runs import Operator, around

EXECUTE = example("002-04-execute-workflow")
RECOVERY = example("002-08-error-recovery")
REPLAN = changed(
    "002-09-replan-workflow", "suggested_changes.add_nodes.0.config.query", "SELECT 7 AS n"
)
DOWN = answered(status="503 Service Unavailable")
POLICY = f"""\
default:
  api_networks: [{OPEN_HOST}/32]
  connections: [local]
  secrets_file: %s
"""


def workflow(server: Listener, **on_failure: Any) -> str:
    """Return the workflow that the examples speak of: node_1 calls a server."""
    call = {"url": server.url("/data"), "method": "GET", "timeout": 1}
    plan = {
        "name": "销售分析",
        "description": "取数据，再算三步",
        "nodes": [
            {"node_id": "node_0", "type": "START", "name": "开始", "config": {}},
            {"node_id": "node_1", "type": "HTTP", "name": "取数", "config": call}
            | ({"on_failure": on_failure} if on_failure else {}),
            *(
                {
                    "node_id": f"node_{n}",
                    "type": "CONDITION",
                    "name": "算",
                    "config": {"expression": "true"},
                }
                for n in (2, 3, 4)
            ),
        ],
        "edges": [{"source": f"node_{n}", "target": f"node_{n + 1}"} for n in range(4)],
        "inputs": {"date_range": {"type": "string"}, "recipient_email": {"type": "string"}},
    }
    return json.dumps(plan, ensure_ascii=False)


@asynccontextmanager
async def an_operator(folder: Path, plan: str) -> AsyncIterator[Operator]:
    """Give an operator of a session whose script brings the workflow, and of a database."""
    with closing(sqlite3.connect(folder / "sales.db")):
        secrets = folder / "secrets.yaml"
        secrets.write_text(f"connections: {{local: 'sqlite:///{folder}/sales.db'}}\n", "utf-8")
    neighbours = around(folder)
    (folder / "policy.yaml").write_text(POLICY % secrets, "utf-8")
    files = {"s.yaml": ask_script().encode(), "workflows/workflow_123.yaml": plan.encode()}
    async with running_executor(neighbours) as running:
        stubs = running.client.stubs
        wanted = script_pb2.PublishScriptRequest(bundle=script_pb2.ScriptBundle(files=files))
        script = (await stubs.script.PublishScript(wanted)).script
        begin = session_pb2.StartSessionRequest(script_id=script.script_id)
        session_id = (await stubs.session.StartSession(begin)).session.session_id
        await running.client.initialize(session_id)
        yield Operator(running, session_id)


async def executed(operator: Operator) -> tuple[str, str]:
    """Execute as scenario 4 prints it; return the run's id and the state it ends in."""
    await operator.decide(EXECUTE)
    run_id = (await operator.runs())[-1].run_id
    return run_id, await operator.ended(run_id)


async def test_a_workflow_is_executed_as_printed(tmp_path: Path) -> None:
    """Scenario 4: the run has the inputs, and its client is told that it began and ended."""
    async with listening(answered(b"[]")) as server:
        async with an_operator(tmp_path, workflow(server)) as operator:
            run_id, state = await executed(operator)
            found = await operator.read(run_id)
    assert (state, MessageToDict(found.inputs)) == (RunState.COMPLETED, EXECUTE["input_params"])
    activities = [each.body.state for each in operator.told if isinstance(each.body, Activity)]
    assert activities == ["began", "ended"]


async def test_a_node_is_recovered_as_printed(tmp_path: Path) -> None:
    """Scenario 8: the coordinator's payload has the form that is printed, and takes effect."""
    plan = {**RECOVERY["recovery_plan"], "delay": 0.0}

    async def never(_: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    first: Answer = never
    async with listening(first, answered(b"[]")) as server:
        async with an_operator(tmp_path, workflow(server, **plan)) as operator:
            run_id, state = await executed(operator)
            found = await operator.read(run_id)
    assert state == RunState.COMPLETED
    (failed,) = (e.body for e in operator.told if isinstance(e.body, NodeExecutionFailed))
    (made,) = (
        each.body
        for each in operator.told
        if isinstance(each.body, DecisionMade) and each.body.author is DecisionAuthor.COORDINATOR
    )
    assert isinstance(made.payload, dict)
    assert (failed.path, failed.code) == ("node_1", RunErrorCode.TIMEOUT)
    assert made.payload.keys() == RECOVERY.keys()
    assert (made.payload["failed_node_id"], made.payload["error_code"]) == ("node_1", "TIMEOUT")
    assert made.payload["recovery_plan"] == plan
    assert made.payload["execution_context"].keys() == RECOVERY["execution_context"].keys()
    nodes = MessageToDict(found.definition)["nodes"]
    assert nodes[1]["config"]["timeout"] == 60
    kinds = [type(each.body) for each in operator.told]
    behind = kinds[kinds.index(NodeExecutionFailed) + 1 :]
    assert behind[:2] == [DecisionMade, DecisionValidated]


async def test_a_failed_run_is_planned_anew_as_printed(tmp_path: Path) -> None:
    """Scenario 9: a local database takes the place of what kept failing, and the rest runs."""
    async with listening(DOWN) as server:
        async with an_operator(tmp_path, workflow(server, action="ABORT")) as operator:
            _, state = await executed(operator)
            assert state == RunState.FAILED
            await operator.decide(REPLAN)
            anew = (await operator.runs())[-1]
            assert await operator.ended(anew.run_id) == RunState.COMPLETED
            found = await operator.read(anew.run_id)
    outputs = {each.path: MessageToDict(each.output) for each in found.attempts}
    assert outputs["node_1"]["data"] == [{"n": 7}]
    assert outputs.keys() == {f"node_{n}" for n in range(5)}
    assert (anew.revision, server.connections) == (2, 1)
