"""A first crisis line: fixed resources before any model speaks."""

from __future__ import annotations

import asyncio

from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.events import DraftDelta, MessageCommitted, SafetyRaised, TurnEnded
from tests.support.busy_threads import busy_threads
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.scripts import ask_script


def around() -> Neighbours:
    """Return a model that asks on."""
    return Neighbours(model=FakeModel([ask_reply("怎么称呼你？"), ask_reply("我在听。慢慢说。")]))


LONG = "我想说说今天的事。" * 30 + "我不想活了，今晚就想跳楼自杀。"


async def test_the_card_is_the_only_text_of_a_crisis() -> None:
    """The numbers are said before any draft, no model speaks, and the session waits."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            seen = len(stream.told.events)
            await stream.turn("m1", "我想自杀")
        bodies = [event.body for event in stream.told.events[seen:]]
        kinds = [type(body) for body in bodies]
        texts = [b.message.plain_text() for b in bodies if isinstance(b, MessageCommitted)]
        assert "12356" in texts[0]
        assert len(texts) == 1
        assert kinds.index(SafetyRaised) < kinds.index(MessageCommitted) < kinds.index(TurnEnded)
        assert DraftDelta not in kinds


async def test_the_locale_chooses_the_resources() -> None:
    """A session in English names 988."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(ask_script(9), locale="en-US")
        await running.client.initialize(session_id)
        told = await running.client.send(session_id, "m1", "I want to kill myself")
        assert "988" in told.texts()[0]


async def test_a_repeated_input_is_answered_once() -> None:
    """A crisis turn needs no model; the same input again is a repeat, and raises nothing more."""
    down = Reply((), fails=ModelUnavailable("down", reason="MODEL_UNAVAILABLE"))
    model = FakeModel([ask_reply("怎么称呼你？"), down, down])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        first = await running.client.send(session_id, "m1", "我想自杀")
        told = await running.client.send(session_id, "m1", "我想自杀")
        assert "12356" in first.texts()[0]
        assert first.texts() == told.texts()
        assert len(set(told.of(SafetyRaised))) == 1


async def test_ordinary_words_raise_nothing() -> None:
    """A plain answer meets no rule."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        told = await running.client.send(session_id, "m1", "最近累死了，但还好")
        assert told.of(SafetyRaised) == []


async def test_no_other_work_delays_the_card_of_a_long_message() -> None:
    """A long message is screened while the threads of the process are busy with other work."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        async with busy_threads(), asyncio.timeout(10):
            told = await running.client.send(session_id, "m1", LONG)
        assert "12356" in told.texts()[0]
