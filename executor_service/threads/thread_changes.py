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
class MessageAppended:
    """A message was written at the end of a thread."""

    thread_id: str
    message: ThreadMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageReplaced:
    """A result took the place of a placeholder; both rows stay (R20)."""

    thread_id: str
    replaced_id: str
    message: ThreadMessage
    """With the placeholder's number and an id of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRemoved:
    """A message is gone, with the ended threads nested in it; those behind it move up by one."""

    thread_id: str
    message_id: str
    removed_threads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged:
    """A phase is suggested, or the thread moved to one, or a suggestion was dropped."""

    thread_id: str
    settings: ThreadSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadOpened:
    """A sub-thread was opened in a message."""

    sub_thread: SubThread


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadEnded:
    """A sub-thread has ended, and never changes again."""

    thread_id: str
    state: ThreadState
    result_text: str = ""
    values: Mapping[str, JsonValue] = field(default_factory=dict)
    failure_code: str = ""


ThreadChange: TypeAlias = (
    MessageAppended
    | MessageReplaced
    | MessageRemoved
    | SettingsChanged
    | ThreadOpened
    | ThreadEnded
)
