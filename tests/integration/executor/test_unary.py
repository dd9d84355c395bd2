"""The unary rpcs: scripts and sessions, and errors as statuses with details."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc import StatusCode, aio
from grpc_status import rpc_status

from heartrule.v1 import execution_pb2, script_pb2, session_pb2
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.interrupting import held
from tests.support.scripts import ask_script


def broken(count: int) -> script_pb2.ScriptBundle:
    """Return a script with as many unknown action types."""
    head = ask_script().split("            - action_type")[0]
    actions = "".join(
        f"            - {{action_type: ai_sing, action_id: a{n}, config: {{content: x}}}}\n"
        for n in range(count)
    )
    return script_pb2.ScriptBundle(files={"s.yaml": (head + actions).encode()})


async def refused(call: Awaitable[Any]) -> aio.AioRpcError:
    """Return the error of a call that must fail."""
    with pytest.raises(aio.AioRpcError) as caught:
        await call
    return caught.value


def detail(error: aio.AioRpcError, kind: type[Message]) -> Any:
    """Return the detail of a kind that the status carries."""
    status = rpc_status.from_call(error)  # type: ignore[arg-type]  # it takes aio's too
    assert status is not None
    for packed in status.details:
        found = kind()
        if packed.Unpack(found):
            return found
    raise AssertionError(f"no {kind.__name__}")


async def test_publish_names_the_first_twenty_errors_and_their_total() -> None:
    """A status must stay small enough to arrive."""
    async with running_executor() as running:
        request = script_pb2.PublishScriptRequest(bundle=broken(40))
        error = await refused(running.client.stubs.script.PublishScript(request))
    assert error.code() is StatusCode.INVALID_ARGUMENT
    assert 0 < len(detail(error, error_details_pb2.BadRequest).field_violations) <= 20
    assert detail(error, error_details_pb2.ErrorInfo).metadata["error_count"] == "40"


async def test_check_gives_every_error_with_its_place() -> None:
    """CheckScript answers OK, with all findings at their lines."""
    async with running_executor() as running:
        request = script_pb2.CheckScriptRequest(bundle=broken(40))
        findings = (await running.client.stubs.script.CheckScript(request)).findings
    assert len(findings) == 40
    assert len({finding.line for finding in findings}) == 40


async def test_publishing_the_same_content_twice_is_one_version() -> None:
    """The version is the hash of the bundle."""
    async with running_executor() as running:
        await running.client.publish(ask_script())
        await running.client.publish(ask_script())
        scripts = (
            await running.client.stubs.script.ListScripts(script_pb2.ListScriptsRequest())
        ).scripts
    assert len(scripts) == 1


async def test_a_session_on_an_unknown_script_is_not_found() -> None:
    """The status names the resource."""
    async with running_executor() as running:
        request = session_pb2.StartSessionRequest(script_id="nothing")
        error = await refused(running.client.stubs.session.StartSession(request))
    assert error.code() is StatusCode.NOT_FOUND
    assert detail(error, error_details_pb2.ResourceInfo).resource_name == "nothing"


async def test_an_empty_session_id_names_the_field() -> None:
    """INVALID_ARGUMENT says which field is empty."""
    async with running_executor() as running:
        error = await refused(
            running.client.stubs.session.GetSession(session_pb2.GetSessionRequest())
        )
    violations = detail(error, error_details_pb2.BadRequest).field_violations
    assert [violation.field for violation in violations] == ["session_id"]


async def test_the_same_request_id_starts_one_session() -> None:
    """A repeated StartSession returns the session made before."""
    async with running_executor() as running:
        first = await running.client.start(ask_script(), request_id="r1")
        assert first == await running.client.start(ask_script(), request_id="r1")


async def test_messages_come_in_pages() -> None:
    """A page token leads on, and the last page has none."""
    replies = [ask_reply("怎么称呼你？"), ask_reply("慢慢说。")]
    async with running_executor(Neighbours(model=FakeModel(replies))) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.send(session_id, "m1", "小明")
        request = session_pb2.ListMessagesRequest(session_id=session_id, page_size=2)
        first = await running.client.stubs.history.ListMessages(request)
        request.page_token = first.next_page_token
        second = await running.client.stubs.history.ListMessages(request)
    assert [len(first.messages), len(second.messages)] == [2, 1]
    assert second.next_page_token == ""


async def test_variables_and_state_are_read_where_the_session_stands() -> None:
    """ListVariables has scopes; GetExecutionState what is visible."""
    replies = [ask_reply("怎么称呼你？"), ask_reply("慢慢说。", variables={"称呼": "小明"})]
    async with running_executor(Neighbours(model=FakeModel(replies))) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.send(session_id, "m1", "小明")
        state = await running.client.stubs.session.GetExecutionState(
            session_pb2.GetExecutionStateRequest(session_id=session_id)
        )
        listed = await running.client.stubs.history.ListVariables(
            session_pb2.ListVariablesRequest(session_id=session_id)
        )
    assert state.state.variables["称呼"].string_value == "小明"
    assert [(value.name, value.scope_id) for value in listed.variables] == [("称呼", "t1")]


async def test_a_state_is_running_with_its_turn_while_a_turn_runs() -> None:
    """Once the turn has ended, the state is of its last step and names no turn."""
    async with held() as talk:
        asked = session_pb2.GetExecutionStateRequest(session_id=talk.session_id)
        running = (await talk.client.stubs.session.GetExecutionState(asked)).state
        await talk.client.interrupt(talk.session_id, talk.turn_id)
        await talk.ended()
        after = (await talk.client.stubs.session.GetExecutionState(asked)).state
    assert running.status == execution_pb2.EXECUTION_STATUS_RUNNING
    assert running.running_turn_id == talk.turn_id
    assert after.status == execution_pb2.EXECUTION_STATUS_WAITING_INPUT
    assert after.running_turn_id == ""
