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
    revision: int
    state: RunState
    code: RunErrorCode | None = None
    """Why it failed; None: it did not."""
    decision_id: str = ""
    """What began it."""


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


class ActivityState(StrEnum):
    """Whether it goes on."""

    BEGAN = "began"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """Something that the client may see going on began or ended."""

    activity_id: str
    """Of a run: its id."""
    kind: ActivityKind = ActivityKind.WORKFLOW_RUN
    state: ActivityState
    name: str = ""
    """Of a run: its workflow's name."""
    is_completed: bool = False
    """True: it ended, and well."""
