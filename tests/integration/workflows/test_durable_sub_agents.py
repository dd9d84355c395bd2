"""Runs of sub-agents on DBOS: one step each, without a word of theirs in its tables."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any, cast

from heartrule.domain.runs import RunState
from heartrule.domain.threads import ThreadState
from tests.support.durable_runs import durable
from tests.support.fake_model import Reply
from tests.support.sub_agent_world import ByQuestion, a_sub_agent

ANSWERS = {"查一查": "找到两篇", "总结一下": "早点睡"}


async def test_to_its_engine_the_whole_of_it_is_one_step(tmp_path: Path) -> None:
    """Units are no steps, and what was said stands in our rows alone."""
    world = await a_sub_agent()
    world.model = ByQuestion(ANSWERS)
    address = f"sqlite:///{tmp_path / 'heartrule.db'}"
    async with durable(cast("Any", world), address) as made:
        await made.engine.admit(world.key)
        assert await made.over("run_1") is RunState.COMPLETED
        assert steps_in(tmp_path) == 1
    assert not any("找到".encode() in each for each in contents(tmp_path))
    assert (await world.thread()).thread.state is ThreadState.COMPLETED
    await world.store.aclose()


async def test_what_one_worker_leaves_the_next_one_goes_on_with(tmp_path: Path) -> None:
    """A process that leaves gives the run back where it is."""
    world = await a_sub_agent()
    address = f"sqlite:///{tmp_path / 'heartrule.db'}"
    held = Reply(("找到",), gate=asyncio.Event())
    world.model.will_say("找到两篇", held)
    async with durable(cast("Any", world), address, worker_id="w1") as first:
        await first.engine.admit(world.key)
        await held.started.wait()
    world.model = ByQuestion(ANSWERS)
    async with durable(cast("Any", world), address, worker_id="w2") as second:
        await second.engine.resume(["run_1"])
        assert await second.over("run_1") is RunState.COMPLETED
    assert await world.said() == ["查一查", "找到两篇", "总结一下", "早点睡"]
    assert len(world.model.requests) == 1
    await world.store.aclose()


def contents(folder: Path) -> list[bytes]:
    """Return what the files of a folder hold."""
    return [each.read_bytes() for each in folder.iterdir()]


def steps_in(folder: Path) -> int:
    """Return how many steps the engine's tables have."""
    (file,) = folder.glob("*.db")
    with sqlite3.connect(file) as tables:
        ((count,),) = tables.execute("SELECT count(*) FROM operation_outputs")
    return int(count)
