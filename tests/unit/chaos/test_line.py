"""A line that is closed leaves nobody hanging, whenever he came."""

from __future__ import annotations

import asyncio
import socket

import pytest

from tests.chaos.line import Line, Mode


def count_down(turns: int, reached: asyncio.Event) -> None:
    """Set the event so many turns of the loop from now."""
    if turns == 0:
        reached.set()
    else:
        asyncio.get_running_loop().call_soon(count_down, turns - 1, reached)


@pytest.mark.parametrize("turns", range(6))
async def test_who_came_just_before_the_end_is_hung_up_on(turns: int) -> None:
    """However far the loop is with taking a connection, closing the line ends it."""
    line = Line("127.0.0.1", 9)
    await line.open()
    line.cut(Mode.SILENT)
    with socket.create_connection(("127.0.0.1", line.port), timeout=5) as caller:
        reached = asyncio.Event()
        count_down(turns, reached)
        await reached.wait()
        await line.aclose()
        try:
            assert caller.recv(1) == b""
        except ConnectionResetError:
            pass
