"""A process that died while it held a session keeps nobody in danger waiting."""

from __future__ import annotations

import pytest

from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from tests.support.doors import DOORS, Door, typed
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script
from tests.support.store_builders import LONG, accept


@pytest.mark.parametrize("opened", [True, False])
@pytest.mark.parametrize("door", DOORS)
async def test_the_card_does_not_wait_for_the_end_of_a_lease(door: Door, *, opened: bool) -> None:
    """The lease of the dead process has an hour to go, with its turn, or the opening."""
    around = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")] * 9))
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        key = SessionKey(DEFAULT_TENANT, session_id)
        if opened:
            await running.client.initialize(session_id)
            await accept(around.store, key, "m0", "你好")
            await around.store.begin_turn(key, owner="dead", ttl=LONG)
        else:
            await around.store.begin_opening(key, owner="dead", ttl=LONG)
        assert "12356" in await door(running.client, session_id, typed("我想自杀"))
