"""What a session's log tells of runs of workflows: how far a run is, and each of its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from heartrule.domain.runs import NodeState, RunErrorCode, RunState, SkipReason


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChanged:
    """A run is queued, or in another state than before."""

    run_id: str
    workflow_id: str
    """Empty, and the revision 0, where an agent works in a thread."""
    revision: int
    state: RunState
    code: RunErrorCode | None = None
    """Why it failed; None: it did not."""
    decision_id: str = ""
    """What began it."""
    agent: str = ""
    """The agent that works in a thread; empty: a workflow runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeChanged:
    """A node of a run is in another state than before; its output is read with the run."""

    run_id: str
    path: str
    """The node's id; in a loop `loop/3/inner`."""
    state: NodeState
    attempt: int = 1
    skip_reason: SkipReason | None = None
    code: RunErrorCode | None = None
    """Why the attempt failed; None: it did not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeExecutionFailed:
    """A node's own retries are spent; what follows is a decision (document 002, section 6.2)."""

    run_id: str
    path: str
    attempt: int
    """The last one."""
    code: RunErrorCode
    message: str = ""
    is_retryable: bool = False


class ActivityKind(StrEnum):
    """What goes on beside the conversation."""

    WORKFLOW_RUN = "workflow_run"
    SUB_THREAD = "sub_thread"
    """An agent works in a thread."""


class ActivityState(StrEnum):
    """Whether it goes on."""

    BEGAN = "began"
    ENDED = "ended"
    GOES_ON = "goes_on"
    """With another label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """Something that the client may see going on began, goes on or ended."""

    activity_id: str
    """Of a run: its id; of a thread: that of the run in which its agent works."""
    kind: ActivityKind = ActivityKind.WORKFLOW_RUN
    state: ActivityState
    name: str = ""
    """Of a run: its workflow's name; of a thread: its agent's."""
    is_completed: bool = False
    """True: it ended, and well."""
    label: str = ""
    """What it does now, as the agent's author calls it; empty: not told."""
    message_id: str = ""
    """Of a thread: the message that announces its result."""
