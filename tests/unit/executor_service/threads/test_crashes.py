"""A worker dies at any write of a run four threads deep (003-6.2, 003-7.1; RESOLUTIONS T10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from executor_service.threads.agents import BaseAgent, SubThreadAgent
from executor_service.threads.handlers import StateHandler
from executor_service.threads.nested_threads import NestedTask, NestedThreadsHandler
from executor_service.threads.task import Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_document import print_document
from executor_service.threads.thread_path import MAIN
from executor_service.threads.units import InteractionUnit, Requester, Responsor, Starter
from heartrule.domain.threads import ENDED_THREADS, ThreadRole
from tests.support.thread_parts import (
    METADATA,
    Answers,
    OtherSays,
    Says,
    main_agent,
    sub_agent,
    task_at,
    two_steps,
)
from tests.support.thread_rows import ThreadRows, WorkerDied

DEEPEST = 3
MOST_WRITES = 200


class Asks(Says):
    """Says which draft it is, and notes in a list of the test that a model was asked."""

    def __init__(self, text: str, asked: list[str]) -> None:
        super().__init__(text)
        self._asked = asked

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        self._asked.append(self.text)
        current = thread.resolve(task.path)
        phase = current.settings.phase
        before = sum(m.phase == phase and m.role is ThreadRole.BOT for m in current.messages)
        return Response(f"{self.text}，第{before + 1}稿")


def agent_of_level(level: int, asked: list[str]) -> type[SubThreadAgent]:
    """Return an agent that talks, has a thread nested down to the deepest level, and checks."""
    asks = type(f"Asks{level}", (Asks,), {})
    below = agent_of_level(level + 1, asked) if level < DEEPEST else None

    def units() -> Mapping[str, InteractionUnit]:
        talks = Answers("再改", until="第3稿", state_handler=asks(f"大纲{level}", asked))
        found: dict[str, InteractionUnit] = {
            "initial_phase": Starter(responsor=talks, next_phase="ask"),
            "ask": Requester(state_handler=asks(f"节{level}", asked), next_phase="check"),
            "check": Requester(state_handler=asks(f"全文{level}", asked), next_phase="completed"),
        }
        if below is not None:
            prepare, execute = two_steps(below, None, level=level)
            found["ask"] = Responsor(state_handler=prepare, next_phase="work")
            found["work"] = Responsor(state_handler=execute, next_phase="check")
        return found

    return sub_agent(units)


class Chapters(NestedThreadsHandler):
    """Has two threads nested in one phase."""

    def nested(self, task: Task, thread: Thread, agent: ThreadAgent) -> Sequence[NestedTask]:
        return tuple(NestedTask(text=each, request={"text": each}) for each in ("一", "二"))


def agent_of_chapters(asked: list[str]) -> type[SubThreadAgent]:
    """Return an agent whose Requester has each chapter written in a thread, and which checks."""
    writes, checks = (type(name, (Asks,), {}) for name in ("Writes", "Checks"))

    def write() -> Mapping[str, InteractionUnit]:
        handler = writes("章", asked)
        return {"initial_phase": Requester(state_handler=handler, next_phase="completed")}

    def units() -> Mapping[str, InteractionUnit]:
        chapters = Chapters(
            agent_name="chapter", make_agent=sub_agent(write).create, failure_text="没有写成"
        )
        check = Requester(state_handler=checks("全文", asked), next_phase="completed")
        return {
            "initial_phase": Requester(state_handler=chapters, next_phase="check"),
            "check": check,
        }

    return sub_agent(units)


class Run:
    """The execute step of a main thread, done again after each death as a host does it."""

    def __init__(self, make: Callable[[list[str]], type[SubThreadAgent]] | None = None) -> None:
        self.rows, self.asked, self.deaths = ThreadRows("ask"), list[str](), 0
        self._kind = make(self.asked) if make else agent_of_level(1, self.asked)

    async def play(self, *, dies_before: int = 0, dies_behind: int = 0) -> Run:
        thread = self.rows.restored()
        agent = await self._agent()
        task = task_at(MAIN, self.rows.host(thread), "写一篇文章")
        added = (await agent.execute_task(task, thread)).next_tasks[0]
        begun = len(self.rows.batches)
        self.rows.dies_before = begun + dies_before if dies_before else 0
        self.rows.dies_behind = begun + dies_behind if dies_behind else 0
        while True:
            try:
                await self._execute(added)
            except WorkerDied:
                self.deaths += 1
            if self.rows.settings[""].suggested_phase == "finished":
                return self

    async def _execute(self, added: Task) -> None:
        thread = self.rows.restored()
        agent = await self._agent()
        await agent.execute_task(replace(added, host_utils=self.rows.host(thread)), thread)

    async def _agent(self) -> BaseAgent:
        prepare, execute = two_steps(self._kind, "finished")
        handlers: Mapping[str, StateHandler] = {
            "ask": prepare,
            "work": execute,
            "finished": OtherSays(),
        }
        return await main_agent(lambda: handlers).create(METADATA, {})

    def units(self) -> list[list[int]]:
        return [[each.unit for each in said] for said in self.rows.messages.values()]

    def document(self) -> Any:
        return _without_ids(print_document(self.rows.restored()))


def _without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_ids(each) for key, each in value.items() if key != "id"}
    return [_without_ids(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("when", ["dies_before", "dies_behind"])
async def test_a_run_goes_on_where_it_was_after_a_death_at_any_write(when: str) -> None:
    """T10: no message is lost or doubled, and a model is asked again for one unit at most."""
    whole = await Run().play()
    again = 0
    for number in range(1, MOST_WRITES):
        run = await Run().play(**{when: number})
        if not run.deaths:
            break
        again = max(again, len(run.asked) - len(whole.asked))
        assert run.document() == whole.document(), number
        assert all(each.state in ENDED_THREADS for each in run.rows.headers.values())
    assert 20 < number < MOST_WRITES
    assert again == (1 if when == "dies_before" else 0)


async def test_no_placeholder_is_left() -> None:
    """T10: when a run is over, each placeholder has its result, at every depth."""
    run = await Run().play(dies_before=7)
    thread = run.rows.restored()
    shown = [thread.resolve(thread.path_of(each)).messages for each in ("", *run.rows.headers)]
    assert [m.text for messages in shown for m in messages if m.is_placeholder] == []
    assert len(run.rows.headers) == DEEPEST


@pytest.mark.parametrize("when", ["dies_before", "dies_behind"])
async def test_a_unit_that_opened_threads_is_the_same_after_a_death(when: str) -> None:
    """T10: it asks once, whatever was under way in the threads nested in its phase."""
    whole = await Run(agent_of_chapters).play()
    for number in range(1, MOST_WRITES):
        run = await Run(agent_of_chapters).play(**{when: number})
        if not run.deaths:
            break
        assert run.document() == whole.document(), number
        assert run.units() == whole.units(), number
    assert 20 < number < MOST_WRITES
