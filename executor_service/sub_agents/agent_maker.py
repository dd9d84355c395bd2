"""Who makes the agents of threads: a port that the composition fills with what is registered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from executor_service.threads.ports import ThreadModel
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.two_step import SubThreadWork
from heartrule.domain.keys import SessionKey


class AgentMaker(Protocol):
    """Makes agents by their names."""

    async def make(
        self, key: SessionKey, name: str, model: ThreadModel, work: SubThreadWork | None = None
    ) -> ThreadAgent:
        """Return an agent of its own for one thread, of the session's script or installed.

        Args:
            key: The session.
            name: The agent's.
            model: Answers what its parts ask.
            work: Works on the sub-threads of a main thread's agent; None: they are worked on at
                once.

        Raises:
            NotFound: There is no agent of that name.
            InvalidAgent: It holds what it must not hold.
        """

    async def labels(self, key: SessionKey, name: str) -> Mapping[str, str]:
        """Return what the client is told of an agent's phases, by phase; it may be nothing."""
