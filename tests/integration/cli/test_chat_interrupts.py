"""Ctrl-C in a chat: once it stops the answer, twice it leaves."""

from __future__ import annotations

import asyncio
import io
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from heartrule.domain.conversation import Audience
from heartrule_cli.chat.chat_end import ChatOutcome
from heartrule_cli.chat.chat_loop import ChatLoop
from heartrule_cli.chat.conversation_stream import ConversationStream, Wish
from heartrule_cli.chat.event_printer import EventPrinter
from heartrule_cli.chat.screen import Screen
from heartrule_cli.executor_client import executor_at
from heartrule_cli.stopping import Stop
from heartrule_cli.style import Style
from tests.support.chat_room import Listed
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, whole
from tests.support.interrupting import QUESTION, held_after
from tests.support.scripts import ask_script

SOON_S = 20.0


@asynccontextmanager
async def talking(
    *lines: str, attended: bool = True
) -> AsyncIterator[tuple[ChatLoop, io.StringIO]]:
    """Give a chat whose first answer never comes to its end."""
    out, model = io.StringIO(), FakeModel([whole(QUESTION), held_after("好的，小明。我们")])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script(9))
        wish = Wish(
            session_id=session_id, after_sequence=0, drafts=True, audiences=frozenset(Audience)
        )
        async with executor_at(f"127.0.0.1:{running.server.port}") as executor:
            printer = EventPrinter(Screen(out, Style(colours=False), live=True), debug=False)
            listed = Listed(list(lines), attended=attended)
            conversation = ConversationStream(executor, wish)
            yield ChatLoop(conversation=conversation, printer=printer, lines=listed), out


async def shown(chat: ChatLoop, out: io.StringIO, text: str) -> None:
    """Return once a text is on the screen."""
    async with asyncio.timeout(SOON_S):
        while text not in out.getvalue():
            chat.waits.changed.clear()
            await chat.waits.changed.wait()


async def test_once_it_stops_the_answer_and_the_chat_goes_on() -> None:
    """What was shown stays as an interrupted message, and the next line is asked for."""
    async with talking("小明") as (chat, out):
        talk = asyncio.create_task(chat.run(asyncio.Event()))
        await shown(chat, out, "好的，小明。我们")
        assert chat.interrupt()
        async with asyncio.timeout(SOON_S):
            end = await talk
        assert end.how is ChatOutcome.LINES_ENDED
        assert "interrupted" in out.getvalue()
        assert "stopped" in out.getvalue()


async def test_pressed_again_it_leaves() -> None:
    """The second signal is for the command, as is one while no turn runs."""
    async with talking("小明") as (chat, out):
        stop = Stop()
        stop.instead = chat.interrupt
        assert not chat.interrupt()
        talk = asyncio.create_task(chat.run(stop.asked))
        await shown(chat, out, "好的，小明。我们")
        stop.received(signal.SIGINT)
        assert not stop.asked.is_set()
        stop.received(signal.SIGINT)
        async with asyncio.timeout(SOON_S):
            assert (await talk).how is ChatOutcome.LEFT


async def test_where_nobody_watches_it_leaves_at_once() -> None:
    """Lines from a pipe are not talked to; and SIGTERM always means to leave."""
    async with talking("小明", attended=False) as (chat, out):
        talk = asyncio.create_task(chat.run(asyncio.Event()))
        await shown(chat, out, "好的，小明。我们")
        assert not chat.interrupt()
        stop = Stop()
        stop.instead = lambda: True
        stop.received(signal.SIGTERM)
        assert stop.asked.is_set()
        talk.cancel()
        await asyncio.gather(talk, return_exceptions=True)
