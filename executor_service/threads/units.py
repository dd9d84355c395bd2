"""Interaction units: each is one exchange of a sub-thread (document 003, section 5).

What a unit has said is stored message by message. One that is executed again after a crash goes on
after its last stored message (RESOLUTIONS T10): it writes what is missing, and suggests anew.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, Self

from executor_service.threads.handlers import (
    PhaseSuggesting,
    StateHandler,
    reused_message,
    write_message,
)
from executor_service.threads.task import Response, Task, require_sub_thread_path
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_errors import InvalidAgent
from executor_service.threads.thread_repository import require_main_thread
from heartrule.domain.threads import ThreadMessage, ThreadRole


class InteractionUnit(PhaseSuggesting, ABC):
    """What a sub-thread's agent does in one phase; it writes messages of user and bot."""

    _agent: ThreadAgent | None = None

    @classmethod
    async def create(cls, **parts: Any) -> Self:
        """Return a unit made of its parts; InvalidAgent where it must not hold one of them."""
        return cls(**parts)

    @abstractmethod
    async def execute(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Do the exchange; the thread is the main one, and the task has the path."""

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        """Return what the user's side says to a bot's message, or first of all (None).

        Empty: nothing. Without an author's own, a unit begins with the task's message, which only
        what a client said has: a sub-agent's request is in the task's meta.
        """
        del thread, agent
        return task.message if bot_message is None else ""

    @property
    @abstractmethod
    def handler(self) -> StateHandler:
        """The state handler that speaks as the bot."""

    def bind(self, agent: ThreadAgent) -> None:
        """Note whose it is; InvalidAgent SHARED_INSTANCE where another agent has it already."""
        if self._agent not in (None, agent):
            name, held = agent.metadata.name, type(self).__name__
            problem = f"one {held} is held by two agents called {self._agent_name} and {name}"
            raise InvalidAgent("SHARED_INSTANCE", problem, holder=name, held=held)
        self._agent = agent

    @property
    def _agent_name(self) -> str:
        return self._agent.metadata.name if self._agent else ""

    async def save(self, task: Task, thread: Thread) -> None:
        """Write what an agent changed after this unit; agents write nothing (RESOLUTIONS T19)."""
        await task.host_utils.thread_repository.save_thread(thread)

    async def _begin(self, task: Task, thread: Thread, agent: ThreadAgent) -> None:
        """Write the user's first message."""
        text = await self.generate_user_message(None, task, thread, agent)
        if text.strip():
            await write_message(task, thread, ThreadRole.USER, Response(text))

    async def _speak(
        self, task: Task, thread: Thread, agent: ThreadAgent
    ) -> tuple[ThreadMessage, Response]:
        """Return the bot's message of this unit, written now or before, and the response."""
        said = [each for each in _said(task, thread) if each.role is ThreadRole.BOT]
        if said:
            return said[-1], Response(said[-1].text)
        response = await self.handler.respond(task, thread, agent)
        if not response.skips_bot_message:
            return await write_message(task, thread, ThreadRole.BOT, response), response
        await self.save(task, thread)
        return reused_message(task, thread), response

    async def _end(self, task: Task, thread: Thread, next_phase: str | None) -> None:
        """Suggest the next phase, and write that; None: the phase stays."""
        repository = task.host_utils.thread_repository
        settings = repository.get_thread_settings(task.thread_id(thread))
        suggested = replace(settings, suggested_phase=next_phase)
        repository.update_thread_settings(thread, suggested, task.path)
        await repository.save_thread(thread)


class _HandlerHolder(InteractionUnit):
    """A unit that holds a state handler, and nothing else."""

    def __init__(self, *, state_handler: StateHandler, next_phase: str | None = None) -> None:
        """It may hold a state handler alone."""
        self.next_phase = next_phase
        _require(self, state_handler, StateHandler)
        self._handler = state_handler
        self._handler.bind(type(self).__name__)

    @property
    def handler(self) -> StateHandler:
        """The state handler that speaks as the bot."""
        return self._handler


class Responsor(_HandlerHolder):
    """The bot speaks, its message is looked at, the user's side answers it."""

    async def execute(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Do the exchange, and suggest the next phase where the bot's message ends this one."""
        return await self.interact(_numbered(task, thread), thread, agent)

    async def interact(
        self, task: Task, thread: Thread, agent: ThreadAgent, *, next_phase: str | None = None
    ) -> Response:
        """Do the exchange; a Starter's next phase counts before its own (RESOLUTIONS T5)."""
        bot_message, response = await self._speak(task, thread, agent)
        suggested = thread.settings_of(task.thread_id(thread)).suggested_phase
        following = next_phase or self.next_phase or suggested
        if not await self.analyse_bot_message(bot_message, task, thread, agent):
            following = None
        if not (agent.is_over(following) or bot_message.is_placeholder):
            await self._answer(bot_message, task, thread, agent)
        await self._end(task, thread, following)
        return response

    async def analyse_bot_message(
        self, bot_message: ThreadMessage, task: Task, thread: Thread, agent: ThreadAgent
    ) -> bool:
        """Return whether the phase is done with that message; an author may look at it."""
        del bot_message, task, thread, agent
        return True

    async def _answer(
        self, bot_message: ThreadMessage, task: Task, thread: Thread, agent: ThreadAgent
    ) -> None:
        """Write the user's feedback, where this unit has not."""
        last = _said(task, thread)[-1:]
        if last and last[0].role is ThreadRole.USER:
            return
        text = await self.generate_user_message(bot_message, task, thread, agent)
        if text.strip():
            await write_message(task, thread, ThreadRole.USER, Response(text))


class Starter(InteractionUnit):
    """The user's side begins, and a Responsor does the rest."""

    def __init__(self, *, responsor: Responsor, next_phase: str | None = None) -> None:
        """It may hold a Responsor alone."""
        self.next_phase = next_phase
        _require(self, responsor, Responsor)
        self.responsor = responsor

    @property
    def handler(self) -> StateHandler:
        """The state handler that speaks as the bot: its Responsor's."""
        return self.responsor.handler

    def bind(self, agent: ThreadAgent) -> None:
        """Note whose it and its Responsor are."""
        super().bind(agent)
        self.responsor.bind(agent)

    async def execute(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Write the first message of the user, and let the Responsor go on.

        In a phase that stays, the feedback of the exchange before is that message.
        """
        task = _numbered(task, thread)
        current = thread.resolve(task.path)
        last = current.messages[-1:]
        is_answer = bool(last) and last[0].role is ThreadRole.USER
        stays = is_answer and last[0].phase == current.settings.phase
        if not stays and not _said(task, thread):
            await self._begin(task, thread, agent)
        return await self.responsor.interact(task, thread, agent, next_phase=self.next_phase)


class Requester(_HandlerHolder):
    """The user's side asks, and the bot answers once."""

    async def execute(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Write the request and the answer, and suggest the next phase."""
        task = _numbered(task, thread)
        if not _said(task, thread):
            await self._begin(task, thread, agent)
        _, response = await self._speak(task, thread, agent)
        suggested = thread.settings_of(task.thread_id(thread)).suggested_phase
        await self._end(task, thread, self.next_phase or suggested)
        return response


def _require(holder: InteractionUnit, part: object, kind: type) -> None:
    """Refuse a part that a unit must not hold."""
    if isinstance(part, kind):
        return
    name, held = type(holder).__name__, type(part).__name__
    problem = f"{name} holds {held}, and may hold a {kind.__name__} alone"
    raise InvalidAgent("WRONG_HOLDING", problem, holder=name, held=held)


def _numbered(task: Task, thread: Thread) -> Task:
    """Return a task that knows the number of the unit which executes it."""
    require_main_thread(thread)
    path = require_sub_thread_path(task)
    if task.meta.unit:
        return task
    units = [each.unit for each in thread.resolve(path, task.meta.thread_id).messages]
    return replace(task, meta=replace(task.meta, unit=max(units, default=0) + 1))


def _said(task: Task, thread: Thread) -> tuple[ThreadMessage, ...]:
    """Return what the unit that executes a task has written."""
    messages = thread.resolve(task.path, task.meta.thread_id).messages
    return tuple(each for each in messages if each.unit == task.meta.unit)
