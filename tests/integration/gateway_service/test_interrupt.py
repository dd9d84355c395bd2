"""A turn is stopped over HTTP."""

from __future__ import annotations

import asyncio

from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, Reply, ask_reply, whole
from tests.support.gateways import frames_of, running_gateway
from tests.support.scripts import ask_script


async def test_a_turn_stops_where_the_reader_had_enough() -> None:
    """What was heard is kept, and the stream says how the turn ended."""
    gate = asyncio.Event()
    slow = Reply(whole(ask_reply("这是一段很长的话，还没有说完")).pieces, gate=gate)
    around = Neighbours(model=FakeModel([ask_reply("怎么称呼你？"), slow]))
    async with running_gateway(around) as running:
        session_id = await running.start(ask_script(9))
        path = f"/api/v1/sessions/{session_id}"
        await running.http.post(f"{path}/initialize")
        said = {"sessionId": session_id, "message": "嗯"}
        told, answers, turn = [], [], {"turnId": ""}
        async with running.http.stream("POST", "/api/v1/chat/stream", json=said) as response:
            async for frame in frames_of(response):
                told.append(frame)
                if frame.event == "turnStarted":
                    turn = {"turnId": frame.data["turnId"]}
                if frame.event == "draftStarted":
                    answers.append(await running.http.post(f"{path}/interrupt", json=turn))
                    gate.set()
    (ended,) = [frame.data["turnEnded"] for frame in told if frame.event == "turnEnded"]
    assert (answers[0].json()["alreadyEnded"], ended["outcome"]) == (False, "interrupted")
