"""DecisionService over a real port: decisions between turns, and what they drafted."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from grpc import aio

from heartrule.domain.decision_events import DecisionMade, DecisionRejected, WorkflowChanged
from heartrule.domain.events import TurnEnded
from heartrule.v1 import decision_pb2, workflow_pb2
from heartrule.v1 import decision_request_pb2 as pb
from heartrule.wire.json_values import read_struct
from tests.support.decision_examples import example
from tests.support.executors import Running, running_executor
from tests.support.scripts import ask_script
from tests.support.submissions import PLAN, WRITER, around, begun, decisions, submission, submit

ANSWER = example("002-01-respond")


async def test_a_valid_decision_is_done_at_once() -> None:
    """The answer has the verdict with its correction, and the workflow that came of it."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        made = await submit(running, session_id, WRITER, confidence=0.5)
    assert made.decision.state == pb.DECISION_STATE_DONE
    assert made.decision.author == decision_pb2.DECISION_AUTHOR_OPERATOR
    assert made.decision.verdict.is_valid
    assert [each.path for each in made.decision.verdict.corrections] == ["config.timeout"]
    assert (made.workflow.revision, made.workflow.name) == (1, "n")
    assert made.workflow.status == workflow_pb2.WORKFLOW_STATUS_READY


async def test_a_rejected_decision_is_an_answer() -> None:
    """It is kept with every error, each with its code and path; nothing was drafted."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        answer = await submit(running, session_id, {"action_type": "create_node"})
        listed = await decisions(running, session_id, state=pb.DECISION_STATE_REJECTED)
    errors = answer.decision.verdict.errors
    assert {each.code for each in errors} == {decision_pb2.FINDING_CODE_MISSING_FIELD}
    assert {each.path for each in errors} == {"node_type", "node_name", "config"}
    assert not answer.HasField("workflow")
    assert listed == ["op_1"]


@pytest.mark.parametrize("payload", [WRITER, {"action_type": "create_node"}], ids=["valid", "not"])
async def test_a_known_id_is_answered_with_its_outcome(payload: Any) -> None:
    """Nothing is written a second time (RESOLUTIONS D20)."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        first = await submit(running, session_id, payload)
        again = await submit(running, session_id, payload)
        assert await decisions(running, session_id) == ["op_1"]
    assert again == first


@pytest.mark.parametrize("payload", [PLAN, {**WRITER, "node_name": "n2"}], ids=["type", "payload"])
async def test_an_id_is_of_one_decision(payload: Any) -> None:
    """Another one under it is refused: its outcome is not this one's."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        await submit(running, session_id, WRITER)
        found = await failure(running, submission(session_id, payload))
        assert await decisions(running, session_id) == ["op_1"]
    assert found.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_dry_run_writes_nothing() -> None:
    """Any type is judged, without an id too; no event tells of it."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        answer = await submit(running, session_id, ANSWER, decision_id="", dry_run=True)
        assert await decisions(running, session_id) == []
    assert answer.decision.verdict.is_valid
    assert answer.decision.state == pb.DECISION_STATE_UNSPECIFIED
    assert answer.decision.sequence == 0


async def test_watchers_are_told_in_order() -> None:
    """Made, judged, and what came of it, live and with one number after the other."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await submit(running, session_id, WRITER)
            await stream.until_body(WorkflowChanged)
            await submit(running, session_id, {"action_type": "create_node"}, decision_id="op_2")
            await stream.until_body(DecisionRejected)
        events = [each for each in stream.told.events if each.sequence][-5:]
    assert [type(each.body).__name__ for each in events] == [
        "DecisionMade",
        "DecisionValidated",
        "WorkflowChanged",
        "DecisionMade",
        "DecisionRejected",
    ]
    assert isinstance(events[0].body, DecisionMade)
    numbers = [each.sequence for each in events]
    assert numbers == list(range(numbers[0], numbers[0] + 5))


async def test_workflows_are_listed_and_read_in_any_revision() -> None:
    """A list has the newest without its definition; a revision never changes."""
    async with running_executor(around()) as running:
        session_id, stub = await begun(running), running.client.stubs.decision
        first = (await submit(running, session_id, PLAN)).workflow
        await submit(running, session_id, WRITER, decision_id="op_2")
        listed = await stub.ListWorkflows(workflow_pb2.ListWorkflowsRequest(session_id=session_id))
        wanted = {"session_id": session_id, "workflow_id": first.workflow_id}
        newest = await stub.GetWorkflow(workflow_pb2.GetWorkflowRequest(**wanted))
        oldest = await stub.GetWorkflow(workflow_pb2.GetWorkflowRequest(**wanted, revision=1))
    (summary,) = listed.workflows
    assert (summary.revision, summary.decision_id) == (2, "op_2")
    assert not summary.HasField("definition")
    assert [each.name for each in (first, newest.workflow)] == ["天气", "天气"]
    written = [read_struct(each.workflow.definition) for each in (newest, oldest)]
    assert [len(each["nodes"]) for each in written] == [3, 2]  # type: ignore[arg-type]  # lists
    assert {**written[1], "action_type": PLAN["action_type"]} == PLAN


async def test_decisions_are_filtered() -> None:
    """By type, state and turn; all of them are an operator's, which no turn made."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        await submit(running, session_id, WRITER)
        await submit(running, session_id, {"action_type": "create_node"}, decision_id="op_2")
        await submit(running, session_id, PLAN, decision_id="op_3")
        kind = decision_pb2.DECISION_TYPE_CREATE_NODE
        assert await decisions(running, session_id, decision_type=kind) == ["op_1", "op_2"]
        assert await decisions(running, session_id, state=pb.DECISION_STATE_DONE) == [
            "op_1",
            "op_3",
        ]
        assert await decisions(running, session_id, turn_id="trn_1") == []


async def failure(running: Running, request: Any) -> aio.AioRpcError:
    """Return the failure of a submission."""
    with pytest.raises(aio.AioRpcError) as caught:
        await running.client.stubs.decision.SubmitDecision(request)
    return caught.value


@pytest.mark.parametrize(
    "name", ["002-01-respond", "002-05-request-clarification", "002-06-continue"]
)
async def test_what_an_agent_says_belongs_to_its_turn(name: str) -> None:
    """Outside a turn an answer, a question and a thought are refused, and no id is remembered."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        found = await failure(running, submission(session_id, example(name)))
        assert await decisions(running, session_id) == []
    assert found.code() is grpc.StatusCode.FAILED_PRECONDITION


async def test_a_frozen_session_takes_no_decision() -> None:
    """While a safety level holds nothing takes effect; a dry run is judged."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        await running.client.send(session_id, "m1", "我想自杀")
        found = await failure(running, submission(session_id, WRITER))
        dry = await submit(running, session_id, WRITER, dry_run=True)
    assert found.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert dry.decision.verdict.is_valid


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"decision_id": ""}, "decision_id"),
        ({"decision_id": "x" * 257}, "decision_id"),
        ({"decision_type": 0}, "decision_type"),
        ({"confidence": 1.5}, "confidence"),
        ({"confidence": float("nan")}, "confidence"),
        ({"correlation_id": "x" * 257}, "correlation_id"),
    ],
    ids=lambda value: str(value)[:30],
)
async def test_wrong_requests_are_refused(fields: Any, wrong: str) -> None:
    """Each with the field; a payload, however wrong, is the gate's matter."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        found = await failure(running, submission(session_id, WRITER, **fields))
    assert found.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert str(found.details()).startswith(f"{wrong}: ")


async def test_a_type_that_nobody_knows_is_rejected() -> None:
    """As an answer: the gate says so, and the id is remembered."""
    async with running_executor(around()) as running:
        session_id = await begun(running)
        answer = await submit(running, session_id, WRITER, decision_type=99)
    (error,) = answer.decision.verdict.errors
    assert error.code == decision_pb2.FINDING_CODE_UNKNOWN_DECISION_TYPE
    assert answer.decision.written_type == "99"


async def test_an_unknown_session_is_not_found() -> None:
    """For a dry run too."""
    async with running_executor(around()) as running:
        for dry_run in (False, True):
            found = await failure(running, submission("nobody", WRITER, dry_run=dry_run))
            assert found.code() is grpc.StatusCode.NOT_FOUND
