"""The agents of a main thread and of its sub-threads (document 003, sections 2 and 10.1).

An agent holds parts and chooses the one of its thread's phase; it writes nothing (RESOLUTIONS T19).
"""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Self

from executor_service.threads.handlers import StateHandler
from executor_service.threads.holding import check_handlers, check_kind
from executor_service.threads.task import Response, Task, require_sub_thread_path
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import AgentMetadata, ThreadAgent, unknown_phase
from executor_service.threads.thread_errors import ThreadFault
from executor_service.threads.thread_path import MAIN
from executor_service.threads.thread_repository import require_main_thread
from executor_service.threads.units import InteractionUnit
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import MOST_UNITS, ThreadMessage, ThreadRole

LOG = logging.getLogger(__name__)


class BaseAgent(ThreadAgent):
    """The agent of a main thread: it holds a state handler for each phase."""

    def __init__(self, metadata: AgentMetadata, settings: Mapping[str, JsonValue]) -> None:
        """Hold nothing yet."""
        super().__init__(metadata, settings)
        self.state_handlers: Mapping[str, StateHandler] = {}

    @classmethod
    async def create(cls, metadata: AgentMetadata, settings: Mapping[str, JsonValue]) -> Self:
        """Return an agent whose parts were looked at; InvalidAgent where one is wrong."""
        agent = cls(metadata, settings)
        await agent._initialize_state_handlers()
        check_kind(agent, agent.state_handlers, StateHandler)
        for phase, handler in agent.state_handlers.items():
            handler.bind(f"{metadata.name}.{phase}")
        await check_handlers(agent, {})
        return agent

    @abstractmethod
    async def _initialize_state_handlers(self) -> None:
        """Set `state_handlers`, one for each phase."""

    def working_phases(self) -> Iterable[str]:
        """Return the phases that have a handler."""
        return self.state_handlers

    def held_handlers(self) -> Mapping[str, StateHandler]:
        """Return its state handlers by their phases."""
        return self.state_handlers

    async def execute_task(self, task: Task, thread: Thread) -> Response:
        """Return what the handler of the thread's phase answers; tasks it adds come after it."""
        return await self._handle_message_processing(task, thread)

    async def _handle_message_processing(self, task: Task, thread: Thread) -> Response:
        with require_main_thread(thread).at_work(MAIN):
            try:
                self._apply_phase_update_suggestion(task, thread)
            except ThreadFault as error:  # the phase is kept, and the conversation goes on
                LOG.exception("a phase that was suggested is unknown", extra=error.metadata)
            phase = thread.settings_of(thread.thread_id).phase
            handler = self.state_handlers.get(phase)
            if handler is None:
                raise unknown_phase(self, phase)
            return await handler.converse(task, thread, self)


class SubThreadAgent(ThreadAgent):
    """The agent of a sub-thread: it holds an interaction unit for each phase."""

    def __init__(self, metadata: AgentMetadata, settings: Mapping[str, JsonValue]) -> None:
        """Hold nothing yet."""
        super().__init__(metadata, settings)
        self.interaction_units: Mapping[str, InteractionUnit] = {}

    @classmethod
    async def create(cls, metadata: AgentMetadata, settings: Mapping[str, JsonValue]) -> Self:
        """Return an agent whose parts were looked at; InvalidAgent where one is wrong."""
        agent = cls(metadata, settings)
        await agent._initialize_interaction_units()
        units = agent.interaction_units
        check_kind(agent, units, InteractionUnit)
        for unit in units.values():
            unit.bind(agent)
        await check_handlers(agent, {phase: unit.next_phase for phase, unit in units.items()})
        return agent

    @abstractmethod
    async def _initialize_interaction_units(self) -> None:
        """Set `interaction_units`, one for each phase."""

    def working_phases(self) -> Iterable[str]:
        """Return the phases that have a unit."""
        return self.interaction_units

    def held_handlers(self) -> Mapping[str, StateHandler]:
        """Return the state handlers that its units hold, by the phases of these."""
        return {phase: unit.handler for phase, unit in self.interaction_units.items()}

    def result_values(self, task: Task, thread: Thread) -> Mapping[str, JsonValue]:
        """Return what the sub-thread returns beside its text, read from its messages."""
        del task, thread
        return {}

    async def execute_task(self, task: Task, thread: Thread) -> Response:
        """Go from unit to unit to a terminal phase; the result is the last text of the bot (T6).

        Executed again after a crash, it goes on in the stored phase.

        Raises:
            ThreadFault: Fifty units led to no terminal phase (ENDLESS_PHASES), or one of them broke
                a rule; what was said stays.
        """
        return await self._handle_message_processing(task, thread)

    async def _handle_message_processing(self, task: Task, thread: Thread) -> Response:
        path = require_sub_thread_path(task)
        require_main_thread(thread).id_at(path, task.meta.thread_id)
        with thread.at_work(path):
            await self._run(task, thread)
            text = self._last_bot_text(task, thread)
            return Response(text, values=self.result_values(task, thread))

    async def _run(self, task: Task, thread: Thread) -> None:
        """Execute units until there is nothing left to do."""
        number, added = self._first_unit(task, thread), deque[Task]()
        while not self.is_over(self._phase(task, thread)):
            if number > MOST_UNITS:
                problem = f"{MOST_UNITS} units led to no terminal phase"
                raise ThreadFault("ENDLESS_PHASES", problem, phase=self._phase(task, thread))
            current = task.following(added.popleft()) if added else task
            meta = replace(current.meta, unit=number)
            added += await self._execute_unit(replace(current, meta=meta), thread)
            number += 1

    async def _execute_unit(self, task: Task, thread: Thread) -> Iterable[Task]:
        """Execute the unit of the thread's phase, and move on; return the tasks it added."""
        phase = self._phase(task, thread)
        unit = self.interaction_units.get(phase)
        if unit is None:
            raise unknown_phase(self, phase)
        response = await unit.execute(task, thread, self)
        try:
            self._apply_phase_update_suggestion(task, thread)
        finally:
            await unit.save(task, thread)
        return response.next_tasks

    def _first_unit(self, task: Task, thread: Thread) -> int:
        """Return the number of the unit to begin with: the last one, where its phase is not over.

        One that had ended, too, is executed again: it finds all its messages, and suggests anew.
        Messages that nested threads hang on are no unit's, and stand behind what theirs has said.
        """
        said = [each for each in thread.resolve(task.path).messages if each.unit]
        if not said:
            return 1
        is_under_way = said[-1].phase == self._phase(task, thread)
        return said[-1].unit if is_under_way else said[-1].unit + 1

    @staticmethod
    def _phase(task: Task, thread: Thread) -> str:
        return thread.settings_of(task.thread_id(thread)).phase

    @staticmethod
    def _last_bot_text(task: Task, thread: Thread) -> str:
        messages = thread.resolve(task.path, task.meta.thread_id).messages
        return next((each.text for each in reversed(messages) if _is_bots(each)), "")


def _is_bots(message: ThreadMessage) -> bool:
    return message.role is ThreadRole.BOT and not message.is_placeholder
