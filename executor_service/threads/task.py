"""A task for a thread, and the response to it (document 003, sections 6.3 and 7.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from executor_service.threads.thread import Thread
from executor_service.threads.thread_errors import ThreadFault
from executor_service.threads.thread_path import MAIN, ThreadPath
from executor_service.threads.thread_repository import AggregateRepository
from heartrule.domain.ids import new_id
from heartrule.domain.json_value import JsonValue

RETRY = "retry"
"""The `_ui_action` of a task that is done again (section 4.2)."""
_SKIP = "skipBotMessageCreation"


class TaskType(StrEnum):
    """Where a task comes from."""

    MESSAGE = "message"
    """What a user said."""
    ACTION = "action"
    """A step that an agent added itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostUtils:
    """What the host of an agent gives its tasks."""

    thread_repository: AggregateRepository
    make_id: Callable[[str], str] = new_id
    """Makes unique ids, never by the clock alone (RESOLUTIONS T9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskMeta:
    """What travels with a task."""

    sub_thread_path: str = ""
    """Where the thread is that the task is about; empty: the main thread."""
    thread_id: str = ""
    """The id of that thread; the path has to lead to it. Empty: the path alone says."""
    original_query: Mapping[str, JsonValue] | None = None
    """The request that a prepare step took, whole (RESOLUTIONS T18)."""
    original_task: Mapping[str, JsonValue] | None = None
    """The request that a sub-thread was opened for, whole."""
    ui_action: str = ""
    """`RETRY`: what was suggested before is dropped."""
    unit: int = 0
    """The number of the unit that executes it in its sub-thread; 0: the next one."""
    other: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What an agent is asked to do."""

    name: str
    message: str = ""
    type: TaskType = TaskType.MESSAGE
    skip_user_message: bool = False
    """Whether its message is no message of the thread: it is there already, or nobody said it."""
    meta: TaskMeta = TaskMeta()
    host_utils: HostUtils

    @property
    def path(self) -> ThreadPath:
        """The path of its thread; InvalidThreadPath where the text is none."""
        return ThreadPath.parse(self.meta.sub_thread_path) if self.meta.sub_thread_path else MAIN

    def thread_id(self, thread: Thread) -> str:
        """Return the id of its thread; RevisionConflict where the path leads to another one."""
        return thread.id_at(self.path, self.meta.thread_id)

    def request(self) -> Mapping[str, JsonValue]:
        """Return what it asks for, whole: its message and all that came with it."""
        meta = dict(self.meta.other)
        return {"text": self.message, **({"meta": meta} if meta else {})}

    def following(self, task: Task) -> Task:
        """Return a task that was added, about the same thread as this one."""
        meta = replace(
            task.meta, sub_thread_path=self.meta.sub_thread_path, thread_id=self.meta.thread_id
        )
        return replace(task, meta=meta, host_utils=self.host_utils)


@dataclass(slots=True)
class Response:
    """What a handler answers."""

    text: str = ""
    meta: dict[str, JsonValue] = field(default_factory=dict)
    next_tasks: list[Task] = field(default_factory=list)
    values: Mapping[str, JsonValue] = field(default_factory=dict)
    """What a sub-thread returns beside its text."""
    is_placeholder: bool = False
    """Whether its message announces a result."""
    is_stopped: bool = False
    """Whether somebody stopped it while it was written; it does not advance the phase."""
    is_failed: bool = False
    """Whether it broke off; it does not advance the phase (RESOLUTIONS T14)."""

    def add_next_task(self, task: Task) -> None:
        """Add a task that is done after this one."""
        self.next_tasks.append(task)

    def skip_bot_message_creation(self) -> None:
        """Say that no message is to be made of it, whatever else its meta holds (T20)."""
        self.meta = {**self.meta, _SKIP: True}

    @property
    def skips_bot_message(self) -> bool:
        """Whether it updated a message that was there."""
        return self.meta.get(_SKIP) is True


def require_sub_thread_path(task: Task) -> ThreadPath:
    """Return the path of a task's sub-thread; ThreadFault MISSING_PATH where there is none."""
    if task.path.is_main:
        raise ThreadFault("MISSING_PATH", "the task of a sub-thread names its path", task=task.name)
    return task.path
