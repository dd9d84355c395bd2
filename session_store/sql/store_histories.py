"""The histories of the store over SQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

import sqlalchemy as sa

from heartrule.domain.events import SessionEvent
from heartrule.domain.exits import ExitHistoryEntry
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import ActionMetricsEntry, MonitorFeedbackEntry
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.variables import ScopeSnapshot, VariableDefinition, VariableOperation
from session_store.records import Page
from session_store.sql import definitions, ending, feedback, histories, sessions
from session_store.sql.engine import Engine
from session_store.sql.proofs import told


class SqlHistories:
    """HistoryStore over SQL, and the end of idle sessions; a deleted one has no history."""

    _engine: Engine

    async def find_idle(self, idle: timedelta, limit: int) -> tuple[SessionKey, ...]:
        """Return opened sessions that wait for a client since longer than `idle`."""
        return await self._engine.read(partial(ending.find_idle, idle=idle, limit=limit))

    async def end_idle(self, key: SessionKey, idle: timedelta) -> tuple[SessionEvent, ...]:
        """End the session where it is idle still; see the port."""
        return await self._engine.write(
            partial(ending.end_idle, key=key, idle=idle),
            proof=lambda db, done: told(db, key, done),
        )

    async def list_definitions(self, key: SessionKey) -> tuple[VariableDefinition, ...]:
        """Return what its script declares and what was registered, by scope, scope id and name."""

        def read(db: sa.Connection) -> tuple[VariableDefinition, ...]:
            sessions.read(db, key)
            return definitions.of_session(db, key)

        return await self._engine.read(read)

    async def list_operations(
        self, key: SessionKey, page: Page
    ) -> tuple[list[VariableOperation], str]:
        """Return variable operations, oldest first, and the next page's token."""
        return await self._engine.read(partial(histories.operations, key=key, page=page))

    async def latest_operations(
        self, key: SessionKey, names: Sequence[str], *, most: int
    ) -> tuple[VariableOperation, ...]:
        """Return the latest operations on each of the names, `most` of each, newest first."""
        wanted = partial(histories.operations_of, key=key, names=names, most=most)
        return await self._engine.read(wanted)

    async def list_snapshots(self, key: SessionKey, page: Page) -> tuple[list[ScopeSnapshot], str]:
        """Return scope snapshots, oldest first, and the next page's token."""
        return await self._engine.read(partial(histories.snapshots, key=key, page=page))

    async def list_exits(self, key: SessionKey, page: Page) -> tuple[list[ExitHistoryEntry], str]:
        """Return exit decisions, oldest first, and the next page's token."""
        return await self._engine.read(partial(histories.exits, key=key, page=page))

    async def list_metrics(
        self, key: SessionKey, page: Page
    ) -> tuple[list[ActionMetricsEntry], str]:
        """Return what judged rounds said, oldest first, and the next page's token."""
        return await self._engine.read(partial(histories.metrics, key=key, page=page))

    async def list_feedback(
        self, key: SessionKey, page: Page
    ) -> tuple[list[MonitorFeedbackEntry], str]:
        """Return analyses in the order in which they ended, and the next page's token."""
        return await self._engine.read(partial(feedback.page, key=key, wanted=page))

    async def list_strategies(
        self, key: SessionKey, page: Page
    ) -> tuple[list[StrategyDecision], str]:
        """Return what the strategy engine recommended, oldest first, and the next page's token."""
        return await self._engine.read(partial(histories.strategies, key=key, page=page))

    async def last_exit(self, key: SessionKey) -> ExitHistoryEntry | None:
        """Return the newest decision of a turn that was not taken back; None before the first."""
        return await self._engine.read(partial(histories.last_exit, key=key))
