"""Background work is bounded, isolated and awaited."""

from __future__ import annotations

import asyncio

import pytest

from heartrule.chassis.background import Background


async def test_work_beyond_the_limit_is_dropped_and_told() -> None:
    """A full group refuses, and takes again once something ended."""
    group, go = Background("monitor", limit=1), asyncio.Event()

    async def work() -> None:
        await go.wait()

    assert group.spawn(work(), label="one")
    assert not group.spawn(work(), label="two")
    go.set()
    await group.idle()
    assert group.spawn(work(), label="three")
    await group.idle()


async def test_a_failure_is_logged_and_touches_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """One task's exception ends that task alone."""
    group, done = Background("monitor", limit=2), asyncio.Event()

    async def fail() -> None:
        raise RuntimeError("boom")

    async def succeed() -> None:
        done.set()

    group.spawn(fail(), label="bad")
    group.spawn(succeed(), label="good")
    await group.idle()
    assert done.is_set()
    assert [vars(record)["label"] for record in caplog.records] == ["bad"]


async def test_drain_cancels_what_outlives_the_grace() -> None:
    """After the drain nothing runs, and nothing new is taken."""
    group = Background("monitor", limit=2)
    group.spawn(_forever(), label="late")
    await group.drain(0.01)
    assert len(group) == 0
    assert not group.spawn(_forever(), label="later")


async def _forever() -> None:
    await asyncio.Event().wait()
