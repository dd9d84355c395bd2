"""The agents that a session may use: in YAML, of its script or installed, and as code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from executor_service.scripts.agents.agent_files import WrittenAgent, read_agents
from executor_service.scripts.model.agent_file import AgentKind, KnownAgent
from executor_service.threads.agent_host import AgentHost
from executor_service.threads.ports import ThreadModel
from executor_service.threads.thread_agent import AgentMetadata, ThreadAgent
from executor_service.threads.two_step import SubAgentMaker, SubThreadWork
from executor_service.threads.written_agents import maker_of
from heartrule.domain.errors import NotFound
from heartrule.domain.output_type import OutputType
from heartrule.domain.workflows import WorkflowInput

AGENT_PRIORITY = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredAgent:
    """An agent by its name: what it takes, what it returns, and what makes one."""

    name: str
    kind: AgentKind = AgentKind.SUB_THREAD
    make: SubAgentMaker
    """`create` of a class in code; the metadata it is given has a host."""
    first_phase: str
    """The phase in which a thread of it begins."""
    description: str = ""
    """What it is for, in words for the model that may ask for it."""
    input_schema: Mapping[str, WorkflowInput] = field(default_factory=dict)
    """What a decision's `task_payload` must satisfy, by name."""
    outputs: Mapping[str, OutputType] = field(default_factory=dict)
    """What it returns beside its text, by name."""
    priority: int = AGENT_PRIORITY
    """10 is the most urgent (RESOLUTIONS D19)."""
    timeout: float | None = None
    """Seconds, where whoever asks for it names none; None: the host decides."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What the client is told of a phase, by the phase."""
    nested: frozenset[str] = frozenset()
    """The agents that it has work on nested threads, by name."""
    written: WrittenAgent | None = None
    """Its files; None: it is code."""

    def known(self) -> KnownAgent:
        """Return what others that name it are checked against."""
        return KnownAgent(kind=self.kind, input_schema=self.input_schema, nested=self.nested)


def registered(written: WrittenAgent) -> RegisteredAgent:
    """Return the agent that files describe."""
    file, known = written.file, written.file.known()
    return RegisteredAgent(
        name=file.agent_id,
        kind=file.kind,
        make=maker_of(written),
        first_phase=file.phases[0].phase_id,
        description=file.description or file.title,
        input_schema=known.input_schema,
        outputs=MappingProxyType({each.get: each.type for each in file.outputs()}),
        priority=file.priority,
        timeout=file.timeout,
        labels=MappingProxyType({each.phase_id: each.label for each in file.phases if each.label}),
        nested=known.nested,
        written=written,
    )


class AgentRegistry:
    """Agents by their names."""

    def __init__(self, agents: Iterable[RegisteredAgent] = ()) -> None:
        """Of two agents of one name the later one counts."""
        self._agents = {each.name: each for each in agents}

    @property
    def agents(self) -> Mapping[str, RegisteredAgent]:
        """All of them."""
        return MappingProxyType(self._agents)

    def known(self) -> Mapping[str, KnownAgent]:
        """Return what files that name agents are checked against."""
        return {name: each.known() for name, each in self._agents.items()}

    def get(self, name: str) -> RegisteredAgent:
        """Return an agent; NotFound where there is none of that name."""
        if name not in self._agents:
            raise NotFound("agent", name)
        return self._agents[name]

    def with_bundle(self, files: Mapping[str, bytes]) -> AgentRegistry:
        """Return these agents and those of a bundle, which go before others of their names.

        Sources that lie in the bundle beside an agent of the installation are added to it; files
        with mistakes are left out, as they were told of when the script was published.

        Args:
            files: Those below `agents/`.
        """
        if not files:
            return self
        read = read_agents(files, self.known())
        own = [registered(each) for each in read.agents.values()]
        added = [
            registered(replace(base, sources={**base.sources, **sources}))
            for name, sources in read.added.items()
            if name in self._agents and (base := self._agents[name].written) is not None
        ]
        return AgentRegistry((*self._agents.values(), *added, *own))

    async def make(
        self,
        name: str,
        model: ThreadModel,
        work: SubThreadWork | None = None,
        *,
        scheme: str = "",
    ) -> ThreadAgent:
        """Return an agent of its own for one thread.

        Args:
            name: The agent's.
            model: Answers what its parts ask.
            work: Works on the sub-threads of a main thread's agent; None: they are worked on at
                once.
            scheme: The scheme whose prompts go before an agent's own.

        Raises:
            NotFound: There is no agent of that name.
            InvalidAgent: It, or one below it, holds what it must not hold.
        """
        host = AgentHost(
            model=model, maker=lambda each: self.get(each).make, work=work, scheme=scheme
        )
        return await self.get(name).make(AgentMetadata(name=name, host=host), {})
