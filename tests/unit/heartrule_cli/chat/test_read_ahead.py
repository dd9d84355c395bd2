"""A client's lines while turns run: they wait, except where one means danger."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from heartrule_cli.chat.read_ahead import ReadAhead
from tests.support.chat_room import Written

DANGER = "我想自杀"


class Talk:
    """What goes out while a turn runs."""

    def __init__(self, lines: Written) -> None:
        self.lines = lines
        self.read: list[list[str]] = []
        self.sent: asyncio.Queue[list[str]] = asyncio.Queue()
        self.ahead = ReadAhead(lines, self.in_danger, self.send_now)

    async def in_danger(self, texts: Sequence[str]) -> bool:
        self.read.append([*texts])
        return texts[-1] == DANGER

    async def send_now(self, texts: Sequence[str]) -> None:
        await self.sent.put([*texts])

    def write(self, *texts: str | None) -> None:
        self.lines.write(*texts)


@asynccontextmanager
async def talking(*, live: bool = True) -> AsyncIterator[Talk]:
    talk = Talk(Written(live=live))
    reading = asyncio.create_task(talk.ahead.run())
    try:
        async with asyncio.timeout(20):
            yield talk
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def test_an_ordinary_line_waits_for_its_turn() -> None:
    """It was read, and is there at once when the turn before it has ended."""
    async with talking() as talk:
        talk.write("一", "二", None)
        assert [await talk.ahead.next() for _ in range(3)] == ["一", "二", None]
        assert talk.sent.empty()


async def test_a_line_in_danger_waits_for_none() -> None:
    """All that waits goes out before it, in its order; it is read behind that."""
    async with talking() as talk:
        talk.write("喂", " ", DANGER, "在吗")
        assert await talk.sent.get() == ["喂", DANGER]
        assert talk.read[:2] == [["喂"], ["喂", " ", DANGER]]
        assert await talk.ahead.next() == "在吗"


async def test_a_line_that_is_waited_for_needs_no_reading() -> None:
    """It is sent as soon as it comes; the one behind it may come before it is sent."""
    async with talking() as talk:
        asked = asyncio.create_task(talk.ahead.next())
        await talk.lines.asked.wait()
        talk.write("一", DANGER)
        assert await asked == "一"
        assert await talk.sent.get() == [DANGER]


async def test_a_prepared_line_waits_whatever_it_says() -> None:
    """A conversation written beforehand means what it meant where each line answers a turn."""
    async with talking(live=False) as talk:
        talk.write("小明", DANGER, None)
        assert await talk.ahead.next() == "小明"
        assert await talk.ahead.next() == DANGER
        assert talk.read == []


async def test_the_rest_is_what_is_there_already() -> None:
    """After a script's end nobody waits for a pipe that stays open."""
    async with talking(live=False) as talk:
        talk.write("一", "二", "三")
        assert await talk.ahead.next() == "一"
        assert await talk.ahead.rest() == ["二", "三"]
