"""A chat against a written executor, its client's lines known beforehand."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from heartrule.domain.conversation import Audience
from heartrule.words.language import ReaderLanguage
from heartrule_cli.chat.chat_end import ChatEnd
from heartrule_cli.chat.chat_loop import ChatLoop
from heartrule_cli.chat.client_lines import Lines
from heartrule_cli.chat.conversation_stream import ConversationStream, Wish
from heartrule_cli.chat.event_printer import EventPrinter
from heartrule_cli.chat.screen import Screen
from heartrule_cli.executor_client import executor_at
from heartrule_cli.style import Style
from tests.support.fake_executor import SESSION, FakeExecutor, serving

POSITION = "  p › t › ask · round 1 of 3"
"""What stands beneath each turn of the fake."""


@dataclass(slots=True)
class Listed:
    """A client whose lines are known beforehand."""

    left: list[str]
    attended: bool = False
    live: bool = False

    def ask(self) -> None:
        """All lines are there."""

    async def next(self) -> str | None:
        """Return the next line."""
        return self.left.pop(0) if self.left else None

    def close(self) -> None:
        """Nothing is held."""


@dataclass(slots=True)
class Written:
    """A client who writes when a test says so."""

    attended: bool = False
    live: bool = True
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    """Set where the chat waits for a line."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Set where the chat has read to the end."""
    queue: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)

    def ask(self) -> None:
        """Take note of it."""
        self.asked.set()

    def write(self, *lines: str | None) -> None:
        """Write lines; None ends them."""
        for line in lines:
            self.queue.put_nowait(line)

    async def next(self) -> str | None:
        """Return the next line."""
        line = await self.queue.get()
        if line is None:
            self.ended.set()
        return line

    def close(self) -> None:
        """Nothing is held."""


@dataclass(slots=True)
class Talked:
    """How a chat went."""

    end: ChatEnd
    lines: list[str]


class Paper(io.StringIO):
    """What a chat printed."""

    def __init__(self) -> None:
        super().__init__()
        self.written = asyncio.Event()

    def write(self, text: str) -> int:
        """Write, and wake who waits for it."""
        self.written.set()
        return super().write(text)


@dataclass(slots=True)
class Room:
    """A chat about to begin."""

    chat: ChatLoop
    out: Paper
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def until_shown(self, text: str) -> None:
        """Return once a text is on the screen."""
        async with asyncio.timeout(20):
            while text not in self.out.getvalue():
                await self.out.written.wait()
                self.out.written.clear()

    async def talk(self) -> Talked:
        """Hold the conversation and return what was shown."""
        async with asyncio.timeout(20):
            end = await self.chat.run(self.stop)
        return Talked(end=end, lines=self.out.getvalue().splitlines())


@asynccontextmanager
async def room(
    fake: FakeExecutor,
    lines: Lines,
    *,
    live: bool = False,
    language: ReaderLanguage = ReaderLanguage.ENGLISH,
) -> AsyncIterator[Room]:
    """Serve the fake and yield a chat with it."""
    out = Paper()
    async with serving(fake) as address, executor_at(address) as executor:
        wish = Wish(
            session_id=SESSION, after_sequence=0, drafts=live, audiences=frozenset(Audience)
        )
        screen = Screen(out, Style(colours=False), live=live)
        printer = EventPrinter(screen, debug=False, language=language)
        conversation = ConversationStream(executor, wish)
        chat = ChatLoop(conversation=conversation, printer=printer, lines=lines)
        chat.waits.analysis_s = 0.2
        yield Room(chat, out)


async def talked(fake: FakeExecutor, *lines: str, attended: bool = False) -> Talked:
    """Hold a whole chat of these lines."""
    async with room(fake, Listed([*lines], attended=attended)) as entered:
        return await entered.talk()
