"""A sub-thread is created in two steps: a placeholder, then the thread in it (section 7.1)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Protocol, TypeAlias

from executor_service.threads.handlers import StateHandler
from executor_service.threads.task import Response, Task, TaskMeta, TaskType
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import AgentMetadata, ThreadAgent
from executor_service.threads.thread_errors import ThreadFault
from executor_service.threads.thread_repository import MessageUpdate
from heartrule.domain.errors import HeartRuleError, LeaseLost, StoreFull, StoreUnavailable
from heartrule.domain.json_value import JsonValue
from heartrule.domain.thread_changes import ThreadEnd
from heartrule.domain.threads import (
    ENDED_THREADS,
    SubThread,
    ThreadMessage,
    ThreadRole,
    ThreadSettings,
    ThreadState,
)

LOG = logging.getLogger(__name__)

SubAgentMaker: TypeAlias = Callable[
    [AgentMetadata, Mapping[str, JsonValue]], Awaitable[ThreadAgent]
]
"""`create` of an agent's class is one."""
_QUERY = "originalQuery"
_RAISED = "HANDLER_RAISED"


class SubThreadWork(Protocol):
    """Works on a sub-thread that was opened, wherever that is done."""

    async def __call__(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response | None:
        """Return what it came to; None: it goes on, and the task is done again later.

        What it raises is the failure of the sub-thread.
        """


class SubThreadPreparationHandler(StateHandler):
    """Says the placeholder, and adds the task that opens the thread in it."""

    def __init__(self, *, placeholder_text: str, next_phase: str) -> None:
        """`next_phase` is that of a `SubThreadExecutionHandler` of the same agent (T16)."""
        super().__init__(next_phase=next_phase)
        self._placeholder_text = placeholder_text

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return the placeholder; the request travels whole, also with the message (T18)."""
        request = self.request(task, thread, agent)
        response = Response(self._placeholder_text, meta={_QUERY: request}, is_placeholder=True)
        response.add_next_task(
            Task(
                name="ContinueProcessing",
                type=TaskType.ACTION,
                skip_user_message=True,
                message=task.message,
                meta=replace(task.meta, original_query=request),
                host_utils=task.host_utils,
            )
        )
        self._suggest_phase_update(task, thread)
        return response

    def request(self, task: Task, thread: Thread, agent: ThreadAgent) -> Mapping[str, JsonValue]:
        """Return what the sub-thread is opened for; an author may take it from the thread."""
        del thread, agent
        return task.request()


class SubThreadExecutionHandler(StateHandler):
    """Opens a sub-thread in the placeholder, has an agent work on it, and puts in its result."""

    def __init__(
        self,
        *,
        agent_name: str,
        make_agent: SubAgentMaker,
        failure_text: str,
        next_phase: str | None = None,
        work: SubThreadWork | None = None,
    ) -> None:
        """Without `work` the agent works here and now.

        Args:
            agent_name: The name of the sub-thread's agent.
            make_agent: Makes one; each sub-thread has its own.
            failure_text: The plain line that closes the placeholder of a thread that failed.
            next_phase: The phase after a thread that completed.
            work: Where the thread is worked on; a host may give one to a main thread's handlers.
        """
        super().__init__(next_phase=next_phase)
        self._agent_name, self._make_agent = agent_name, make_agent
        self._failure_text = failure_text
        self._work: SubThreadWork = work or self._work_here

    async def build(self, agent: ThreadAgent) -> ThreadAgent:
        """Return an agent for one sub-thread, below `agent`; InvalidAgent where it is wrong."""
        return await self._make_agent(agent.metadata_below(self._agent_name), agent.settings)

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return the result, which stands in the placeholder's place.

        Asked again after a crash, it goes on in the thread that it opened. One that failed is
        closed with the plain line. Of a main thread the phase of the placeholder is suggested then,
        so that the next message prepares anew; a sub-thread fails with it: SUB_THREAD_FAILED.
        """
        placeholder = _placeholder(task, thread)
        opened = thread.nested_in(task.path, placeholder.message_id)
        if opened is None:
            opened = await self._open(task, thread, placeholder, agent)
        if opened.state not in ENDED_THREADS:
            end = await self._end_of(task, thread, opened, agent)
            if end is None:
                return _without_message(Response())
            thread.finish(thread.path_of(opened.thread_id), end)
            opened = thread.sub_thread(opened.thread_id)
        return await self._close(task, thread, placeholder, opened)

    async def _open(
        self, task: Task, thread: Thread, placeholder: ThreadMessage, agent: ThreadAgent
    ) -> SubThread:
        """Open the thread and write it, before anything is done in it (section 6.2)."""
        if not placeholder.is_placeholder:
            problem = "no placeholder was prepared for a sub-thread"
            raise ThreadFault("SKIP_WITHOUT_MESSAGE", problem)
        request = task.meta.original_query or placeholder.meta.get(_QUERY)
        sub_agent = await self.build(agent)
        sub_thread = SubThread(
            thread_id=task.host_utils.make_id("thread"),
            parent_thread_id=task.thread_id(thread),
            anchor_message_id=placeholder.message_id,
            depth=task.path.depth + 1,
            agent=self._agent_name,
            state=ThreadState.RUNNING,
            settings=ThreadSettings(phase=sub_agent.initial_phase),
            request=request if isinstance(request, Mapping) else task.request(),
        )
        repository, update = task.host_utils.thread_repository, MessageUpdate(sub_thread=sub_thread)
        repository.update_message(thread, placeholder.message_id, update, task.path)
        await repository.save_thread(thread)
        return thread.sub_thread(sub_thread.thread_id)

    async def _end_of(
        self, task: Task, thread: Thread, opened: SubThread, agent: ThreadAgent
    ) -> ThreadEnd | None:
        """Return how the work on a thread ended; None: it goes on."""
        text = opened.request.get("text")
        sub_task = Task(
            name="ProcessSubThread",
            type=TaskType.ACTION,
            message=text if isinstance(text, str) else "",
            meta=TaskMeta(
                sub_thread_path=str(thread.path_of(opened.thread_id)),
                thread_id=opened.thread_id,
                original_task=opened.request,
            ),
            host_utils=task.host_utils,
        )
        try:
            response = await self._work(sub_task, thread, agent)
        except (LeaseLost, StoreUnavailable, StoreFull):
            raise
        except Exception as error:  # an author's code may raise anything
            code, thread_id = failure_code(error), opened.thread_id
            is_unexpected = not isinstance(error, HeartRuleError)
            facts = {"thread_id": thread_id, "code": code}
            LOG.exception("a sub-thread failed", extra=facts, exc_info=is_unexpected)
            return ThreadEnd(thread_id=thread_id, state=ThreadState.FAILED, failure_code=code)
        if response is None:
            return None
        return ThreadEnd(
            thread_id=opened.thread_id,
            state=ThreadState.COMPLETED,
            result_text=response.text,
            values=response.values,
        )

    async def _close(
        self, task: Task, thread: Thread, placeholder: ThreadMessage, ended: SubThread
    ) -> Response:
        """Put the result, or the plain line, into the placeholder's place."""
        is_completed = ended.state is ThreadState.COMPLETED
        text = ended.result_text if is_completed else self._failure_text
        repository = task.host_utils.thread_repository
        if placeholder.is_placeholder:
            update = MessageUpdate(text=text)
            repository.update_message(thread, placeholder.message_id, update, task.path)
        if is_completed:
            self._suggest_phase_update(task, thread)
            return _without_message(Response(text, values=ended.values))
        if task.path.is_main:
            settings = repository.get_thread_settings(thread.thread_id)
            back = replace(settings, suggested_phase=placeholder.phase or None)
            repository.update_thread_settings(thread, back, task.path)
            return _without_message(Response(text, meta={"failed": ended.failure_code}))
        await repository.save_thread(thread)
        problem = "a thread nested in this one failed"
        raise ThreadFault("SUB_THREAD_FAILED", problem, code=ended.failure_code)

    async def _work_here(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        sub_agent = await self.build(agent)
        return await sub_agent.execute_task(task, thread)


def failure_code(error: Exception) -> str:
    """Return the code of a sub-thread that failed with an error: its reason, where it has one."""
    return error.reason if isinstance(error, HeartRuleError) else _RAISED


def _placeholder(task: Task, thread: Thread) -> ThreadMessage:
    messages = thread.resolve(task.path, task.meta.thread_id).messages
    found = next((each for each in reversed(messages) if each.role is ThreadRole.BOT), None)
    if found is None:
        problem = "no placeholder was prepared for a sub-thread"
        raise ThreadFault("SKIP_WITHOUT_MESSAGE", problem)
    return found


def _without_message(response: Response) -> Response:
    response.skip_bot_message_creation()
    return response
