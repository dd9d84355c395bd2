"""A graceful stop: streams are told, running turns end, waiting inputs are left to the next."""

from __future__ import annotations

import asyncio

from heartrule.domain.events import GoingAway, InputAccepted, TurnEnded
from session_store.sql.database.engine_sqlite import MemoryEngine
from session_store.sql.store import SqlStore
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.scripts import ask_script

QUESTION = ask_reply("怎么称呼你？")
MORE = ask_reply("慢慢说。")


async def test_every_stream_hears_that_the_server_goes_away() -> None:
    """GoingAway is in-band, with the time after which to come again."""
    async with running_executor(Neighbours(model=FakeModel([QUESTION]))) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await running.server.go_away()
            leaving = await stream.until_body(GoingAway)
        assert leaving.reconnect_after.total_seconds() > 0


async def test_a_running_turn_ends_before_the_server_stops() -> None:
    """Draining waits for the model, and the client hears the end."""
    held = Reply(pieces=(MORE[:30], MORE[30:]), gate=asyncio.Event())
    model = FakeModel([QUESTION])
    model.will_say(held)
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say("m1", "小明")
            await held.started.wait()
            draining = asyncio.create_task(running.executor.drain())
            assert held.gate is not None
            held.gate.set()
            ended = await stream.until_body(TurnEnded)
            await draining
        assert ended.client_message_ids == ("m1",)


class Outliving(SqlStore):
    """A store in memory that is there for the next process still."""

    async def aclose(self) -> None:
        """Stay open."""


async def test_an_input_accepted_while_leaving_is_answered_by_the_next_process() -> None:
    """It is durable, begins no turn here, and is taken up where the session lives on."""
    store = Outliving(MemoryEngine())
    around = Neighbours(model=FakeModel([QUESTION]), store=store)
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await running.executor.drain()
            await stream.say("m1", "小明")
            await stream.until_body(InputAccepted)
    async with running_executor(Neighbours(model=FakeModel([MORE]), store=store)) as running:
        async with running.client.converse(session_id, after=0) as stream:
            ended = await stream.until(
                lambda e: isinstance(e.body, TurnEnded) and "m1" in e.body.client_message_ids
            )
        assert ended.attempt == 1
