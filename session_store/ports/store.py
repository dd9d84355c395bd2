"""The whole store. Every method is one transaction."""

from __future__ import annotations

from typing import Protocol

from session_store.ports.events import EventStore
from session_store.ports.fork_and_retry import ForkAndRetryStore
from session_store.ports.histories import HistoryStore
from session_store.ports.ledger import LedgerStore
from session_store.ports.monitor import MonitorStore
from session_store.ports.plans import PlanStore
from session_store.ports.scripts import AssetStore, ScriptStore
from session_store.ports.sessions import SessionStore
from session_store.ports.turns import TurnStore


class Store(
    ScriptStore,
    AssetStore,
    SessionStore,
    LedgerStore,
    EventStore,
    HistoryStore,
    ForkAndRetryStore,
    TurnStore,
    MonitorStore,
    PlanStore,
    Protocol,
):
    """Everything, as bootstrap makes it."""

    async def start(self) -> None:
        """Migrate under a lock and open; on SQLite a second process is refused with NotReady."""

    async def ping(self) -> None:
        """Answer when the database does, and has room; StoreUnavailable, StoreFull otherwise."""

    async def aclose(self) -> None:
        """Close everything; afterwards no file or connection is open."""
