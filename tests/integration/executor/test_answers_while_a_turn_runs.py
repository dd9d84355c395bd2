"""A text is complete at `text_complete`: what the client writes from then on is an answer to it."""

from __future__ import annotations

import asyncio

import pytest

from heartrule.domain.conversation import Completeness
from heartrule.domain.events import (
    ActionResultRecorded,
    DraftDelta,
    InputAccepted,
    Outcome,
    SessionEvent,
    TurnEnded,
)
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, Reply, ask_reply, whole
from tests.support.scripts import ask_script

SLOW = ask_reply("好的，小明。你多大？", variables={"名字": {"value": "小明", "quote": "小明"}})
AT = SLOW.index("BRIEF")
QUESTION, NEXT = ask_reply("怎么称呼你？"), ask_reply("还有呢？")


def text_is_complete(event: SessionEvent) -> bool:
    """Return whether the event says that the client has the whole text."""
    return isinstance(event.body, DraftDelta) and event.body.text_complete


@pytest.mark.parametrize("mode", ["MERGE", "QUEUE", "INTERRUPT", "RESTART", "REJECT"])
async def test_an_answer_to_a_text_that_is_not_committed_yet(mode: str) -> None:
    """The message is kept with its values, and the answer is judged as one to its question."""
    slow = Reply((SLOW[:AT], SLOW[AT:]), gate=asyncio.Event())
    around = Neighbours(model=FakeModel([whole(QUESTION), slow, whole(NEXT)]))
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say("m1", "小明")
            await stream.until(text_is_complete)
            await stream.say("m2", "三十岁", if_busy=f"IF_BUSY_{mode}")
            await stream.until_body(InputAccepted)
            assert slow.gate is not None
            slow.gate.set()
            ends = [await stream.until_body(TurnEnded) for _ in range(2)]
        assert [(end.outcome, end.client_message_ids) for end in ends] == [
            (Outcome.WAITING, ("m1",)),
            (Outcome.WAITING, ("m2",)),
        ]
        asked = stream.told.messages()[1]
        assert (asked.plain_text(), asked.completeness) == (
            "好的，小明。你多大？",
            Completeness.COMPLETE,
        )
        (first, _) = [body.action_result for body in stream.told.of(ActionResultRecorded)][-2:]
        assert first.metadata["parseRetryCount"] == 1
        *before, last = around.model.requests[-1].messages
        assert before[-1].content == "好的，小明。你多大？"
        assert "三十岁" in last.content
