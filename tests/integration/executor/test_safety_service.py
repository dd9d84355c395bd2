"""SafetyService over a real port: what was found, and what operators decide."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from grpc import aio

from heartrule.domain.events import SafetyChanged, TurnEnded
from heartrule.domain.safety import SafetyLevel, SafetySource
from heartrule.v1 import safety_pb2
from heartrule.v1 import safety_request_pb2 as pb
from heartrule_cli.executor_client import ExecutorClient
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script

CRISIS = safety_pb2.SAFETY_LEVEL_CRISIS


def around() -> Neighbours:
    """Return a model that asks on."""
    return Neighbours(model=FakeModel([ask_reply("怎么称呼你？"), ask_reply("我在听。")]))


def safety(running: Running) -> Any:
    """Return the bare rpcs of the service."""
    return running.client.stubs.safety


async def in_crisis(running: Running) -> str:
    """Return a session in which danger was found."""
    session_id = await running.client.start(ask_script(9))
    await running.client.initialize(session_id)
    await running.client.send(session_id, "m1", "我想自杀")
    return session_id


async def test_operators_see_what_was_found() -> None:
    """State and event name level and rule; the client's words are in neither."""
    async with running_executor(around()) as running:
        session_id = await in_crisis(running)
        state = await safety(running).GetSafetyState(
            pb.GetSafetyStateRequest(session_id=session_id)
        )
        listed = await safety(running).ListSafetyEvents(pb.ListSafetyEventsRequest())
    assert state.state.level == CRISIS
    (event,) = listed.events
    assert (event.session_id, event.level) == (session_id, CRISIS)
    assert list(event.client_message_ids) == ["m1"]
    assert "自杀" not in str(listed) + str(state)


async def test_an_operator_acknowledges_and_closes() -> None:
    """The event leaves the list of those nobody has seen, the level is lowered."""
    async with running_executor(around()) as running:
        session_id = await in_crisis(running)
        (event,) = (await safety(running).ListSafetyEvents(pb.ListSafetyEventsRequest())).events
        await safety(running).AcknowledgeSafetyEvent(
            pb.AcknowledgeSafetyEventRequest(
                safety_event_id=event.safety_event_id, operator="ann", note="called"
            )
        )
        closed = await safety(running).CloseSafety(
            pb.CloseSafetyRequest(session_id=session_id, operator="ann")
        )
        unseen = pb.ListSafetyEventsRequest(unacknowledged=True)
        assert list((await safety(running).ListSafetyEvents(unseen)).events) == []
    assert closed.state.level == safety_pb2.SAFETY_LEVEL_NONE


async def test_clients_get_level_and_card_and_operators_the_rules_too() -> None:
    """The same event is sent to both; rule and source are for OPERATOR alone."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "我想自杀")
            (theirs,) = stream.told.of(SafetyChanged)
        client_only = ("AUDIENCE_CLIENT",)
        async with running.client.converse(session_id, after=0, audiences=client_only) as stream:
            await stream.until_body(SafetyChanged)
            (ours,) = stream.told.of(SafetyChanged)
    assert theirs.source is SafetySource.RULE
    assert theirs.rules != ()
    assert (ours.level, ours.source, ours.rules) == (SafetyLevel.CRISIS, None, ())
    assert ours.card is not None
    assert "12356" in ours.card.text


async def test_an_author_tries_a_text_out() -> None:
    """The dry run names level and rules, an answer is read with its question, nothing is kept."""
    async with running_executor(around()) as running:
        ask = safety(running).ScreenText
        found = await ask(pb.ScreenTextRequest(text="我想自杀"))
        answer = await ask(pb.ScreenTextRequest(text="有", question="你有想过自杀吗？"))
        nothing = await ask(pb.ScreenTextRequest(text="今天天气很好"))
        listed = await safety(running).ListSafetyEvents(pb.ListSafetyEventsRequest())
    assert list(listed.events) == []
    assert (found.level, found.subject) == (CRISIS, safety_pb2.SAFETY_SUBJECT_SELF)
    assert list(found.rules) != []
    assert answer.source == safety_pb2.SAFETY_SOURCE_CONTEXT
    assert nothing == pb.ScreenTextResponse(level=safety_pb2.SAFETY_LEVEL_NONE)


@pytest.mark.parametrize(
    ("rpc", "request_"),
    [
        ("ScreenText", pb.ScreenTextRequest()),
        ("ScreenText", pb.ScreenTextRequest(text="x" * 16_001)),
        ("CloseSafety", pb.CloseSafetyRequest(session_id="s")),
        ("CloseSafety", pb.CloseSafetyRequest(session_id="s", operator="a", level=CRISIS)),
        ("CloseSafety", pb.CloseSafetyRequest(session_id="s", operator="a", note="x" * 2001)),
        ("AcknowledgeSafetyEvent", pb.AcknowledgeSafetyEventRequest(operator="a")),
    ],
)
async def test_what_a_decision_lacks_is_named(rpc: str, request_: Any) -> None:
    """Who decides, about what, and to which level; an operator raises nothing to CRISIS."""
    async with running_executor(around()) as running:
        with pytest.raises(aio.AioRpcError) as refused:
            await getattr(safety(running), rpc)(request_)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_report_counts() -> None:
    """Month, level, source and language, as the command prints them."""
    async with running_executor(around()) as running:
        await in_crisis(running)
        client = ExecutorClient(f"127.0.0.1:{running.server.port}")
        try:
            (count,) = await client.safety_report(None)
        finally:
            await client.aclose()
    assert (count.level, count.source, count.count) == (SafetyLevel.CRISIS, SafetySource.RULE, 1)
