"""Which sub-agents a session may ask for: a port, so that decisions know no thread's agent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from executor_service.decisions.ground import SubagentType
from heartrule.domain.keys import SessionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSubagents:
    """The sub-agents that a session has."""

    types: Mapping[str, SubagentType] = field(default_factory=dict)
    """Those that are registered, by name."""
    waiting: int = 0
    """Runs of them that wait to be admitted."""


Subagents: TypeAlias = Callable[[SessionKey], Awaitable[KnownSubagents]]
"""Returns those of a session: its script's own, and the installation's."""


async def no_subagents(_key: SessionKey) -> KnownSubagents:
    """Return none: each decision that asks for one is refused."""
    return KnownSubagents()
