"""How the benchmark's processes talk: one line of JSON asks, one line answers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import TypeAlias, TypeVar

import orjson
import uvloop

T = TypeVar("T")
Answer: TypeAlias = "dict[str, object]"
LONGEST = 64 * 1024 * 1024
"""Bytes of one line at most."""


async def answer_lines(answer: Callable[[Answer], Awaitable[Answer]]) -> None:
    """Answer each line of standard input with one of standard output, until the input ends.

    A failure is answered as `{"error": …}`; who asked decides what it means.
    """
    lines = asyncio.StreamReader(limit=LONGEST)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin
    )
    while line := await lines.readline():
        try:
            reply = await answer(orjson.loads(line))
        except Exception as error:  # noqa: BLE001 - it is returned to the caller
            reply = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.buffer.write(orjson.dumps(reply) + b"\n")
        sys.stdout.buffer.flush()


def run(main: Coroutine[object, object, T]) -> T:
    """Run a process of the benchmark on the event loop the services use."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)
