"""Conversations whose second reply is held back, to be stopped meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from heartrule.domain.events import DraftDelta, SessionEvent, TurnEnded
from session_store.open import open_in_memory
from session_store.ports import Store
from tests.support.conversing import Client, Conversing
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, Reply, ask_reply, whole
from tests.support.scripts import ask_script

QUESTION = ask_reply("怎么称呼你？")
ANSWER = ask_reply("好的，小明。我们慢慢来，")
"""A whole sentence, and a part of the next."""
NEXT = ask_reply("慢慢说。")
LATER = ask_reply("请继续。")


def held_after(shown: str, reply: str = ANSWER) -> Reply:
    """Return a reply that stops behind these words until its gate is opened; it never is."""
    at = reply.index(shown) + len(shown) if shown else 5
    return Reply(pieces=(reply[:at], reply[at:]), gate=asyncio.Event())


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A conversation whose turn of m1 waits for its model."""

    client: Client
    session_id: str
    stream: Conversing
    turn_id: str
    drafts: list[SessionEvent] = field(default_factory=list)
    """What was shown of the reply."""
    model: FakeModel

    async def ended(self) -> TurnEnded:
        """Read to the end of the next turn."""
        return await self.stream.until_body(TurnEnded)


@asynccontextmanager
async def held(
    shown: str = "好的，小明。我们",
    *,
    reply: str = ANSWER,
    script: str = "",
    store: Store | None = None,
    environ: dict[str, str] | None = None,
    first: str = "小明",
) -> AsyncIterator[Held]:
    """Begin a turn whose reply is shown so far and then stalls."""
    waits = held_after(shown, reply)
    model = FakeModel([whole(QUESTION), waits, *[whole(NEXT)] * 2, *[whole(LATER)] * 9])
    around = Neighbours(
        model=model,
        store=store or open_in_memory(),
        environ={"HEARTRULE_DRAFT_WINDOW_MS": "0", **(environ or {})},
    )
    async with running_executor(around) as running:
        session_id = await running.client.start(script or ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say("m1", first)
            await waits.started.wait()
            drafts = [await stream.until(_is_draft)] if shown else []
            begun = drafts[0] if drafts else await stream.until(_has_turn)
            yield Held(
                client=running.client,
                session_id=session_id,
                stream=stream,
                turn_id=begun.turn_id,
                drafts=drafts,
                model=model,
            )


def _is_draft(event: SessionEvent) -> bool:
    return isinstance(event.body, DraftDelta)


def _has_turn(event: SessionEvent) -> bool:
    return bool(event.turn_id)
