"""A run of a sub-agent: one step to its engine, checkpoints in rows, an end in any case."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from executor_service.failpoints import Failpoint
from executor_service.sub_agents.sub_agent_body import LONGEST_RESULT
from executor_service.workflows.engine.driver_ports import DriveEnd
from heartrule.domain.errors import ModelUnavailable, StoreUnavailable
from heartrule.domain.model_call import Purpose
from heartrule.domain.run_events import Activity, ActivityState
from heartrule.domain.runs import RunErrorCode, RunState
from heartrule.domain.threads import ThreadState
from session_store.records import Page
from tests.support.driven_runs import SeenFailpoints
from tests.support.fake_model import Reply
from tests.support.store_threads import PLAIN, texts
from tests.support.sub_agent_world import Begins, ByQuestion, SubAgentWorld, a_sub_agent
from tests.support.written_nodes import DyingStore

DOWN = Reply((), fails=ModelUnavailable("down", reason="MODEL_CONNECTION"))


async def test_it_goes_from_unit_to_unit_and_its_answer_takes_the_placeholders_place() -> None:
    """The last text of the bot is the result; where no turn runs it is told at once."""
    world = await a_sub_agent()
    world.agents.values = {"来源": "两篇"}
    world.model.will_say("找到两篇", "早点睡")
    assert (await world.drive()).end is DriveEnd.ENDED
    kept = (await world.thread()).thread
    assert (kept.state, kept.result_text, kept.values) == (
        ThreadState.COMPLETED,
        "早点睡",
        {"来源": "两篇"},
    )
    assert await world.said() == ["查一查", "找到两篇", "总结一下", "早点睡"]
    assert (await texts(world.store, world.key))[-1] == "早点睡"
    assert (await world.kept()).state is RunState.COMPLETED


async def test_each_message_is_a_checkpoint() -> None:
    """So are the phases; a client is told of a phase with a label."""
    world = await a_sub_agent()
    world.model.will_say("找到两篇", "早点睡")
    await world.drive()
    assert isinstance(world.failpoints, SeenFailpoints)
    assert world.failpoints.seen.count(Failpoint.THREAD_WRITTEN) == 8
    told = [each.body for each in world.events if isinstance(each.body, Activity)]
    assert [each.label for each in told if each.state is ActivityState.GOES_ON] == ["正在整理"]


async def test_each_call_of_the_model_is_in_the_ledger() -> None:
    """With the run and the thread that made it, and a purpose of its own."""
    world = await a_sub_agent()
    world.model.will_say("找到两篇", "早点睡")
    await world.drive()
    ledger, _ = await world.store.list_ledger(world.key, Page(size=9))
    assert [(each.run_id, each.thread_id) for each in ledger] == [("run_1", "thr_1")] * 2
    assert {each.call.purpose for each in ledger} == {Purpose.THREAD}


@pytest.mark.parametrize("is_written", [True, False])
@pytest.mark.parametrize("dies_at", range(1, 11))
async def test_a_worker_may_die_at_any_write(dies_at: int, *, is_written: bool) -> None:
    """The next one goes on: no message is lost or doubled, one call is made again at most."""
    world = await a_sub_agent()
    world.model = ByQuestion({"查一查": "找到两篇", "总结一下": "早点睡"})
    store = DyingStore(world.store, dies_at=dies_at, is_written=is_written)
    dying = asyncio.ensure_future(world.drive(store=store))
    death = asyncio.ensure_future(store.dead.wait())
    await asyncio.wait({dying, death}, return_when=asyncio.FIRST_COMPLETED)
    dying.cancel()
    death.cancel()
    await asyncio.wait({dying, death})
    await world.drive(owner="w2")
    assert await world.said() == ["查一查", "找到两篇", "总结一下", "早点睡"]
    assert len(world.model.requests) <= 3
    assert (await world.thread()).thread.state is ThreadState.COMPLETED
    assert (await texts(world.store, world.key))[-1] == "早点睡"


async def test_an_agent_whose_model_is_down_fails_with_a_plain_line() -> None:
    """No placeholder dangles, and what was said stays."""
    world = await a_sub_agent()
    world.model.will_say("找到两篇", DOWN)
    await world.drive()
    run, kept = await world.kept(), await world.thread()
    assert run.failure is not None
    assert (run.state, run.failure.code) == (RunState.FAILED, RunErrorCode.MODEL_ERROR)
    assert (kept.thread.failure_code, kept.is_shown) == ("MODEL_ERROR", True)
    assert (await texts(world.store, world.key))[-1] == PLAIN
    assert await world.said() == ["查一查", "找到两篇", "总结一下"]


@pytest.mark.parametrize(
    ("answer", "code"),
    [("x" * (LONGEST_RESULT + 1), RunErrorCode.LIMIT), ("不能说", RunErrorCode.UNREADABLE)],
)
async def test_an_answer_that_nobody_may_read_fails(answer: str, code: RunErrorCode) -> None:
    """It is too long, or the checks leave nothing of it."""
    world = await a_sub_agent()
    world.model.will_say("找到两篇", answer)
    await world.drive()
    failure = (await world.kept()).failure
    assert failure is not None
    assert failure.code is code


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("", RunErrorCode.UNREADABLE),
        (" \n", RunErrorCode.UNREADABLE),
        ("长" * 10_000_000, RunErrorCode.LIMIT),
    ],
    ids=["nothing", "blank", "ten megabytes"],
)
async def test_a_model_may_answer_nothing_or_ten_megabytes(answer: str, code: RunErrorCode) -> None:
    """The thread fails where it is, nothing of it is stored, and the plain line is said."""
    world = await a_sub_agent()
    world.model.will_say(Reply((answer,)))
    await world.drive()
    failure = (await world.kept()).failure
    assert failure is not None
    assert (failure.code, len(failure.message) < 500) == (code, True)
    assert await world.said() == ["查一查"]
    assert (await texts(world.store, world.key))[-1] == PLAIN


async def test_a_phase_that_never_ends_fails_with_what_was_said() -> None:
    """After fifty units; no placeholder is left standing."""
    world = await a_sub_agent()
    world.agents.units = lambda model: {"plan": Begins("查一查", model, "plan")}
    world.model = ByQuestion({"查一查": "还没完"})
    await world.drive()
    failure = (await world.kept()).failure
    assert failure is not None
    assert (failure.code, "ENDLESS_PHASES" in failure.message) == (RunErrorCode.LIMIT, True)
    assert len(world.model.requests) == 50
    assert (await texts(world.store, world.key))[-1] == PLAIN


async def test_its_time_begins_with_its_first_taking() -> None:
    """When it is over the thread ends, whoever has it."""
    world = await a_sub_agent(timeout=timedelta(seconds=30))
    held = Reply(("找到",), gate=asyncio.Event())
    world.model.will_say(held)
    first = asyncio.ensure_future(world.drive())
    await held.started.wait()
    first.cancel()
    await asyncio.wait({first})
    world.clock.move(timedelta(seconds=31))
    await world.drive(owner="w2")
    failure = (await world.kept()).failure
    assert failure is not None
    assert failure.code is RunErrorCode.RUN_TIMEOUT
    assert (await texts(world.store, world.key))[-1] == PLAIN


async def test_a_worker_that_leaves_gives_the_run_back() -> None:
    """Another one goes on where it was."""
    world = await a_sub_agent()
    held = Reply(("找到",), gate=asyncio.Event())
    world.model.will_say(held)
    leaving = asyncio.ensure_future(world.drive())
    await held.started.wait()
    world.leaving.set()
    assert (await leaving).end is DriveEnd.PAUSED
    world.leaving.clear()
    world.model.will_say("找到两篇", "早点睡")
    assert (await world.drive(owner="w2")).end is DriveEnd.ENDED
    assert await world.said() == ["查一查", "找到两篇", "总结一下", "早点睡"]


async def test_a_run_that_is_cancelled_writes_nothing_more() -> None:
    """Its thread ends with it, and the plain line stands in the placeholder's place."""
    world = await a_sub_agent()
    gate = asyncio.Event()
    held = Reply(("找到", "两篇"), gate=gate)
    world.model.will_say(held)
    driving = asyncio.ensure_future(world.drive())
    await held.started.wait()
    await world.store.cancel_run(world.key, "run_1")
    gate.set()
    assert (await driving).end is DriveEnd.FENCED
    assert (await world.thread()).thread.state is ThreadState.CANCELLED
    assert await world.said() == ["查一查"]


class NothingLeft:
    """Spending of a policy whose tokens are used up."""

    async def allow(self, *, api_calls: int = 0, llm_tokens: int = 0) -> bool:
        """Refuse."""
        return False

    async def add(self, *, llm_tokens: int) -> None:
        """Count nothing."""


async def test_without_tokens_no_model_is_asked() -> None:
    """The policy's limit holds while an agent works."""
    world = await a_sub_agent()
    world.spending = NothingLeft()
    await world.drive()
    failure = (await world.kept()).failure
    assert failure is not None
    assert failure.code is RunErrorCode.LIMIT
    assert world.model.requests == []


async def test_the_store_that_is_away_is_no_failure_of_the_agent() -> None:
    """The run breaks off, and whoever takes it next goes on."""
    world: SubAgentWorld = await a_sub_agent()
    world.model.will_say("找到两篇", "早点睡")
    store = DyingStore(world.store, away=["checkpoint"])
    with pytest.raises(StoreUnavailable):
        await world.drive(store=store)
    await world.drive(owner="w2")
    assert (await world.kept()).state is RunState.COMPLETED
