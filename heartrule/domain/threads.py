"""Sub-threads: conversations inside a session, each nested in the message that announced it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from heartrule.domain.json_value import JsonValue

DEEPEST_THREAD = 8
"""Depth of a thread; the main thread has depth 0."""
MOST_UNITS = 50
"""Units that one run of a sub-thread may execute (RESOLUTIONS T7)."""


class ThreadState(StrEnum):
    """How far a sub-thread is."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED_THREADS = frozenset({ThreadState.COMPLETED, ThreadState.FAILED, ThreadState.CANCELLED})
"""A sub-thread in one of these never changes again."""


class ThreadRole(StrEnum):
    """Who speaks; in a sub-thread both are written by a unit, never by the client."""

    USER = "user"
    BOT = "bot"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMessage:
    """One message of a thread."""

    message_id: str
    number: int = 0
    """Its place among the messages of its thread that stand, from 0; a placeholder and its result
    have one. The aggregate gives it."""
    role: ThreadRole
    text: str
    meta: Mapping[str, JsonValue] = field(default_factory=dict)
    """What an agent noted beside it, without the threads nested in it."""
    phase: str = ""
    """The thread phase in which it was written (RESOLUTIONS T13)."""
    unit: int = 0
    """Which unit of its sub-thread wrote it, counted from 1; 0: none did."""
    is_placeholder: bool = False
    """It announces a result that has not taken its place."""
    replaced_by: str = ""
    """The message that took its place, under whose number it stands; empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadSettings:
    """The settings of a thread: its phase, and the phase a handler suggests next."""

    phase: str
    """Stored as `briefStatus.phase`."""
    suggested_phase: str | None = None
    """Stored as `_phaseUpdateSuggestion.phase`; None: nothing is suggested."""
    other: Mapping[str, JsonValue] = field(default_factory=dict)
    """What an agent keeps besides; what else stands in `briefStatus` is under that key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubThread:
    """A sub-thread without its messages."""

    thread_id: str
    parent_thread_id: str
    """The thread of the message it is nested in; empty: the main thread."""
    anchor_message_id: str
    """The message it is nested in."""
    depth: int
    """From 1, nested in the main thread, to `DEEPEST_THREAD`."""
    agent: str
    """The name of the agent that works on it."""
    state: ThreadState
    settings: ThreadSettings
    request: Mapping[str, JsonValue] = field(default_factory=dict)
    """What it was opened for, whole (RESOLUTIONS T18)."""
    result_text: str = ""
    values: Mapping[str, JsonValue] = field(default_factory=dict)
    """What a completed one returns beside its text, by the names of its agent's outputs."""
    failure_code: str = ""
    run_id: str = ""
    """The run that works on it; of a nested one, that of the outermost."""
    turn_id: str = ""
    """The turn in which the outermost was opened."""
