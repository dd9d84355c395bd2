"""Runs of workflows, their nodes and files as they are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import NodeFailure, NodeRecord, RunKind, RunState
from heartrule.domain.workflows import Workflow

WORKFLOW_PRIORITY = 5
"""Of a run of a workflow, from 0 to 10; 10 is most urgent."""


class RunLanding(StrEnum):
    """What became of a run's end in the conversation."""

    NONE = ""
    """It has not ended, or was taken back."""
    WAITS = "waits"
    """The next turn takes it up."""
    TAKEN = "taken"
    SESSION_OVER = "session_over"
    """The session ended before any turn took it up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRun:
    """A run with where it came from and how far it is."""

    key: SessionKey
    run_id: str
    kind: RunKind = RunKind.WORKFLOW
    workflow_id: str
    """Empty, and the revision 0, where an agent works in a thread."""
    revision: int
    name: str = ""
    """The workflow's, or the agent's."""
    thread_id: str = ""
    """The thread that an agent works in; empty: a workflow runs."""
    is_announced: bool = True
    """True: the client is told when it begins and ends."""
    lands_in: str = ""
    """The variable that gets its result; empty: none does."""
    state: RunState
    landing: RunLanding = RunLanding.NONE
    failure: NodeFailure | None = None
    priority: int = WORKFLOW_PRIORITY
    decision_id: str = ""
    turn_id: str = ""
    replaces: str = ""
    sequence: int = 0
    """Of the event that tells that it is queued."""
    token: int = 0
    is_taken_back: bool = False
    is_trimmed: bool = False
    """True: inputs and outputs were emptied by age."""
    create_time: datetime | None = None
    begin_time: datetime | None = None
    end_time: datetime | None = None
    deadline: datetime | None = None
    wake_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptNode:
    """An attempt of a node."""

    record: NodeRecord
    """Its output is None where it is too large for a list: `output_hash` names it."""
    inputs: JsonValue = None
    inputs_hash: str = ""
    output_hash: str = ""
    has_effect: bool = False
    sequence: int = 0
    wake_time: datetime | None = None
    begin_time: datetime | None = None
    end_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptArtifact:
    """A file that a node wrote."""

    path: str
    """The node's."""
    name: str
    mime_type: str
    size: int
    sha256: str
    content: bytes = b""
    """Empty in lists."""
    create_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDetails:
    """A run with its own copy of the workflow, its inputs, attempts and files."""

    run: KeptRun
    workflow: Workflow
    """Of a sub-agent it has nothing in it."""
    inputs: Mapping[str, JsonValue]
    nodes: tuple[KeptNode, ...] = ()
    """Every attempt, in the order in which they began."""
    artifacts: tuple[KeptArtifact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFilter:
    """Which runs are listed."""

    workflow_id: str = ""
    """Empty: any."""
    state: RunState | None = None
    """None: any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedRun:
    """A run that workers are to take."""

    key: SessionKey
    run_id: str
    priority: int
    create_time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunWorker:
    """A process that takes runs."""

    worker_id: str
    slots: int
    """Runs it takes at once."""
    version: int = 0
    """Of the engine."""
