"""Small parts of agents for tests: handlers that say a text, agents made of a dictionary."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from executor_service.threads.agents import BaseAgent, SubThreadAgent
from executor_service.threads.handlers import StateHandler
from executor_service.threads.task import HostUtils, Response, Task, TaskMeta
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import AgentMetadata, ThreadAgent
from executor_service.threads.thread_path import MAIN, ThreadPath
from executor_service.threads.two_step import (
    SubThreadExecutionHandler,
    SubThreadPreparationHandler,
    SubThreadWork,
)
from executor_service.threads.units import InteractionUnit, Requester, Responsor, Starter
from heartrule.domain.threads import (
    SubThread,
    ThreadMessage,
    ThreadRole,
    ThreadSettings,
    ThreadState,
)
from tests.support.thread_rows import ThreadRows

METADATA = AgentMetadata(name="tested")
WAITING = "正在处理您的请求..."
SORRY = "这次没有做成。"


class Says(StateHandler):
    """Says a text, and suggests its next phase where it has one; counts how often it was asked."""

    def __init__(self, text: str = "好的", *, next_phase: str | None = None) -> None:
        super().__init__(next_phase=next_phase)
        self.text, self.asked = text, 0

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        self.asked += 1
        self._suggest_phase_update(task, thread)
        return Response(self.text)


class OtherSays(Says):
    """The same as another class, for another level."""


class Raises(StateHandler):
    """Suggests its next phase, then raises."""

    def __init__(self, error: Exception, *, next_phase: str | None = None) -> None:
        super().__init__(next_phase=next_phase)
        self._error = error

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        self._suggest_phase_update(task, thread)
        raise self._error


class Answers(Responsor):
    """A Responsor whose user's side says a text, again and again until a phrase is there."""

    def __init__(self, feedback: str = "继续", *, until: str = "", **parts: Any) -> None:
        super().__init__(**parts)
        self._feedback, self._until = feedback, until

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        return self._feedback

    async def analyse_bot_message(
        self, bot_message: ThreadMessage, task: Task, thread: Thread, agent: ThreadAgent
    ) -> bool:
        return self._until in bot_message.text


def responsor(text: str, next_phase: str | None = None, *, handler: type[Says] = Says) -> Answers:
    return Answers(f"关于{text}", state_handler=handler(text), next_phase=next_phase)


def starter(text: str, next_phase: str | None = None) -> Starter:
    return Starter(responsor=responsor(text), next_phase=next_phase)


def requester(text: str, next_phase: str | None = None, *, handler: type[Says] = Says) -> Requester:
    return Requester(state_handler=handler(text), next_phase=next_phase)


def sub_agent(
    make_units: Callable[[], Mapping[str, InteractionUnit]], *, initial: str = "initial_phase"
) -> type[SubThreadAgent]:
    """Return a class of agents that hold those units, made anew for each agent."""

    class BuiltAgent(SubThreadAgent):
        initial_phase = initial

        async def _initialize_interaction_units(self) -> None:
            self.interaction_units = make_units()

    return BuiltAgent


def main_agent(make_handlers: Callable[[], Mapping[str, StateHandler]]) -> type[BaseAgent]:
    """Return a class of main agents that hold those handlers."""

    class BuiltMainAgent(BaseAgent):
        async def _initialize_state_handlers(self) -> None:
            self.state_handlers = make_handlers()

    return BuiltMainAgent


@cache
def _classes_of_level(
    level: int,
) -> tuple[type[SubThreadPreparationHandler], type[SubThreadExecutionHandler]]:
    return (
        type(f"Prepare{level}", (SubThreadPreparationHandler,), {}),
        type(f"Execute{level}", (SubThreadExecutionHandler,), {}),
    )


def two_steps(
    kind: type[SubThreadAgent],
    next_phase: str | None = "finished",
    *,
    level: int = 0,
    work: SubThreadWork | None = None,
) -> tuple[StateHandler, StateHandler]:
    """Return a prepare handler for phase `work` and its execute handler, of classes of a level."""
    prepare, execute = _classes_of_level(level)
    return (
        prepare(placeholder_text=WAITING, next_phase="work"),
        execute(
            agent_name=f"agent-{level + 1}",
            make_agent=kind.create,
            failure_text=SORRY,
            next_phase=next_phase,
            work=work,
        ),
    )


def said(text: str, role: ThreadRole = ThreadRole.BOT, **other: Any) -> ThreadMessage:
    """Return a message with its text as its id."""
    return ThreadMessage(**{"message_id": text, "role": role, "text": text, **other})


def a_sub_thread(thread_id: str, phase: str = "initial_phase") -> SubThread:
    """Return a running sub-thread that does not know yet where it is."""
    return SubThread(
        thread_id=thread_id,
        parent_thread_id="",
        anchor_message_id="",
        depth=1,
        agent="researcher",
        state=ThreadState.RUNNING,
        settings=ThreadSettings(phase=phase),
    )


def nested(rows: ThreadRows, depth: int = 1) -> tuple[Thread, ThreadPath]:
    """Return a thread with a chain of threads in it, which `rows` hold too, and the last path."""
    thread, path = rows.restored(), MAIN
    for level in range(depth):
        anchor = said(f"placeholder-{level}", is_placeholder=True)
        thread.append(path, anchor)
        thread.nest(path, anchor.message_id, a_sub_thread(f"thread-{level}"))
        path = path.below(0)
    for change in thread.unsaved:
        rows.apply(change)
    thread.saved(thread.unsaved)
    return thread, path


def task_at(path: ThreadPath, host: HostUtils, message: str = "请写", **meta: Any) -> Task:
    """Return a task about the thread at a path."""
    task_meta = replace(TaskMeta(sub_thread_path=str(path)), **meta)
    return Task(name="test", message=message, meta=task_meta, host_utils=host)
