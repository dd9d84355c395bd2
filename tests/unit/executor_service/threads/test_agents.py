"""Agents: phases in two steps, and the way of a sub-thread (003-4.2, 003-10.1; T3, T6, T7, T12)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import pytest

from executor_service.threads.agents import SubThreadAgent
from executor_service.threads.handlers import StateHandler
from executor_service.threads.task import RETRY, Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_errors import ThreadFault
from executor_service.threads.thread_path import MAIN
from executor_service.threads.units import InteractionUnit
from heartrule.domain.errors import NotReady
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import MOST_UNITS, ThreadRole, ThreadSettings
from tests.support.thread_parts import (
    METADATA,
    Raises,
    Says,
    main_agent,
    nested,
    requester,
    responsor,
    starter,
    sub_agent,
    task_at,
)
from tests.support.thread_rows import ThreadRows


class Broken(Says):
    """Returns whatever it was given in place of a response."""

    def __init__(self, response: object) -> None:
        super().__init__(next_phase="b")
        self._response = response

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        self._suggest_phase_update(task, thread)
        return self._response  # type: ignore[return-value]


class Waits(Says):
    """Waits until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.may_end = asyncio.Event(), asyncio.Event()

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        self.begun.set()
        await self.may_end.wait()
        return Response("好")


def three_units() -> Mapping[str, InteractionUnit]:
    return {
        "initial_phase": starter("需求", "outline"),
        "outline": responsor("大纲", "check"),
        "check": requester("全文", "completed"),
    }


async def played(
    make_units: Callable[[], Mapping[str, InteractionUnit]] = three_units,
) -> tuple[Response, list[str], Thread]:
    rows = ThreadRows()
    thread, path = nested(rows)
    agent = await sub_agent(make_units).create(METADATA, {})
    response = await agent.execute_task(task_at(path, rows.host(thread)), thread)
    assert thread.unsaved == ()
    return response, [each.text for each in thread.resolve(path).messages], thread


# --- the main thread ----------------------------------------------------------------------------


async def test_a_main_agent_delegates_to_the_handler_of_the_phase() -> None:
    """003-6.1, 003-10.1: `execute_task` gives the task to the phase's handler, which writes."""
    rows = ThreadRows("a")
    thread = rows.restored()
    agent = await main_agent(lambda: {"a": Says("你好", next_phase="b"), "b": Says()}).create(
        METADATA, {"tone": "warm"}
    )
    response = await agent.execute_task(task_at(MAIN, rows.host(thread), "早"), thread)
    assert response.text == "你好"
    assert [(m.role, m.text, m.phase) for m in rows.restored().messages] == [
        (ThreadRole.USER, "早", "a"),
        (ThreadRole.BOT, "你好", "a"),
    ]
    assert (agent.metadata, agent.settings) == (METADATA, {"tone": "warm"})


async def test_a_suggested_phase_is_applied_by_the_next_task() -> None:
    """003-4.1: a phase is suggested by a handler, and applied by the agent."""
    rows = ThreadRows("a")
    thread = rows.restored()
    kind = main_agent(lambda: {"a": Says(next_phase="b"), "b": Says("乙")})
    agent = await kind.create(METADATA, {})
    await agent.execute_task(task_at(MAIN, rows.host(thread)), thread)
    assert rows.settings[""] == ThreadSettings(phase="a", suggested_phase="b")
    assert (await agent.execute_task(task_at(MAIN, rows.host(thread)), thread)).text == "乙"
    assert rows.settings[""] == ThreadSettings(phase="b")


async def test_a_task_done_again_drops_the_suggestion() -> None:
    """003-4.2: with the retry flag the phase is kept and what was suggested is dropped."""
    rows = ThreadRows("a")
    rows.settings[""] = ThreadSettings(phase="a", suggested_phase="b", other={"x": 1})
    thread = rows.restored()
    agent = await main_agent(lambda: {"a": Says("甲"), "b": Says()}).create(METADATA, {})
    task = task_at(MAIN, rows.host(thread), ui_action=RETRY)
    assert (await agent.execute_task(task, thread)).text == "甲"
    assert rows.settings[""] == ThreadSettings(phase="a", other={"x": 1})


async def test_an_unknown_phase_is_dropped_and_the_phase_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """T3: a phase that has no handler is an error in the log; the conversation goes on."""
    rows = ThreadRows("a")
    thread = rows.restored()
    agent = await main_agent(lambda: {"a": Says("甲", next_phase="nowhere")}).create(METADATA, {})
    for _ in range(2):
        assert (await agent.execute_task(task_at(MAIN, rows.host(thread)), thread)).text == "甲"
    assert rows.settings[""].phase == "a"
    assert [record.levelname for record in caplog.records] == ["ERROR"]


async def test_a_thread_in_a_phase_without_a_handler_is_an_error() -> None:
    """003-10.1: the error names the agent and the phase."""
    rows = ThreadRows("nowhere")
    thread = rows.restored()
    agent = await main_agent(lambda: {"a": Says()}).create(METADATA, {})
    with pytest.raises(ThreadFault) as refused:
        await agent.execute_task(task_at(MAIN, rows.host(thread)), thread)
    assert refused.value.metadata == {"agent": "tested", "phase": "nowhere"}
    assert rows.batches == []


@pytest.mark.parametrize(
    "handler",
    [
        Raises(RuntimeError("x"), next_phase="b"),
        Broken(None),
        Broken("好"),
        Broken(Response(" \n")),
        Broken(Response("长" * 200_001)),
    ],
)
async def test_a_broken_handler_leaves_the_phase_as_it_was(handler: StateHandler) -> None:
    """T14: what raises, returns nothing or too much advances nothing, and says nothing."""
    rows = ThreadRows("a")
    thread = rows.restored()
    agent = await main_agent(lambda: {"a": handler, "b": Says()}).create(METADATA, {})
    with pytest.raises((ThreadFault, RuntimeError)):
        await agent.execute_task(task_at(MAIN, rows.host(thread)), thread)
    assert [m.text for m in rows.restored().messages] == ["请写"]
    assert rows.settings[""].suggested_phase is None


@pytest.mark.parametrize("flag", ["is_stopped", "is_failed"])
async def test_a_stopped_or_failed_response_does_not_advance(flag: str) -> None:
    """T14: what was said stays, and no phase is suggested."""
    rows = ThreadRows("a")
    thread = rows.restored()
    broken = Broken(Response("说到一半", **{flag: True}))  # type: ignore[arg-type]
    agent = await main_agent(lambda: {"a": broken, "b": Says()}).create(METADATA, {})
    await agent.execute_task(task_at(MAIN, rows.host(thread)), thread)
    assert rows.settings[""] == ThreadSettings(phase="a")
    assert rows.restored().messages[-1].text == "说到一半"


async def test_a_second_task_waits_for_no_first_one() -> None:
    """T12: while a task is at work on a thread, another one is refused."""
    rows = ThreadRows("a")
    thread, handler = rows.restored(), Waits()
    agent = await main_agent(lambda: {"a": handler}).create(METADATA, {})
    first = asyncio.ensure_future(agent.execute_task(task_at(MAIN, rows.host(thread)), thread))
    await handler.begun.wait()
    with pytest.raises(NotReady) as refused:
        await agent.execute_task(task_at(MAIN, rows.host(thread)), thread)
    handler.may_end.set()
    assert ((await first).text, refused.value.reason) == ("好", "THREAD_BUSY")


# --- sub-threads --------------------------------------------------------------------------------


async def test_a_sub_thread_goes_from_unit_to_unit_to_its_end() -> None:
    """003-4.1, T6, T17: phases are moved at once; the result is the last text of the bot."""
    response, texts, thread = await played()
    assert texts == ["请写", "需求", "关于需求", "大纲", "关于大纲", "请写", "全文"]
    assert response.text == "全文"
    assert thread.settings_of("thread-0") == ThreadSettings(phase="completed")


async def test_a_sub_threads_phases_are_its_own() -> None:
    """T17: the main thread's settings are not touched."""
    _, _, thread = await played()
    assert thread.settings_of("main") == ThreadSettings(phase="talking")


async def test_units_that_feed_each_other_end_after_fifty() -> None:
    """T7: the fifty-first unit is not executed; what was said stays."""
    rows = ThreadRows()
    thread, path = nested(rows)
    agent = await sub_agent(
        lambda: {"initial_phase": requester("甲", "b"), "b": requester("乙", "initial_phase")}
    ).create(METADATA, {})
    with pytest.raises(ThreadFault) as refused:
        await agent.execute_task(task_at(path, rows.host(thread)), thread)
    assert refused.value.reason == "ENDLESS_PHASES"
    assert len(rows.restored().resolve(path).messages) == 2 * MOST_UNITS


async def test_a_phase_that_never_ends_ends_after_fifty_units() -> None:
    """T7: a phase that stays is counted as well."""
    with pytest.raises(ThreadFault) as refused:
        await played(lambda: {"initial_phase": requester("甲")})
    assert refused.value.reason == "ENDLESS_PHASES"


async def test_an_unknown_phase_ends_a_sub_thread_in_the_phase_it_had() -> None:
    """T3: the suggestion is dropped with an error, and the phase kept."""
    rows = ThreadRows()
    thread, path = nested(rows)
    kind = sub_agent(lambda: {"initial_phase": requester("甲", "nowhere")})
    agent = await kind.create(METADATA, {})
    with pytest.raises(ThreadFault) as refused:
        await agent.execute_task(task_at(path, rows.host(thread)), thread)
    assert refused.value.reason == "UNKNOWN_THREAD_PHASE"
    assert rows.restored().resolve(path).settings == ThreadSettings(phase="initial_phase")


async def test_values_are_read_from_the_thread() -> None:
    """003-7.1: a sub-thread returns values beside its text, the same after a crash."""

    class Counting(sub_agent(three_units)):  # type: ignore[misc]
        def result_values(self, task: Task, thread: Thread) -> Mapping[str, JsonValue]:
            return {"messages": len(thread.resolve(task.path).messages)}

    rows = ThreadRows()
    thread, path = nested(rows)
    agent: SubThreadAgent = await Counting.create(METADATA, {})
    task = task_at(path, rows.host(thread))
    first, second = [await agent.execute_task(task, thread) for _ in range(2)]
    assert first.values == second.values == {"messages": 7}


async def test_an_added_task_is_given_to_the_next_unit() -> None:
    """003-7.1: a response may add the task of the unit behind it, with a request of its own."""

    class Adds(Says):
        async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
            response = Response("第一")
            response.add_next_task(Task(name="x", message="第二个请求", host_utils=task.host_utils))
            return response

    response, texts, _ = await played(
        lambda: {
            "initial_phase": requester("x", "b", handler=Adds),
            "b": requester("第二", "completed"),
        }
    )
    assert (texts, response.text) == (["请写", "第一", "第二个请求", "第二"], "第二")
