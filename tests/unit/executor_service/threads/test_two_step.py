"""A sub-thread in two steps (003-7.1; RESOLUTIONS T8, T10, T18)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from executor_service.threads.agents import BaseAgent
from executor_service.threads.handlers import StateHandler
from executor_service.threads.task import Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_errors import ThreadFault
from executor_service.threads.thread_path import MAIN
from executor_service.threads.two_step import SubThreadWork, failure_code
from executor_service.threads.units import InteractionUnit, Requester, Responsor
from heartrule.domain.errors import LeaseLost, ModelUnavailable
from heartrule.domain.threads import ThreadState
from tests.support.thread_parts import (
    METADATA,
    SORRY,
    WAITING,
    OtherSays,
    Raises,
    Says,
    main_agent,
    requester,
    sub_agent,
    task_at,
    two_steps,
)
from tests.support.thread_rows import ThreadRows


class ThirdSays(Says):
    """A class for a third level."""


class Talk:
    """A main agent whose phase `ask` prepares and whose phase `work` executes."""

    def __init__(self, agent: BaseAgent) -> None:
        self.rows, self.agent = ThreadRows("ask"), agent
        self.thread = self.rows.restored()

    @classmethod
    async def of(
        cls, make_unit: Callable[[], InteractionUnit], *, work: SubThreadWork | None = None
    ) -> Talk:
        inner = sub_agent(lambda: {"initial_phase": make_unit()})
        prepare, execute = two_steps(inner, work=work)
        handlers: Mapping[str, StateHandler] = {
            "ask": prepare,
            "work": execute,
            "finished": OtherSays("还要什么？", next_phase="ask"),
        }
        return cls(await main_agent(lambda: handlers).create(METADATA, {}))

    async def say(self, text: str, **meta: object) -> Response:
        task = task_at(MAIN, self.rows.host(self.thread), text, **meta)
        return await self.agent.execute_task(task, self.thread)

    async def follow(self, response: Response) -> Response:
        (task,) = response.next_tasks
        task = replace(task, host_utils=self.rows.host(self.thread))
        return await self.agent.execute_task(task, self.thread)

    def texts(self) -> list[str]:
        return [each.text for each in self.rows.restored().messages]


async def test_the_first_step_says_a_placeholder_and_adds_the_second() -> None:
    """003-7.1, T18: placeholder, suggestion, and a task with the whole request."""
    talk = await Talk.of(lambda: requester("文章", "completed"))
    response = await talk.say("写一篇文章", other={"tone": "warm"})
    (task,) = response.next_tasks
    assert talk.texts() == ["写一篇文章", WAITING]
    assert talk.rows.settings[""].suggested_phase == "work"
    assert (task.skip_user_message, task.name) == (True, "ContinueProcessing")
    assert task.meta.original_query == {"text": "写一篇文章", "meta": {"tone": "warm"}}


async def test_the_second_step_opens_the_thread_in_the_placeholder() -> None:
    """003-7.1, 003-6.2: the thread is written before anything is said in it."""
    talk = await Talk.of(lambda: requester("文章", "completed"))
    await talk.follow(await talk.say("写一篇文章"))
    kinds = [type(change).__name__ for batch in talk.rows.batches for change in batch]
    assert kinds.index("NewThread") < kinds.index("ThreadEnd")
    (header,) = talk.rows.headers.values()
    assert header.request == {"text": "写一篇文章"}
    assert (header.agent, header.depth, header.state) == ("agent-1", 1, ThreadState.COMPLETED)


async def test_the_client_sees_one_message_that_becomes_the_result() -> None:
    """T8: the result stands in the placeholder's place, and no message is added."""
    talk = await Talk.of(lambda: requester("文章", "completed"))
    response = await talk.follow(await talk.say("写一篇文章"))
    assert (talk.texts(), response.text) == (["写一篇文章", "文章"], "文章")
    assert response.skips_bot_message
    assert talk.rows.settings[""].suggested_phase == "finished"


async def test_the_sub_thread_begins_with_the_request() -> None:
    """003-7.1, T18: its agent is given the path, the id and the request as it was said."""
    seen: list[Task] = []

    async def work(task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        seen.append(task)
        return Response("文章", values={"words": 800})

    talk = await Talk.of(lambda: requester("x", "completed"), work=work)
    response = await talk.follow(await talk.say("写一篇文章"))
    meta = seen[0].meta
    assert (meta.sub_thread_path, seen[0].message) == ("messages.1.meta._thread", "写一篇文章")
    assert meta.original_task == {"text": "写一篇文章"}
    assert (response.values, meta.thread_id) == ({"words": 800}, next(iter(talk.rows.headers)))


async def test_asked_again_it_finds_the_thread_it_opened() -> None:
    """003-7.1, T10: after a crash the execute step opens no second thread."""
    results: list[Response | None] = [None, Response("文章")]

    async def work(task: Task, thread: Thread, agent: ThreadAgent) -> Response | None:
        return results.pop(0)

    talk = await Talk.of(lambda: requester("x", "completed"), work=work)
    first = await talk.say("写一篇文章")
    assert (await talk.follow(first)).skips_bot_message
    assert talk.rows.settings[""].phase == "work"
    talk.thread = talk.rows.restored()
    assert (await talk.follow(first)).text == "文章"
    assert (len(talk.rows.headers), talk.texts()) == (1, ["写一篇文章", "文章"])
    talk.thread = talk.rows.restored()
    assert (await talk.agent.state_handlers["work"].respond(
        task_at(MAIN, talk.rows.host(talk.thread)), talk.thread, talk.agent
    )).text == "文章"  # fmt: skip


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ModelUnavailable("down", reason="MODEL_DOWN"), "MODEL_DOWN"),
        (ThreadFault("ENDLESS_PHASES", "x"), "ENDLESS_PHASES"),
        (ZeroDivisionError(), "HANDLER_RAISED"),
    ],
)
async def test_a_failure_closes_the_placeholder_with_a_plain_line(
    error: Exception, code: str
) -> None:
    """T10: the placeholder is marked failed and none dangles; the next message prepares anew."""
    talk = await Talk.of(lambda: Requester(state_handler=Raises(error)))
    response = await talk.follow(await talk.say("写一篇文章"))
    (header,) = talk.rows.headers.values()
    assert (header.state, header.failure_code) == (ThreadState.FAILED, code)
    assert talk.texts() == ["写一篇文章", SORRY]
    assert response.meta["failed"] == code == failure_code(error)
    assert len((await talk.say("再试一次")).next_tasks) == 1


async def test_what_was_said_in_a_failed_thread_stays() -> None:
    """T7, T10: its messages are kept."""
    talk = await Talk.of(lambda: requester("一直这样"))
    await talk.follow(await talk.say("写一篇文章"))
    (header,) = talk.rows.headers.values()
    assert header.failure_code == "ENDLESS_PHASES"
    assert len(talk.rows.messages[header.thread_id]) == 100


async def test_a_lost_run_is_no_failure_of_the_thread() -> None:
    """T12: whoever lost the run writes nothing more; the thread is still running."""
    lost = LeaseLost("x", reason="RUN_TAKEN")
    talk = await Talk.of(lambda: Requester(state_handler=Raises(lost)))
    with pytest.raises(LeaseLost):
        await talk.follow(await talk.say("写一篇文章"))
    (header,) = talk.rows.headers.values()
    assert (header.state, talk.texts()[-1]) == (ThreadState.RUNNING, WAITING)


async def test_an_execute_step_without_a_placeholder_is_an_error() -> None:
    """T8: there is no message that the result could take the place of."""
    talk = await Talk.of(lambda: requester("x", "completed"))
    talk.rows.settings[""] = replace(talk.rows.settings[""], phase="work")
    talk.thread = talk.rows.restored()
    with pytest.raises(ThreadFault) as refused:
        await talk.say("直接开始")
    assert refused.value.reason == "SKIP_WITHOUT_MESSAGE"


def chapter_units(inner_error: Exception | None = None) -> Mapping[str, InteractionUnit]:
    """Return an agent's units; those in the middle have a chapter written in a thread."""

    def chapter() -> Mapping[str, InteractionUnit]:
        writes = OtherSays("第一章") if inner_error is None else Raises(inner_error)
        return {"initial_phase": Requester(state_handler=writes, next_phase="completed")}

    prepare, execute = two_steps(sub_agent(chapter), level=1)
    return {
        "initial_phase": requester("大纲", "prepare"),
        "prepare": Responsor(state_handler=prepare, next_phase="work"),
        "work": Responsor(state_handler=execute, next_phase="completed"),
    }


async def nested_talk(inner_error: Exception | None = None) -> Talk:
    prepare, execute = two_steps(sub_agent(lambda: chapter_units(inner_error)))
    kind = main_agent(lambda: {"ask": prepare, "work": execute, "finished": ThirdSays()})
    return Talk(await kind.create(METADATA, {}))


async def test_a_thread_is_nested_in_a_thread() -> None:
    """003-7.1: the same two steps inside a sub-thread; the result is there the chapter's text."""
    talk = await nested_talk()
    assert (await talk.follow(await talk.say("写一篇文章"))).text == "第一章"
    assert [each.depth for each in talk.rows.headers.values()] == [1, 2]
    outer, chapter = talk.rows.headers
    texts = [m.text for m in talk.rows.restored().resolve(MAIN.below(1)).messages]
    assert texts == ["写一篇文章", "大纲", "第一章"]
    assert talk.rows.headers[chapter].parent_thread_id == outer


async def test_a_thread_fails_with_the_one_nested_in_it() -> None:
    """T10: each placeholder is closed, up to the one the client sees."""
    talk = await nested_talk(ZeroDivisionError())
    await talk.follow(await talk.say("写一篇文章"))
    codes = [each.failure_code for each in talk.rows.headers.values()]
    assert codes == ["SUB_THREAD_FAILED", "HANDLER_RAISED"]
    thread = talk.rows.restored()
    shown = (*thread.messages, *thread.resolve(MAIN.below(1)).messages)
    assert [m.text for m in shown if m.is_placeholder] == []
    assert [m.text for m in shown].count(SORRY) == 2
