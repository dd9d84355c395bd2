"""What changes of a thread: values that a store writes, in the order in which they were made.

`thread_id` is that of the sub-thread it happened in; empty: the main thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import SubThread, ThreadMessage, ThreadSettings, ThreadState


@dataclass(frozen=True, slots=True, kw_only=True)
class NewThread:
    """A thread that is opened in a message."""

    thread: SubThread
    """RUNNING. The turn is the step's that opens it, or that of the outermost."""
    plain_text: str = ""
    """What takes its placeholder's place where it does not end well (RESOLUTIONS T10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageWritten:
    """A message is written in a thread."""

    thread_id: str
    message: ThreadMessage
    """At the end, or under the number of the placeholder whose place it takes."""
    replaces: str = ""
    """That placeholder; empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesRemoved:
    """Messages go from a thread; those behind them move up (RESOLUTIONS T11)."""

    thread_id: str
    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsWritten:
    """A thread has these settings from now on: a phase is suggested, dropped, or another one."""

    thread_id: str
    settings: ThreadSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadEnd:
    """How a thread ends; a message that takes its placeholder's place is written besides."""

    thread_id: str
    state: ThreadState
    """One of `ENDED_THREADS`."""
    result_text: str = ""
    values: Mapping[str, JsonValue] = field(default_factory=dict)
    failure_code: str = ""


ThreadWrite: TypeAlias = MessageWritten | MessagesRemoved | SettingsWritten | NewThread | ThreadEnd
