"""Sub-threads as the store takes and gives them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.runs import NodeFailure
from heartrule.domain.thread_changes import ThreadEnd, ThreadWrite
from heartrule.domain.threads import SubThread, ThreadMessage, ThreadState

MOST_THREADS_AT_ONCE = 8
"""Runs of sub-agents of one session that are admitted and have not ended."""
MOST_THREADS_WAITING = 200
"""Of one session, not admitted yet; whoever begins more refuses it first."""

# Indexes of messages from the main thread down, each that of the message the next is nested in.
MessageIndexes: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadCheckpoint:
    """What is written of a run's threads at once."""

    writes: tuple[ThreadWrite, ...]
    """In order. Threads that are opened are nested in messages of threads of the run."""
    label: str = ""
    """What the client is told of the work from here on; empty: nothing new."""
    calls: tuple[LLMDebugInfo, ...] = ()
    calls_of: str = ""
    """The thread for which they were made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadRunEnd:
    """How the outermost thread of a run ends, and the run."""

    end: ThreadEnd
    """What takes the placeholder's place in the conversation is its `result_text`, where that is
    empty its plain text."""
    failure: NodeFailure | None = None
    """Why the run failed; None: it did not."""
    calls: tuple[LLMDebugInfo, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptThread:
    """A thread as it is read."""

    key: SessionKey
    thread: SubThread
    sequence: int = 0
    """Of the event that tells that it was opened; it orders threads."""
    is_shown: bool = False
    """True: its result, or its plain text, has taken the placeholder's place."""
    is_taken_back: bool = False
    """True: its turn was taken back; no list has it."""
    create_time: datetime | None = None
    end_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptThreadMessage:
    """A message of a thread as it is read; one that was replaced is in no list."""

    message: ThreadMessage
    replaces: str = ""
    """The placeholder whose place it took; empty: none."""
    create_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadContents:
    """A thread with every message of it, those that were replaced too, by number."""

    thread: SubThread
    messages: tuple[ThreadMessage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadFilter:
    """Which threads are listed."""

    agent: str = ""
    """Empty, as the next two: any."""
    run_id: str = ""
    turn_id: str = ""
    state: ThreadState | None = None
    """None: any."""
