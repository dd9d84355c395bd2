"""Adapter: the agents of an installation: those below `_system/agents`, and installed packages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

from executor_service.scripts.agents.agent_files import read_agents
from executor_service.scripts.loading.bundle_files import read_agent_files
from executor_service.scripts.model.findings import invalid_script
from executor_service.threads.agent_registry import AgentRegistry, RegisteredAgent, registered
from executor_service.threads.thread_errors import InvalidAgent

ENTRY_POINTS = "heartrule.agents"
"""The group of entry points under which a package names its agents; an operator installs it."""


def installed_agents(system: Path) -> AgentRegistry:
    """Return the agents of an installation; a package's goes before one in YAML of its name.

    Raises:
        InvalidScript: A file below `_system/agents` has a mistake.
        InvalidAgent: What a package names is no agent of that name, reason NOT_AN_AGENT.
    """
    code = AgentRegistry(_of_packages())
    read = read_agents(read_agent_files(system), code.known())
    if any(each.is_error for each in read.findings):
        raise invalid_script(read.findings)
    return AgentRegistry((*map(registered, read.agents.values()), *code.agents.values()))


def _of_packages() -> Iterator[RegisteredAgent]:
    for point in entry_points(group=ENTRY_POINTS):
        try:
            found = point.load()
        except Exception as error:  # a package's own code may raise anything
            problem = f"the agent {point.name} cannot be loaded from {point.value}: {error}"
            raise InvalidAgent(
                "NOT_AN_AGENT", problem, holder=point.name, held="nothing"
            ) from error
        yield agent_named(found, point.name, point.value)


def agent_named(found: object, name: str, place: str) -> RegisteredAgent:
    """Return what a package named as an agent; InvalidAgent where it is none of that name."""
    if isinstance(found, RegisteredAgent) and found.name == name:
        return found
    kind = type(found).__name__
    shown = f"the agent {found.name}" if isinstance(found, RegisteredAgent) else f"a {kind}"
    problem = f"the package names {place} as its agent {name}, and that is {shown}"
    raise InvalidAgent("NOT_AN_AGENT", problem, holder=name, held=kind)
