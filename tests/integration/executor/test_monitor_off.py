"""A process whose monitor is turned off."""

from __future__ import annotations

from heartrule.domain.events import ActionResultRecorded, TurnEnded
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script


async def test_a_monitor_turned_off_is_never_asked() -> None:
    """No round asks for an analysis, and the client is not told to expect one."""
    around = Neighbours(
        model=FakeModel([ask_reply("怎么称呼你？"), ask_reply("慢慢说。")]),
        environ={"HEARTRULE_MONITOR_ADDRESS": "off"},
    )
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "嗯")
        told = [
            b.action_result.metadata["analysis"] for b in stream.told.of(ActionResultRecorded)[1:]
        ]
        assert told == ["skipped"]
        assert await around.store.due_monitor_requests(10) == ()
