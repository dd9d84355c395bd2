"""What is kept of a session besides where it stands. Every method is one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from heartrule.domain.exits import ExitHistoryEntry
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import ActionMetricsEntry, MonitorFeedbackEntry
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.variables import ScopeSnapshot, VariableDefinition, VariableOperation
from session_store.records import Page


class HistoryStore(Protocol):
    """What is kept of a session besides where it stands; NotFound for a deleted one."""

    async def list_definitions(self, key: SessionKey) -> tuple[VariableDefinition, ...]:
        """Return what its script declares and what was registered, by scope, scope id and name."""

    async def list_operations(
        self, key: SessionKey, page: Page
    ) -> tuple[list[VariableOperation], str]:
        """Return variable operations, oldest first, and the next page's token."""

    async def latest_operations(
        self, key: SessionKey, names: Sequence[str], *, most: int
    ) -> tuple[VariableOperation, ...]:
        """Return the latest operations on each of the names, `most` of each, newest first."""

    async def list_snapshots(self, key: SessionKey, page: Page) -> tuple[list[ScopeSnapshot], str]:
        """Return scope snapshots, oldest first, and the next page's token."""

    async def list_exits(self, key: SessionKey, page: Page) -> tuple[list[ExitHistoryEntry], str]:
        """Return exit decisions, oldest first, and the next page's token."""

    async def list_metrics(
        self, key: SessionKey, page: Page
    ) -> tuple[list[ActionMetricsEntry], str]:
        """Return what judged rounds said, oldest first, and the next page's token."""

    async def list_feedback(
        self, key: SessionKey, page: Page
    ) -> tuple[list[MonitorFeedbackEntry], str]:
        """Return analyses in the order in which they ended, and the next page's token."""

    async def list_strategies(
        self, key: SessionKey, page: Page
    ) -> tuple[list[StrategyDecision], str]:
        """Return what the strategy engine recommended, oldest first, and the next page's token."""

    async def last_exit(self, key: SessionKey) -> ExitHistoryEntry | None:
        """Return the newest decision of a turn that was not taken back; None before the first."""
