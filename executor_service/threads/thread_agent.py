"""What agents of the main thread and of sub-threads have in common: phases, moved in two steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from executor_service.threads.task import RETRY, Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_errors import InvalidAgent, ThreadFault
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import DEEPEST_THREAD

if TYPE_CHECKING:
    from executor_service.threads.agent_host import AgentHost
    from executor_service.threads.handlers import StateHandler


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentMetadata:
    """What an agent knows of itself and of the agents above it."""

    name: str
    depth: int = 0
    """How many agents are above it; 0: it is a main thread's."""
    classes_above: Mapping[type, str] = field(default_factory=dict)
    """The classes of state handlers that agents above it hold, with those agents' names."""
    host: AgentHost | None = None
    """What it is given by its host; None: nothing, as for parts that ask no model."""


class ThreadAgent(ABC):
    """An agent that is in one phase of its thread at a time; made by `create`."""

    initial_phase: ClassVar[str] = "initial_phase"
    """The phase in which a new thread begins; an agent's own class or instance may say another."""
    terminal_phases: ClassVar[frozenset[str]] = frozenset({"completed"})
    """The phases in which nothing is left to do; likewise."""

    def __init__(self, metadata: AgentMetadata, settings: Mapping[str, JsonValue]) -> None:
        """Keep both; `settings` configure the agent, and a thread's phase is not among them."""
        self.metadata = metadata
        self.settings = settings

    @abstractmethod
    async def execute_task(self, task: Task, thread: Thread) -> Response:
        """Do what a task asks in the thread that its path names."""

    @abstractmethod
    def working_phases(self) -> Iterable[str]:
        """Return the phases in which there is something to do."""

    @abstractmethod
    def held_handlers(self) -> Mapping[str, StateHandler]:
        """Return its state handlers, by the name of what holds each."""

    def knows_phase(self, phase: str) -> bool:
        """Return whether its thread can be in that phase."""
        return phase in self.terminal_phases or phase in self.working_phases()

    def is_over(self, phase: str | None) -> bool:
        """Return whether nothing is left to do in a phase."""
        return phase in self.terminal_phases

    def metadata_below(self, name: str) -> AgentMetadata:
        """Return the metadata of an agent for a sub-thread of this one's thread.

        InvalidAgent AGENTS_TOO_DEEP where it would lie below eight others.
        """
        above, depth = self.metadata, self.metadata.depth + 1
        if depth > DEEPEST_THREAD:
            problem = f"{name} is below {DEEPEST_THREAD} agents; does one of them call itself?"
            raise InvalidAgent("AGENTS_TOO_DEEP", problem, holder=above.name, held=name)
        own = {type(handler): above.name for handler in self.held_handlers().values()}
        return replace(above, name=name, depth=depth, classes_above={**above.classes_above, **own})

    def _apply_phase_update_suggestion(self, task: Task, thread: Thread) -> None:
        """Move the task's thread to the suggested phase, and drop the suggestion.

        A task that is done again drops it alone. ThreadFault UNKNOWN_THREAD_PHASE where no phase of
        that name is known: the suggestion is dropped then, and the phase kept (RESOLUTIONS T3).
        """
        repository = task.host_utils.thread_repository
        settings = repository.get_thread_settings(task.thread_id(thread))
        suggested = settings.suggested_phase
        if suggested is None:
            return
        is_moved = task.meta.ui_action != RETRY and self.knows_phase(suggested)
        phase = suggested if is_moved else settings.phase
        moved = replace(settings, phase=phase, suggested_phase=None)
        repository.update_thread_settings(thread, moved, task.path)
        if not is_moved and task.meta.ui_action != RETRY:
            raise unknown_phase(self, suggested)


def unknown_phase(agent: ThreadAgent, phase: str) -> ThreadFault:
    """Return the error about a phase that an agent has nothing for."""
    problem = f"the agent {agent.metadata.name} has no phase of that name"
    return ThreadFault("UNKNOWN_THREAD_PHASE", problem, agent=agent.metadata.name, phase=phase)
