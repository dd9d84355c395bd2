"""The agents of threads in a process: who makes them, and how what they answer is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from executor_service.dependencies import Dependencies
from executor_service.installation import Installation
from executor_service.ports import ScriptLibrary
from executor_service.sub_agents.result_check import ResultCheck
from executor_service.sub_agents.session_agents import SessionAgents


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadParts:
    """Shared by turns, the gate and runs of a process."""

    agents: SessionAgents
    check: ResultCheck


def thread_parts(
    given: Dependencies, scripts: ScriptLibrary, installation: Callable[[], Installation]
) -> ThreadParts:
    """Return the parts; nothing is read before a session asks for an agent."""
    return ThreadParts(
        agents=SessionAgents(given.store, scripts, lambda: installation().agents()),
        check=ResultCheck(store=given.store, texts=lambda: installation().crisis.texts),
    )
