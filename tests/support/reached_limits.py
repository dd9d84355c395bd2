"""Sessions that take no further input: some limit of them, or of their process, is reached."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from heartrule.v1 import conversation_pb2
from session_store.turn_rules import MAX_WAITING
from tests.support.conversing import Client
from tests.support.doors import typed
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.scripts import ask_script


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedLimit:
    """One limit, and how a session comes to it."""

    reach: Callable[[Client, str], Awaitable[None]]
    hangs: bool = False
    """The model says nothing, in the opening already."""
    environ: Mapping[str, str] = field(default_factory=dict)

    def around(self) -> Neighbours:
        """Return the executor's surroundings."""
        hung = Reply(("",), gate=asyncio.Event())
        model = FakeModel([hung if self.hangs else ask_reply("怎么称呼你？")] * 40)
        model.tokens = 1
        return Neighbours(model=model, environ={"HEARTRULE_STOP_GRACE": "0.1", **self.environ})

    async def session(self, client: Client) -> str:
        """Return a session that is at its limit."""
        session_id = await client.start(ask_script(9))
        await self.reach(client, session_id)
        return session_id


async def _one_input(client: Client, session_id: str) -> None:
    await client.send(session_id, "m0", "你好")


async def _all_that_may_wait(client: Client, session_id: str) -> None:
    for number in range(MAX_WAITING):
        await _submit(client, session_id, f"w{number}")


async def _another_session(client: Client, _session_id: str) -> None:
    await _submit(client, await client.start(ask_script(9)), "m0")


async def _submit(client: Client, session_id: str, name: str) -> None:
    request = conversation_pb2.SubmitInputRequest(session_id=session_id, input=typed("嗯", name))
    await client.stubs.conversation.SubmitInput(request)


LIMITS: Mapping[str, ReachedLimit] = {
    "inputs a minute": ReachedLimit(reach=_one_input, environ={"HEARTRULE_INPUTS_PER_MINUTE": "1"}),
    "tokens a day": ReachedLimit(
        reach=_one_input, environ={"HEARTRULE_SESSION_TOKENS_PER_DAY": "1"}
    ),
    "turns of the process": ReachedLimit(
        reach=_another_session, hangs=True, environ={"HEARTRULE_MAX_TURNS": "1"}
    ),
    "inputs that wait": ReachedLimit(reach=_all_that_may_wait, hangs=True),
}
