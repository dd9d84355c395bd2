"""Agents in YAML, built: each of their phases makes a class of its own (document 003, 11.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from executor_service.scripts.agents.agent_files import WrittenAgent
from executor_service.scripts.model.agent_file import (
    AgentKind,
    AgentPhase,
    HandlerKind,
    UnitKind,
)
from executor_service.threads.agents import BaseAgent, SubThreadAgent
from executor_service.threads.handlers import StateHandler
from executor_service.threads.task import Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import AgentMetadata, ThreadAgent
from executor_service.threads.thread_errors import ThreadFault
from executor_service.threads.two_step import SubAgentMaker
from executor_service.threads.units import InteractionUnit
from executor_service.threads.written_handlers import (
    WrittenExecutionHandler,
    WrittenNestedHandler,
    WrittenPhase,
    WrittenPreparationHandler,
    WrittenReplyHandler,
)
from executor_service.threads.written_units import (
    WrittenRequester,
    WrittenResponsor,
    WrittenStarter,
)
from executor_service.threads.written_values import values_of
from heartrule.domain.json_value import JsonValue

_Part = TypeVar("_Part")


def maker_of(written: WrittenAgent) -> SubAgentMaker:
    """Return what makes an agent of its file; its metadata must have a host."""

    async def make(metadata: AgentMetadata, settings: Mapping[str, JsonValue]) -> ThreadAgent:
        kind = WrittenMainAgent if written.file.kind is AgentKind.MAIN else WrittenSubThreadAgent
        phases = written.file.phases
        made: type[WrittenMainAgent | WrittenSubThreadAgent] = type(
            f"{_name(metadata.name)}Agent",
            (kind,),
            {
                "written": written,
                "initial_phase": phases[0].phase_id,
                "terminal_phases": frozenset(each.phase_id for each in phases if each.terminal),
            },
        )
        return await made.create(metadata, settings)

    return make


class WrittenMainAgent(BaseAgent):
    """An agent of the main thread that a file describes; each file has a class of its own."""

    written: WrittenAgent

    async def _initialize_state_handlers(self) -> None:
        self.state_handlers = {
            phase.phase_id: await self._handler(phase)
            for phase in self.written.file.phases
            if not phase.terminal
        }

    async def _handler(self, phase: AgentPhase) -> StateHandler:
        here = WrittenPhase(self.written, phase)
        match phase.handler:
            case HandlerKind.PREPARE:
                executes = self.written.file.phase(phase.next or "")
                assert executes is not None, "a file without mistakes"
                prepares = _own(WrittenPreparationHandler, here, "Preparation")
                return await prepares.create(executes=executes)
            case HandlerKind.EXECUTE:
                return await _own(WrittenExecutionHandler, here, "Execution").create(agent=self)
            case _:
                replies = _own(WrittenReplyHandler, here, "Handler")
                return await replies.create(next_phase=phase.next)


class WrittenSubThreadAgent(SubThreadAgent):
    """An agent of a sub-thread that a file describes; each file has a class of its own."""

    written: WrittenAgent

    async def _initialize_interaction_units(self) -> None:
        self.interaction_units = {
            phase.phase_id: await self._unit(phase)
            for phase in self.written.file.phases
            if not phase.terminal
        }

    async def _unit(self, phase: AgentPhase) -> InteractionUnit:
        """Return the unit of a phase, its handler made first (section 7.2)."""
        here = WrittenPhase(self.written, phase)
        handler: StateHandler
        if phase.agent:
            handler = await _own(WrittenNestedHandler, here, "Handler").create(agent=self)
        else:
            handler = await _own(WrittenReplyHandler, here, "Handler").create()
        if phase.unit is UnitKind.REQUESTER:
            requests = _own(WrittenRequester, here, "Requester")
            return await requests.create(state_handler=handler, next_phase=phase.next)
        responds = _own(WrittenResponsor, here, "Responsor")
        responsor = await responds.create(state_handler=handler, next_phase=phase.next)
        if phase.unit is UnitKind.RESPONSOR:
            return responsor
        starts = _own(WrittenStarter, here, "Starter")
        return await starts.create(responsor=responsor, next_phase=phase.next)

    def result_values(self, task: Task, thread: Thread) -> Mapping[str, JsonValue]:
        """Return what its phases have yielded, of the names that its file declares."""
        found = values_of(thread.settings_of(task.thread_id(thread)))
        names = {each.get for each in self.written.file.outputs()}
        return {name: found[name] for name in sorted(names) if name in found}

    async def _execute_unit(self, task: Task, thread: Thread) -> list[Task]:
        """Execute one unit; its file may allow fewer than a run may have."""
        most = self.written.file.max_units
        if task.meta.unit > most:
            problem = f"{most} units led to no terminal phase"
            raise ThreadFault("ENDLESS_PHASES", problem, phase=self._phase(task, thread))
        return list(await super()._execute_unit(task, thread))


def _own(kind: type[_Part], here: WrittenPhase, suffix: str) -> type[_Part]:
    """Return a class of a phase's own, named as section 9.2 names them."""
    return type(f"{_name(here.phase.phase_id)}{suffix}", (kind,), {"written": here})


def _name(snake: str) -> str:
    return "".join(part.capitalize() for part in snake.replace("-", "_").split("_"))
