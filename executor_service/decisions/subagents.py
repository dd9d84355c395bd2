"""Which sub-agents a session may ask for: a port, so that decisions know no thread's agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from executor_service.decisions.ground import SubagentType
from heartrule.domain.keys import SessionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSubagents:
    """The sub-agents that a session has."""

    types: Mapping[str, SubagentType] = field(default_factory=dict)
    """Those that are registered, by name."""
    waiting: int = 0
    """Runs of them that wait to be admitted."""


class Subagents(Protocol):
    """Knows the sub-agents of sessions."""

    async def of(self, key: SessionKey) -> KnownSubagents:
        """Return those of a session: its script's own, and the installation's."""


class NoSubagents:
    """Nobody to ask: each such decision is refused."""

    async def of(self, _key: SessionKey) -> KnownSubagents:
        """Return none."""
        return KnownSubagents()


NO_SUBAGENTS: Subagents = NoSubagents()
