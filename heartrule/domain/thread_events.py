"""What a session's log tells of threads nested in messages: how far one is, and what it says."""

from __future__ import annotations

from dataclasses import dataclass

from heartrule.domain.threads import ThreadRole, ThreadState


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadChanged:
    """A thread is opened, or its state, its phase or what is suggested is another one."""

    thread_id: str
    parent_thread_id: str = ""
    """Empty: the main thread."""
    anchor_message_id: str
    depth: int = 1
    agent: str
    state: ThreadState
    phase: str = ""
    suggested_phase: str = ""
    """Not yet applied; empty: none."""
    failure_code: str = ""
    run_id: str
    """The run in which its agent works; by it a fork knows whether it has the thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMessageAdded:
    """A message is stored in a nested thread."""

    thread_id: str
    message_id: str
    number: int
    """Its place in the thread, from 0; a message has that of the one it replaces."""
    role: ThreadRole
    text: str
    phase: str = ""
    is_placeholder: bool = False
    replaces_message_id: str = ""
    """The placeholder whose place it takes; empty: none."""
    run_id: str
    """As in ThreadChanged."""
    unit: int = 0
    """Which unit of the thread wrote it, from 1; 0: none did."""
