"""State handlers: each generates what is said in one phase, and may suggest the next (section 1).

A handler writes what it changed (RESOLUTIONS T19): whoever holds one asks it by `respond` or
`converse`, which write; `handle` is what an author writes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, Self

from executor_service.threads.ports import ReplyCut
from executor_service.threads.task import Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_errors import InvalidAgent, ThreadFault
from executor_service.threads.thread_nodes import check_length
from executor_service.threads.thread_repository import require_main_thread
from heartrule.domain.threads import ThreadMessage, ThreadRole


class PhaseSuggesting:
    """A part that may suggest the phase its thread moves to."""

    next_phase: str | None = None
    """None: it suggests none (RESOLUTIONS T3)."""

    def _suggest_phase_update(self, task: Task, thread: Thread) -> None:
        """Suggest the next phase in the settings of the task's thread, where there is one."""
        if self.next_phase is None:
            return
        repository = task.host_utils.thread_repository
        settings = repository.get_thread_settings(task.thread_id(thread))
        suggested = replace(settings, suggested_phase=self.next_phase)
        repository.update_thread_settings(thread, suggested, task.path)


class StateHandler(PhaseSuggesting, ABC):
    """Generates the message of one phase; held by one unit, or by one phase of a main agent."""

    def __init__(self, *, next_phase: str | None = None) -> None:
        """An author's own parts are further keywords of a subclass."""
        self.next_phase = next_phase
        self._holder: str | None = None

    @classmethod
    async def create(cls, **parts: Any) -> Self:
        """Return a handler made of its parts."""
        return cls(**parts)

    @abstractmethod
    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return what is said; the thread is the main one, and the task has the path."""

    def bind(self, holder: str) -> None:
        """Note who holds it; InvalidAgent SHARED_INSTANCE where somebody does already."""
        if self._holder is not None:
            held = type(self).__name__
            problem = f"one {held} is held by both {self._holder} and {holder}"
            raise InvalidAgent("SHARED_INSTANCE", problem, holder=holder, held=held)
        self._holder = holder

    async def respond(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return what `handle` returns, checked; what it changed is written with its message.

        What is stopped, failed or raises leaves no suggestion behind (RESOLUTIONS T14). Of a
        streamed answer that was cut, what the client has read is what is said.
        """
        repository = task.host_utils.thread_repository
        thread_id = task.thread_id(require_main_thread(thread))
        before = repository.get_thread_settings(thread_id).suggested_phase
        advances = False
        try:
            response = await self._handled(task, thread, agent)
            _check(response, type(self).__name__)
            advances = not (response.is_stopped or response.is_failed)
        finally:
            settings = repository.get_thread_settings(thread_id)
            if not advances and settings.suggested_phase != before:
                kept = replace(settings, suggested_phase=before)
                repository.update_thread_settings(thread, kept, task.path)
        return response

    async def _handled(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        try:
            return await self.handle(task, thread, agent)
        except ReplyCut as cut:
            return Response(cut.shown, is_failed=True)

    async def converse(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Write the task's message, respond, and write the response; for a main thread."""
        if not task.skip_user_message:
            await write_message(task, thread, ThreadRole.USER, Response(task.message))
        response = await self.respond(task, thread, agent)
        if response.skips_bot_message:
            reused_message(task, thread)
            await task.host_utils.thread_repository.save_thread(thread)
        else:
            await write_message(task, thread, ThreadRole.BOT, response)
        return response


async def write_message(
    task: Task, thread: Thread, role: ThreadRole, response: Response
) -> ThreadMessage:
    """Write a message at the end of the task's thread, with all that changed before it."""
    message = ThreadMessage(
        message_id=task.host_utils.make_id("msg"),
        role=role,
        text=response.text,
        meta=dict(response.meta),
        phase=thread.settings_of(task.thread_id(thread)).phase,
        unit=task.meta.unit,
        is_placeholder=response.is_placeholder,
    )
    appended = thread.append(task.path, message)
    await task.host_utils.thread_repository.save_thread(thread)
    return appended.message


def reused_message(task: Task, thread: Thread) -> ThreadMessage:
    """Return the message that a response without one stands for.

    It is the last one, where the bot wrote it; else the bot's last, where a thread is nested in it.
    ThreadFault SKIP_WITHOUT_MESSAGE where there is none (RESOLUTIONS T8).
    """
    messages = thread.resolve(task.path, task.meta.thread_id).messages
    found = next((each for each in reversed(messages) if each.role is ThreadRole.BOT), None)
    is_last = found is not None and found is messages[-1]
    if found is None or not (is_last or thread.nested_in(task.path, found.message_id)):
        problem = "a response makes no message, and there is none that it could stand for"
        raise ThreadFault("SKIP_WITHOUT_MESSAGE", problem)
    return found


def _check(response: object, handler: str) -> None:
    if not isinstance(response, Response):
        problem = f"{handler} returns no response"
        raise ThreadFault("NOTHING_RETURNED", problem, handler=handler)
    if not response.text.strip() and not response.skips_bot_message:
        problem = f"{handler} returns an empty response"
        raise ThreadFault("EMPTY_RESPONSE", problem, handler=handler)
    check_length(response.text)
