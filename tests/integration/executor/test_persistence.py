"""What outlives a process, and what two processes share."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from heartrule.domain.errors import NotReady
from heartrule.domain.events import AnalysisEnded, DraftDelta, MessageCommitted, TurnEnded
from session_store.open import open_store
from tests.support.databases import database_address
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.fake_monitor import FakeMonitor, advises
from tests.support.scripts import ask_script

QUESTION = ask_reply("怎么称呼你？")
MORE = ask_reply("慢慢说。")
ADVICE = "【Topic层策略建议】\n请更温和一些"


def on(address: str, *replies: str, monitor: FakeMonitor | None = None) -> Neighbours:
    """Return neighbours whose store lies at an address."""
    return Neighbours(
        model=FakeModel(replies), monitor=monitor or FakeMonitor(), store=open_store(address)
    )


async def test_advice_survives_a_restart(tmp_path: Path) -> None:
    """An advice stored before the executor ended enters the prompt of the one after it."""
    address = str(tmp_path / "heartrule.db")
    first = on(address, QUESTION, MORE, monitor=FakeMonitor([advises(ADVICE)]))
    async with running_executor(first) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "不太想说")
            await stream.until_body(AnalysisEnded)
    second = on(address, MORE, MORE)
    async with running_executor(second) as running:
        await running.client.send(session_id, "m2", "嗯")
        assert ADVICE in second.model.last_prompt()
        await running.client.send(session_id, "m3", "嗯")
        assert ADVICE not in second.model.last_prompt()


async def test_a_second_executor_on_one_sqlite_file_refuses_to_start(tmp_path: Path) -> None:
    """It says why, and the first one is not disturbed."""
    address = str(tmp_path / "heartrule.db")
    async with running_executor(on(address, QUESTION)) as running:
        with pytest.raises(NotReady, match="in use"):
            async with running_executor(on(address)):
                raise AssertionError("the second executor started")
        assert await running.client.publish(ask_script())


async def test_two_executors_on_one_postgresql_serve_one_session_in_turn(tmp_path: Path) -> None:
    """Turns alternate between them, the history has no gap, and each hears of the other."""
    async with (
        database_address("postgresql", tmp_path) as address,
        running_executor(on(address, QUESTION, MORE, MORE)) as one,
        running_executor(on(address, MORE, MORE)) as two,
    ):
        session_id = await one.client.start(ask_script(9))
        await one.client.initialize(session_id)
        async with two.client.converse(session_id, after=0) as watching:
            await watching.until_body(TurnEnded)
            for number in range(1, 4):
                sender = (one, two)[number % 2].client
                told = await sender.send(session_id, f"m{number}", "嗯")
                assert told.texts() == ["慢慢说。"]
                await watching.until_body(MessageCommitted)
                await watching.until_body(TurnEnded)
        numbers = [event.sequence for event in watching.told.durable()]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_a_whole_conversation_is_told_again_after_a_restart(
    database: str, tmp_path: Path
) -> None:
    """Every durable event reads back as it was told."""
    async with database_address(database, tmp_path) as address:
        async with running_executor(on(address, QUESTION, MORE, MORE)) as running:
            session_id = await running.client.start(ask_script(9))
            async with running.client.converse(session_id) as live:
                await live.until_body(TurnEnded)
                for number in (1, 2):
                    await live.turn(f"m{number}", "嗯")
                    await live.until_body(AnalysisEnded)
        async with running_executor(on(address)) as running:
            async with running.client.converse(session_id, after=0) as again:
                await again.finish()
    assert live.told.durable() == again.told.durable()


async def test_the_first_text_leaves_before_the_model_has_finished() -> None:
    """A model that pauses in mid-object has already been heard."""
    gate = asyncio.Event()
    held = Reply(pieces=('{"EXIT":"NO","content":"我在听。你', '慢慢说。","BRIEF":""}'), gate=gate)
    around = Neighbours(model=FakeModel([QUESTION]))
    around.model.will_say(held)
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say("m1", "嗯")
            first = await stream.until_body(DraftDelta)
            assert first.text == "我在听。"
            gate.set()
            await stream.until_body(TurnEnded)
        assert stream.told.texts()[-1] == "我在听。你慢慢说。"


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_ten_concurrent_sends_of_one_id_on_a_database(database: str, tmp_path: Path) -> None:
    """One model call, one turn, ten equal sequences of durable events."""
    async with database_address(database, tmp_path) as address:
        around = on(address, QUESTION, MORE)
        async with running_executor(around) as running:
            session_id = await running.client.start(ask_script(9))
            await running.client.initialize(session_id)
            sends = (running.client.send(session_id, "m1", "小明") for _ in range(10))
            first, *others = [told.durable() for told in await asyncio.gather(*sends)]
    assert first
    assert [first] * 9 == others
    assert len(around.model.requests) == 2
