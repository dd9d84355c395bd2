"""A script's bundle carries workflows: its sessions have them, and make them their own."""

from __future__ import annotations

from typing import Any

import pytest
from grpc import aio

from heartrule.v1 import fork_and_retry_pb2, script_pb2, session_pb2, workflow_pb2
from heartrule.wire.json_values import read_struct
from tests.support.executors import Running, running_executor
from tests.support.gate_ground import a_new_node
from tests.support.submissions import around, submit
from tests.support.workflow_texts import DIARY, HELLO, with_workflows

PROMPT = {"config.prompt": "Say good night."}
CHANGE = {"action_type": "modify_node", "node_id": "greet", "updates": PROMPT}


def bundle(**texts: str) -> script_pb2.ScriptBundle:
    """Return a bundle of a script and of workflows by their ids."""
    return script_pb2.ScriptBundle(files=with_workflows(**texts))


async def started(running: Running, **texts: str) -> str:
    """Publish a script with workflows, and begin a session of it."""
    stubs = running.client.stubs
    request = script_pb2.PublishScriptRequest(bundle=bundle(**texts))
    script = (await stubs.script.PublishScript(request)).script
    wanted = session_pb2.StartSessionRequest(script_id=script.script_id)
    return str((await stubs.session.StartSession(wanted)).session.session_id)


async def listed(running: Running, session_id: str) -> list[Any]:
    """Return the newest revisions of a session's workflows."""
    request = workflow_pb2.ListWorkflowsRequest(session_id=session_id)
    return list((await running.client.stubs.decision.ListWorkflows(request)).workflows)


async def test_a_session_begins_with_the_workflows_of_its_script() -> None:
    """Each by the name of its file, ready, with its definition and no decision behind it."""
    async with running_executor(around()) as running:
        session_id = await started(running, hello=HELLO)
        (found,) = await listed(running, session_id)
        request = workflow_pb2.GetWorkflowRequest(session_id=session_id, workflow_id="hello")
        whole = (await running.client.stubs.decision.GetWorkflow(request)).workflow
    assert (found.workflow_id, found.revision, found.name) == ("hello", 1, "hello")
    assert found.status == workflow_pb2.WORKFLOW_STATUS_READY
    assert (found.decision_id, found.turn_id, found.sequence) == ("", "", 0)
    assert read_struct(whole.definition)["description"] == "Greets."


async def test_a_changed_node_makes_the_sessions_own_revision() -> None:
    """Another session of the script has what its script brought."""
    async with running_executor(around()) as running:
        session_id = await started(running, hello=HELLO)
        made = (await submit(running, session_id, CHANGE)).workflow
        (other,) = await listed(running, await started(running, hello=HELLO))
    assert (made.workflow_id, made.revision, made.decision_id) == ("hello", 2, "op_1")
    assert (other.workflow_id, other.revision, other.decision_id) == ("hello", 1, "")


async def test_a_new_node_begins_a_draft_beside_them() -> None:
    """What a script brought is whole; what the session made of it takes nodes as any draft."""
    node = a_new_node("LLM", model="m", prompt="p")
    async with running_executor(around()) as running:
        session_id = await started(running, hello=HELLO)
        made = (await submit(running, session_id, node)).workflow
        assert (made.revision, len(await listed(running, session_id))) == (1, 2)
        await submit(running, session_id, CHANGE, decision_id="op_2")
        again = (await submit(running, session_id, node, decision_id="op_3")).workflow
    assert (again.workflow_id, again.revision) == ("hello", 3)


async def test_a_fork_has_the_workflows_of_its_source() -> None:
    """Before its first turn too."""
    async with running_executor(around()) as running:
        session_id = await started(running, hello=HELLO)
        request = fork_and_retry_pb2.ForkSessionRequest(session_id=session_id)
        stub = running.client.stubs.session
        fork = (await stub.ForkSession(request)).session.session_id
        (found,) = await listed(running, fork)
    assert found.workflow_id == "hello"


async def test_a_workflow_that_the_policy_refuses_is_not_published() -> None:
    """Each finding has its place in the file, checked or published."""
    async with running_executor(around()) as running:
        stub = running.client.stubs.script
        checked = await stub.CheckScript(script_pb2.CheckScriptRequest(bundle=bundle(diary=DIARY)))
        with pytest.raises(aio.AioRpcError, match=r"workflows/diary\.yaml:7:58"):
            await started(running, diary=DIARY)
    (found,) = checked.findings
    assert (found.file, found.line, found.column) == ("workflows/diary.yaml", 7, 58)
    assert found.rule == "unknown_reference"
