"""What a host gives an agent: a model, other agents, and where sub-threads are worked on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from executor_service.threads.ai_adapter import AIAdapter
from executor_service.threads.ports import ThreadModel
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_errors import InvalidAgent
from executor_service.threads.two_step import SubAgentMaker, SubThreadWork


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentHost:
    """What a host gives an agent and all those below it; it travels in their metadata."""

    model: ThreadModel
    maker: Callable[[str], SubAgentMaker]
    """Returns what makes the agent of a name; NotFound where there is none."""
    work: SubThreadWork | None = None
    """Works on the sub-threads of a main thread; None: they are worked on here and now."""
    scheme: str = ""
    """The scheme whose prompts go before an agent's own; empty: none."""


def host_of(agent: ThreadAgent) -> AgentHost:
    """Return the host of an agent; InvalidAgent NO_HOST where it was made without one."""
    host = agent.metadata.host
    if host is None:
        name = agent.metadata.name
        raise InvalidAgent(
            "NO_HOST", f"{name} was made without a host", holder=name, held="nothing"
        )
    return host


def adapter_of(agent: ThreadAgent) -> AIAdapter:
    """Return an adapter of the host's model for one agent; only a main thread's may stream."""
    return AIAdapter(host_of(agent).model, is_main=agent.metadata.depth == 0)
