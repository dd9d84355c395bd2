"""What DecisionService lists: pages, sensitive sessions, what a retry took back."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from grpc import aio

from heartrule.domain.sensitive import MASK
from heartrule.v1 import decision_request_pb2 as pb
from heartrule.v1 import fork_and_retry_pb2, workflow_pb2
from heartrule.wire.json_values import read_struct, read_value
from tests.support.agent_talk import answers, node, respond
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel
from tests.support.gate_ground import a_new_node
from tests.support.submissions import PLAN, WRITER, around, begun, decisions, submit

SECRET = "仁爱诊所"
SENSITIVE = """
session:
  session_id: guarded
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:
            - action_type: ai_ask
              action_id: place
              config:
                content: 问在哪里看诊
                exit: 说了
                max_rounds: 9
                output: [{get: 诊所, sensitive: true}]
"""
AGENT = """
session:
  session_id: guarded
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:
            - action_type: ai_agent
              action_id: place
              config:
                goal: 问在哪里看诊
                allowed_decisions: [respond, create_node]
                output: [{get: 诊所, sensitive: true}]
"""
NOTE = a_new_node("LLM", model="m", prompt=f"写给{SECRET}", timeout=900)


async def read(running: Running, session_id: str, *, reveal: bool) -> str:
    """Return all that is listed of decisions and workflows, as text."""
    stub = running.client.stubs.decision
    wanted: dict[str, Any] = {"session_id": session_id, "reveal": reveal}
    listed = await stub.ListDecisions(pb.ListDecisionsRequest(**wanted))
    workflows = await stub.ListWorkflows(workflow_pb2.ListWorkflowsRequest(**wanted))
    (summary,) = workflows.workflows
    request = workflow_pb2.GetWorkflowRequest(**wanted, workflow_id=summary.workflow_id)
    whole = (await stub.GetWorkflow(request)).workflow
    (told,) = listed.decisions
    values = [read_value(told.payload), read_value(told.verdict.payload)]
    return str([*values, summary.name, read_struct(whole.definition)])


async def test_a_sensitive_session_tells_texts_to_those_who_ask() -> None:
    """A model may have repeated any value, under no variable's name; `reveal` shows it."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(SENSITIVE)
        await running.client.initialize(session_id)
        answer = await submit(running, session_id, NOTE)
        masked = await read(running, session_id, reveal=False)
        revealed = await read(running, session_id, reveal=True)
    assert (SECRET in masked, MASK in masked) == (False, True)
    assert (revealed.count(SECRET), MASK in revealed) == (3, False)
    assert SECRET in str(read_value(answer.decision.verdict.payload))


async def test_an_agents_id_shows_nothing_of_its_decision() -> None:
    """Whoever submits one of that id, type and payload too, is refused as for any used id."""
    said = answers(node(SECRET), respond("记下了。"), intent="complex_task")
    async with running_executor(Neighbours(model=FakeModel([said]))) as running:
        session_id = await running.client.start(AGENT)
        await running.client.initialize(session_id)
        (first, *_) = await decisions(running, session_id)
        for payload in (WRITER, node(SECRET)["payload"]):
            with pytest.raises(aio.AioRpcError) as caught:
                await submit(running, session_id, payload, decision_id=first)
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert SECRET not in str(caught.value.details())


async def test_an_agents_draft_keeps_its_name() -> None:
    """In a sensitive session, of a node that an operator adds to it, too."""
    said = answers(node(SECRET), respond("记下了。"), intent="complex_task")
    async with running_executor(Neighbours(model=FakeModel([said]))) as running:
        session_id = await running.client.start(AGENT)
        await running.client.initialize(session_id)
        answer = await submit(running, session_id, WRITER)
    assert (answer.workflow.revision, SECRET in answer.workflow.name) == (2, False)


async def test_large_payloads_make_small_pages() -> None:
    """A page stays below what a channel takes, and the token leads on."""
    large = a_new_node("LLM", model="m", prompt="长" * 330_000)
    async with running_executor(around()) as running:
        session_id = await begun(running)
        for number in range(12):
            await submit(running, session_id, large, decision_id=f"op_{number}")
        request = pb.ListDecisionsRequest(session_id=session_id)
        found: list[str] = []
        sizes = []
        while True:
            page = await running.client.stubs.decision.ListDecisions(request)
            found += [each.decision_id for each in page.decisions]
            sizes.append(page.ByteSize())
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
    assert found == [f"op_{number}" for number in range(12)]
    assert len(sizes) > 1
    assert max(sizes) <= 16_777_216


async def test_a_payload_may_have_a_megabyte() -> None:
    """1,048,576 bytes of compact JSON pass, one more is an answer with its code (D11)."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        room = 1_048_576 - len('{"action_type":"continue","thought":""}')
        codes = []
        for letters in (room, room + 1):
            payload = {"action_type": "continue", "thought": "x" * letters}
            answer = await submit(running, session_id, payload, dry_run=True)
            codes.append([each.code for each in answer.decision.verdict.errors])
    assert codes[0] == []
    assert len(codes[1]) == 1


async def test_what_a_retry_takes_back_is_not_listed() -> None:
    """The id is remembered all the same, and what it had made is gone (D20)."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        await submit(running, session_id, PLAN)
        await running.client.send(session_id, "m1", "嗯")
        first = await submit(running, session_id, WRITER, decision_id="op_2")
        request = fork_and_retry_pb2.RetryTurnRequest(session_id=session_id, request_id="r")
        await running.client.stubs.session.RetryTurn(request)
        again = await submit(running, session_id, WRITER, decision_id="op_2")
        assert await decisions(running, session_id) == ["op_1"]
    assert again.decision.verdict == first.decision.verdict
    assert (first.HasField("workflow"), again.HasField("workflow")) == (True, False)
