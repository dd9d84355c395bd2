"""An agent at work here, in memory: what a run or a turn does on a server, told as it happens."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass

from executor_service.decisions.subagent_task import SubagentTask
from executor_service.sub_agents.handed_task import answer_of
from executor_service.sub_agents.thread_request import request_of
from executor_service.threads.ports import ThreadPrompt
from executor_service.threads.task import HostUtils, Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_repository import AggregateRepository
from heartrule.domain.ids import new_id
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.thread_changes import NewThread, ThreadEnd, ThreadWrite
from heartrule.domain.threads import SubThread, ThreadSettings, ThreadState
from heartrule.model.ports import ChatModel
from heartrule.model.whole_reply import whole_reply
from session_store.records.threads import ThreadContents

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

    def __init__(self, agent: ThreadAgent, show: Show) -> None:
        """Begin in the agent's first phase."""
        self.agent = agent
        self.thread = Thread("", ThreadSettings(phase=agent.initial_phase))
        repository = AggregateRepository(self.thread, ShownWriter(show))
        self._host_utils = HostUtils(thread_repository=repository)

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
    """Have an agent work on a sub-thread opened for a request, as a run does; return its result."""
    name = agent.metadata.name
    opened = SubThread(
        thread_id=_THREAD,
        parent_thread_id="",
        anchor_message_id=_PLACEHOLDER,
        depth=1,
        agent=name,
        state=ThreadState.RUNNING,
        settings=ThreadSettings(phase=agent.initial_phase),
        request=request,
    )
    show((NewThread(thread=opened),))
    task = SubagentTask(agent=name, request=request, message_id=_PLACEHOLDER, plain_line="")
    stored, writer = [ThreadContents(thread=opened)], ShownWriter(show)
    response = await answer_of(agent, task, stored, writer=writer, make_id=new_id)
    show((ThreadEnd(thread_id=_THREAD, state=ThreadState.COMPLETED),))
    return response
