"""A session as one document, asked for by the command."""

from __future__ import annotations

import asyncio
from typing import Any

from grpc import aio

from heartrule.v1 import conversation_pb2, event_pb2
from heartrule_cli.executor_client import executor_at
from heartrule_cli.narration.session_json import session_json, session_markdown
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_executor import SESSION, FakeExecutor, serving
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script


async def test_a_session_is_told_as_json_and_as_a_transcript() -> None:
    """Each with all of it; the transcript in the language of the environment."""
    neighbours = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]))
    async with running_executor(neighbours) as running:
        session_id = await running.client.start(ask_script())
        await running.client.initialize(session_id)
        address = f"127.0.0.1:{running.server.port}"
        async with executor_at(address, {"LANG": "zh_CN.UTF-8"}) as executor:
            whole = await session_json(executor, session_id)
            page = await session_markdown(executor, session_id)
    assert list(whole) == ["session", "state", "variables", "messages", "events"]
    state, events = whole["state"], whole["events"]
    assert isinstance(state, dict)
    assert isinstance(events, list)
    assert len(events) == int(str(state["sequence"]))
    assert "## 开场" in page
    assert "> 怎么称呼你？" in page


class Pruned(FakeExecutor):
    """An executor that deleted the last events of its session by their age."""

    async def WatchSession(  # noqa: N802  the contract's name
        self, _request: object, context: aio.ServicerContext[Any, Any]
    ) -> None:
        """Tell what is left, then only that the stream lives."""
        event = event_pb2.SessionEvent(sequence=1)
        event.turn_started.SetInParent()
        await context.write(conversation_pb2.WatchSessionResponse(event=event))
        event = event_pb2.SessionEvent(heartbeat=event_pb2.Heartbeat())
        await context.write(conversation_pb2.WatchSessionResponse(event=event))
        await asyncio.Event().wait()


async def test_a_page_ends_where_old_events_were_deleted() -> None:
    """What `heartrule show` reads has an end, though its last event never comes."""
    async with serving(Pruned()) as address, executor_at(address) as executor:
        async with asyncio.timeout(10):
            events = [each async for each in executor.history(SESSION, up_to=9)]
    assert [each.sequence for each in events] == [1]
