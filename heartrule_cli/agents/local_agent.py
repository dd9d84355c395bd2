"""An agent at work here, in memory: what a run or a turn does on a server, told as it happens."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass

from executor_service.sub_agents.thread_request import request_of
from executor_service.threads.ports import ThreadPrompt
from executor_service.threads.task import HostUtils, Response, Task, TaskMeta, TaskType
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_path import MAIN
from executor_service.threads.thread_repository import AggregateRepository
from heartrule.domain.ids import new_id
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.thread_changes import ThreadEnd, ThreadWrite
from heartrule.domain.threads import (
    SubThread,
    ThreadMessage,
    ThreadRole,
    ThreadSettings,
    ThreadState,
)
from heartrule.model.ports import ChatModel
from heartrule.model.whole_reply import whole_reply

Show = Callable[[tuple[ThreadWrite, ...]], None]
"""Is told what changed, at each checkpoint."""
_THREAD = "thread"
_PLACEHOLDER = "message"


class LocalThreadModel:
    """The `ThreadModel` of an agent here."""

    def __init__(self, model: ChatModel, agent: str) -> None:
        """Ask `model` for an agent."""
        self._model, self._agent = model, agent

    async def answer(self, prompt: ThreadPrompt) -> str:
        """Return the whole answer; ModelUnavailable and others where none came."""
        calls: list[LLMDebugInfo] = []
        return await whole_reply(self._model, request_of(prompt, self._agent), calls=calls)

    async def stream(self, prompt: ThreadPrompt) -> AsyncIterator[str]:
        """Yield the whole answer at once."""
        yield await self.answer(prompt)


@dataclass(frozen=True, slots=True)
class ShownWriter:
    """A `ThreadWriter` that shows what it would write."""

    show: Show

    async def write(self, changes: tuple[ThreadWrite, ...]) -> None:
        """Show it."""
        self.show(changes)


class LocalTalk:
    """A main thread with an agent, to which somebody says one message after the other."""

    def __init__(
        self, agent: ThreadAgent, show: Show, *, make_id: Callable[[str], str] = new_id
    ) -> None:
        """Begin in the agent's first phase."""
        self.agent = agent
        self.thread = Thread("", ThreadSettings(phase=agent.initial_phase))
        repository = AggregateRepository(self.thread, ShownWriter(show), make_id=make_id)
        self._host_utils = HostUtils(thread_repository=repository, make_id=make_id)

    @property
    def phase(self) -> str:
        """The phase in which the next message finds the thread."""
        settings = self.thread.settings_of("")
        return settings.suggested_phase or settings.phase

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do."""
        return self.agent.is_over(self.phase)

    async def say(self, text: str) -> Response:
        """Do what a message asks, and the tasks that the agent adds; return the last response."""
        waiting = deque([Task(name="Message", message=text, host_utils=self._host_utils)])
        response = Response()
        while waiting and not self.is_over:
            response = await self.agent.execute_task(waiting.popleft(), self.thread)
            waiting.extend(response.next_tasks)
        return response


async def work(agent: ThreadAgent, request: Mapping[str, JsonValue], show: Show) -> Response:
    """Have an agent work on a sub-thread opened for a request; return its result."""
    thread = Thread("", ThreadSettings(phase=""))
    repository = AggregateRepository(thread, ShownWriter(show))
    placeholder = ThreadMessage(
        message_id=_PLACEHOLDER, number=0, role=ThreadRole.BOT, text="", is_placeholder=True
    )
    thread.append(MAIN, placeholder)
    thread.saved(thread.unsaved)
    opened = SubThread(
        thread_id=_THREAD,
        parent_thread_id="",
        anchor_message_id=_PLACEHOLDER,
        depth=1,
        agent=agent.metadata.name,
        state=ThreadState.RUNNING,
        settings=ThreadSettings(phase=agent.initial_phase),
        request=request,
    )
    thread.nest(MAIN, _PLACEHOLDER, opened)
    await repository.save_thread(thread)
    path = thread.path_of(_THREAD)
    task = Task(
        name="ProcessSubThread",
        type=TaskType.ACTION,
        message=str(request.get("text", "")),
        meta=TaskMeta(sub_thread_path=str(path), thread_id=_THREAD, original_task=request),
        host_utils=HostUtils(thread_repository=repository),
    )
    response = await agent.execute_task(task, thread)
    end = ThreadEnd(
        thread_id=_THREAD,
        state=ThreadState.COMPLETED,
        result_text=response.text,
        values=response.values,
    )
    thread.finish(path, end)
    await repository.save_thread(thread)
    return response
