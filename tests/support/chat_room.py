"""A chat against a written executor, its client's lines known beforehand."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from heartrule.domain.conversation import Audience
from heartrule_cli.chat import ChatEnd, ChatLoop
from heartrule_cli.conversation_stream import ConversationStream, Wish
from heartrule_cli.event_printer import EventPrinter
from heartrule_cli.executor_client import executor_at
from heartrule_cli.screen import Screen
from heartrule_cli.style import Style
from tests.support.fake_executor import SESSION, FakeExecutor, serving

POSITION = "  p › t › ask · round 1 of 3"
"""What stands beneath each turn of the fake."""


@dataclass(slots=True)
class Listed:
    """A client whose lines are known beforehand."""

    left: list[str]
    attended: bool = False

    async def next(self) -> str | None:
        """Return the next line."""
        return self.left.pop(0) if self.left else None

    async def rest(self) -> list[str]:
        """Return what is left."""
        return self.left

    def close(self) -> None:
        """Nothing is held."""


@dataclass(slots=True)
class Talked:
    """How a chat went."""

    end: ChatEnd
    lines: list[str]


@dataclass(slots=True)
class Room:
    """A chat about to begin."""

    chat: ChatLoop
    out: io.StringIO
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def talk(self) -> Talked:
        """Hold the conversation and return what was shown."""
        async with asyncio.timeout(20):
            end = await self.chat.run(self.stop)
        return Talked(end=end, lines=self.out.getvalue().splitlines())


@asynccontextmanager
async def room(fake: FakeExecutor, lines: Listed, *, live: bool = False) -> AsyncIterator[Room]:
    """Serve the fake and yield a chat with it."""
    out = io.StringIO()
    async with serving(fake) as address, executor_at(address) as executor:
        wish = Wish(
            session_id=SESSION, after_sequence=0, drafts=live, audiences=frozenset(Audience)
        )
        printer = EventPrinter(Screen(out, Style(colours=False), live=live), debug=False)
        conversation = ConversationStream(executor, wish)
        chat = ChatLoop(conversation=conversation, printer=printer, lines=lines, analysis_s=0.2)
        yield Room(chat, out)


async def talked(fake: FakeExecutor, *lines: str, attended: bool = False) -> Talked:
    """Hold a whole chat of these lines."""
    async with room(fake, Listed([*lines], attended=attended)) as entered:
        return await entered.talk()
