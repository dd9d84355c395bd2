"""The floor's drafts are joined as the executor's are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tests.benchmarks.joining import Joining


class Reader:
    """Takes what is told; `gate` holds it up."""

    def __init__(self) -> None:
        self.told: list[tuple[int, str]] = []
        self.busy = False
        self.gate = asyncio.Event()
        self.gate.set()

    async def take(self, offset: int, text: str) -> None:
        """Take one piece, never two at a time."""
        assert not self.busy
        self.busy = True
        await self.gate.wait()
        self.busy = False
        self.told.append((offset, text))


async def test_the_first_piece_leaves_at_once_and_the_rest_together() -> None:
    """What follows within the window is told at its end, or at the end of all."""
    reader = Reader()
    drafts = Joining(reader.take)
    for piece in ("你", "好", "，"):
        await drafts.add(piece)
    assert reader.told == [(0, "你")]
    await drafts.flush()
    assert reader.told == [(0, "你"), (1, "好，")]


async def test_a_slow_reader_gets_every_piece_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows that end while a write goes on start no other."""
    ends: list[Callable[[], None]] = []

    def call_at(_when: float, call: Callable[[], None]) -> Timer:
        ends.append(call)
        return Timer()

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "time", lambda: 100.0)
    monkeypatch.setattr(loop, "call_at", call_at)
    reader = Reader()
    drafts = Joining(reader.take)
    await drafts.add("你")
    reader.gate.clear()
    for piece in ("好", "，", "吗"):
        await drafts.add(piece)
        ends.pop()()
        await asyncio.sleep(0)
    reader.gate.set()
    await drafts.flush()
    assert reader.told == [(0, "你"), (1, "好"), (2, "，吗")]


class Timer:
    """A timer that the test fires itself."""

    def cancel(self) -> None:
        """Be fired or not."""
