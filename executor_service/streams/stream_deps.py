"""What every stream of a session needs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from executor_service.assets.pictures import Pictures
from executor_service.hub import SessionHub
from executor_service.ports import ScriptLibrary
from executor_service.turns.session_workers import SessionWorkers
from session_store.ports import EventStore, SessionStore


class StreamStore(SessionStore, EventStore, Protocol):
    """The parts of the store that streams read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamDeps:
    """Shared by all streams of a process."""

    store: StreamStore
    hub: SessionHub
    turns: SessionWorkers
    scripts: ScriptLibrary
    """Names which variables are sensitive."""
    pictures: Pictures | None = None
    """None: every picture is sent by its address."""
    heartbeat: timedelta = timedelta(seconds=15)
    max_input_bytes: int = 1_048_576
