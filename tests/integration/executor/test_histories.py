"""What a session keeps, read over the wire: histories, definitions, exits, imported state."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from grpc import StatusCode, aio

from heartrule.domain.events import ScopeLeft, TurnEnded
from heartrule.domain.exits import DecisionSource, ExitReason
from heartrule.domain.position import ExecutionStatus
from heartrule.v1 import conversation_pb2, history_pb2, session_pb2
from heartrule.v1.execution_pb2 import END_REASON_IDLE_TIMEOUT, END_REASON_SCRIPT_END
from session_store.open import open_store
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script

OPENING = ask_reply("怎么称呼你？")
STAYS = ask_reply("全名呢？", variables={"称呼": "小明"})
STAYS_ON = ask_reply("姓什么呢？", variables={"称呼": "小明"})
ENDS = ask_reply("谢谢。", exit_="YES", exit_reason="都知道了", variables={"称呼": "李明"})
BYE = ask_reply("再见。")


@asynccontextmanager
async def talked(tmp_path: Any, *replies: str) -> AsyncIterator[tuple[Running, str]]:
    """Give an executor on a database and a session in which each reply but the first was a turn."""
    store = open_store(str(tmp_path / "heartrule.db"))
    around = Neighbours(model=FakeModel([OPENING, *replies]), store=store)
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        for number in range(len([each for each in replies if each is not BYE])):
            await running.client.send(session_id, f"m{number}", "小明，李明")
        yield running, session_id


def words(values: Any) -> list[str]:
    """Return operation, name and value of each."""
    kind = {1: "extract", 2: "update", 3: "delete"}
    return [f"{kind[v.operation]} {v.variable_name} {v.value.string_value}".strip() for v in values]


async def test_operations_snapshots_and_definitions_are_listed(tmp_path: Any) -> None:
    """Each rpc tells its part of one finished session."""
    async with talked(tmp_path, STAYS, ENDS, BYE) as (running, session_id):
        stubs = running.client.stubs
        wanted: dict[str, Any] = {"session_id": session_id}
        done = await stubs.history.ListVariableOperations(
            history_pb2.ListVariableOperationsRequest(**wanted)
        )
        left = await stubs.history.ListScopeSnapshots(
            history_pb2.ListScopeSnapshotsRequest(**wanted)
        )
        known = await stubs.history.ListVariableDefinitions(
            history_pb2.ListVariableDefinitionsRequest(**wanted)
        )
        session = (await stubs.session.GetSession(session_pb2.GetSessionRequest(**wanted))).session
    assert words(done.operations) == ["extract 称呼 小明", "update 称呼 李明", "delete 称呼"]
    assert [dict(each.variables) for each in left.snapshots] == [{"称呼": "李明"}, {}, {}]
    assert [(each.name, each.scope_id, each.source) for each in known.definitions] == [
        ("称呼", "t1", "ask_name")
    ]
    assert session.end_reason == END_REASON_SCRIPT_END


async def test_exit_history_is_paged(tmp_path: Any) -> None:
    """Judged rounds alone, oldest first; the token leads on."""
    async with talked(tmp_path, STAYS, STAYS_ON, ENDS, BYE) as (running, session_id):
        request = history_pb2.ListExitHistoryRequest(session_id=session_id, page_size=2)
        first = await running.client.stubs.history.ListExitHistory(request)
        request.page_token = first.next_page_token
        second = await running.client.stubs.history.ListExitHistory(request)
    entries = [*first.entries, *second.entries]
    assert [(each.round, each.decision.should_exit) for each in entries] == [
        (1, False),
        (2, False),
        (3, True),
    ]
    assert (bool(first.next_page_token), second.next_page_token) == (True, "")
    assert entries[-1].decision.reason == "都知道了"


async def test_metrics_of_each_round_are_listed(tmp_path: Any) -> None:
    """What the model said of the client, with its suggestion (document 000)."""
    async with talked(tmp_path, STAYS, ENDS, BYE) as (running, session_id):
        request = history_pb2.ListActionMetricsRequest(session_id=session_id)
        listed = await running.client.stubs.history.ListActionMetrics(request)
    assert [(each.round, each.action_type) for each in listed.entries] == [
        (1, "ai_ask"),
        (2, "ai_ask"),
    ]
    assert all(each.metrics.user_engagement for each in listed.entries)
    assert all(each.progress_suggestion for each in listed.entries)


async def test_the_state_tells_how_far_the_last_action_has_come(tmp_path: Any) -> None:
    """lastActionRoundInfo: the action, its round and limit, and the decision."""
    async with talked(tmp_path, STAYS) as (running, session_id):
        request = session_pb2.GetExecutionStateRequest(session_id=session_id)
        info = (
            await running.client.stubs.session.GetExecutionState(request)
        ).state.last_action_round_info
    assert (info.action_id, info.current_round, info.max_rounds) == ("ask_name", 1, 9)
    assert not info.exit_decision.should_exit


async def test_a_turn_tells_status_reason_and_source(tmp_path: Any) -> None:
    """TurnEnded has the status, the position with its rounds, the reason and who decided."""
    around = Neighbours(model=FakeModel([OPENING, STAYS, ENDS, BYE]))
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        goes_on = (await running.client.send(session_id, "m1", "小明")).of(TurnEnded)[-1]
        ends = (await running.client.send(session_id, "m2", "李明")).of(TurnEnded)[-1]
    assert goes_on.state is not None
    assert ends.state is not None
    assert ends.exit_decision is not None
    place = goes_on.state.position
    assert (goes_on.state.status, goes_on.exit_reason) == (ExecutionStatus.WAITING_INPUT, None)
    assert (place.current_round, place.max_rounds) == (2, 9)
    assert (ends.state.status, ends.exit_reason) == (
        ExecutionStatus.COMPLETED,
        ExitReason.EXIT_CRITERIA_MET,
    )
    assert ends.exit_decision.decision_source is DecisionSource.EXIT_FLAG


async def test_a_session_begins_with_imported_variables() -> None:
    """StartSession takes another engine's flat variables; what is no state is refused."""
    async with running_executor() as running:
        session_id = await running.client.start(
            ask_script(), imported_state={"variables": {"姓名": "小李", "年龄": 0}}
        )
        request = session_pb2.ListVariablesRequest(session_id=session_id)
        found = (await running.client.stubs.history.ListVariables(request)).variables
        with pytest.raises(aio.AioRpcError) as refused:
            await running.client.start(ask_script(), imported_state={"variables": 1})
    assert [(each.name, each.source) for each in found] == [
        ("姓名", "migrated"),
        ("年龄", "migrated"),
    ]
    assert refused.value.code() is StatusCode.INVALID_ARGUMENT


async def test_a_session_nobody_comes_back_to_ends() -> None:
    """With the setting the session ends by itself, and what comes later is refused (C31)."""
    around = Neighbours(
        model=FakeModel([OPENING, STAYS]), environ={"HEARTRULE_SESSION_IDLE_TIMEOUT": "0.2"}
    )
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.send(session_id, "m1", "小明")
        async with running.client.converse(session_id, after=0) as stream:
            await stream.until_body(ScopeLeft)
        request = session_pb2.GetSessionRequest(session_id=session_id)
        session = (await running.client.stubs.session.GetSession(request)).session
        late = conversation_pb2.UserInput(client_message_id="late", parts=[{"text": "我回来了"}])
        with pytest.raises(aio.AioRpcError) as refused:
            await running.client.stubs.conversation.SubmitInput(
                conversation_pb2.SubmitInputRequest(session_id=session_id, input=late)
            )
    assert session.end_reason == END_REASON_IDLE_TIMEOUT
    assert refused.value.code() is StatusCode.FAILED_PRECONDITION
