"""The store as its callers see it, a module per noun; every method is one transaction."""

from __future__ import annotations

from session_store.ports.events import EventStore
from session_store.ports.fork_and_retry import ForkAndRetryStore
from session_store.ports.histories import HistoryStore
from session_store.ports.ledger import LedgerStore
from session_store.ports.monitor import MonitorStore
from session_store.ports.plans import PlanStore
from session_store.ports.scripts import AssetStore, ScriptStore
from session_store.ports.sessions import SessionStore
from session_store.ports.store import Store
from session_store.ports.turns import StopStore, TurnStore

__all__ = [
    "AssetStore",
    "EventStore",
    "ForkAndRetryStore",
    "HistoryStore",
    "LedgerStore",
    "MonitorStore",
    "PlanStore",
    "ScriptStore",
    "SessionStore",
    "StopStore",
    "Store",
    "TurnStore",
]
