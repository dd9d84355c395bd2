"""Registered agents at work on rows in memory, with a model whose answers are written."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from executor_service.threads.agent_registry import AgentRegistry
from executor_service.threads.ports import ThreadPrompt
from executor_service.threads.task import Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_path import MAIN
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import ThreadRole, ThreadSettings
from tests.support.thread_parts import a_sub_thread, said, task_at
from tests.support.thread_rows import ThreadRows


@dataclass
class AnsweringModel:
    """A `ThreadModel` that answers by a function of the prompt, and keeps the prompts."""

    answers: Callable[[ThreadPrompt], str]
    prompts: list[ThreadPrompt] = field(default_factory=list)
    streamed: int = 0

    async def answer(self, prompt: ThreadPrompt) -> str:
        """Return the whole answer."""
        self.prompts.append(prompt)
        return self.answers(prompt)

    async def stream(self, prompt: ThreadPrompt) -> AsyncIterator[str]:
        """Yield an answer in two pieces."""
        self.streamed += 1
        text = await self.answer(prompt)
        yield text[:2]
        yield text[2:]


def in_order(*answers: str) -> AnsweringModel:
    """Return a model that gives these answers, one after the other."""
    left = deque(answers)
    return AnsweringModel(lambda _: left.popleft())


async def talk(
    registry: AgentRegistry, name: str, model: AnsweringModel, texts: Sequence[str]
) -> tuple[ThreadRows, Thread]:
    """Say texts to an agent of the main thread, with the tasks it adds; return what is stored."""
    agent = await registry.make(name, model)
    rows = ThreadRows(agent.initial_phase)
    thread = rows.restored()
    host = rows.host(thread)
    for text in texts:
        waiting = deque([Task(name="Message", message=text, host_utils=host)])
        while waiting:
            response = await agent.execute_task(waiting.popleft(), thread)
            waiting.extend(response.next_tasks)
    return rows, thread


def opened_rows(phase: str, request: Mapping[str, JsonValue]) -> ThreadRows:
    """Return rows of a sub-thread `sub` that was opened for a request."""
    rows = ThreadRows()
    thread = rows.restored()
    thread.append(MAIN, said("placeholder", is_placeholder=True))
    opened = replace(
        a_sub_thread("sub", phase), request=request, settings=ThreadSettings(phase=phase)
    )
    thread.nest(MAIN, "placeholder", opened)
    for change in thread.unsaved:
        rows.apply(change)
    return rows


async def at_work(
    registry: AgentRegistry, name: str, model: AnsweringModel, rows: ThreadRows
) -> Response:
    """Have an agent work on the thread `sub` of rows; return its result."""
    agent = await registry.make(name, model)
    thread = rows.restored()
    return await agent.execute_task(task_at(MAIN.below(0), rows.host(thread), ""), thread)


def spoken(rows: ThreadRows, thread_id: str = "sub") -> list[tuple[str, str, str]]:
    """Return who said what in which phase of a thread, as it stands."""
    thread = rows.restored()
    path = thread.path_of(thread_id) if thread_id else MAIN
    return [
        (each.phase, "user" if each.role is ThreadRole.USER else "bot", each.text)
        for each in thread.resolve(path).messages
    ]


def told(rows: ThreadRows) -> list[tuple[str, str, list[tuple[str, str, str]]]]:
    """Return every sub-thread in the order in which it was opened: agent, end, what was said."""
    return [
        (header.agent, f"{header.state}: {header.result_text}", spoken(rows, thread_id))
        for thread_id, header in rows.headers.items()
    ]
