"""Runs of workflows as the store takes and gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from heartrule.domain.events import SessionEvent
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.runs import NodeFailure, NodeRecord, RunKind, RunProgress, RunState
from heartrule.domain.workflows import Workflow
from session_store.records.kept_runs import WORKFLOW_PRIORITY, KeptArtifact

NO_WORKFLOW = Workflow(workflow_id="", revision=0)
"""What a run of a sub-agent runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunNames:
    """What events of a run say of it."""

    run_id: str
    workflow_id: str
    revision: int
    decision_id: str
    name: str
    """The workflow's, or the agent's."""
    is_announced: bool
    """True: the client is told when it begins and ends."""
    agent: str = ""
    """The agent that works in a thread; empty: a workflow runs."""
    message_id: str = ""
    """Of an agent: the message that announces its result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """A run that begins QUEUED."""

    run_id: str
    """Unique wherever runs are."""
    kind: RunKind = RunKind.WORKFLOW
    workflow: Workflow
    """The revision that runs; the run has its own copy. Of a sub-agent `NO_WORKFLOW`."""
    thread_id: str = ""
    """Of a sub-agent: the thread it works on, which the same step opens."""
    agent: str = ""
    """Of a sub-agent: its name, as operators know it."""
    message_id: str = ""
    """Of a sub-agent: the message that announces its result; the store gives it."""
    decision_id: str
    inputs: Mapping[str, JsonValue] = field(default_factory=dict)
    timeout: timedelta
    """From its first taking on."""
    priority: int = WORKFLOW_PRIORITY
    is_announced: bool = True
    traceparent: str = ""
    replaces: str = ""
    """The run whose results are kept; empty: none."""
    kept: tuple[NodeRecord, ...] = ()
    """Completed nodes of that run, which do not run again (RESOLUTIONS D10)."""
    lands_in: str = ""
    """The variable that gets its result; empty: none does."""

    @property
    def names(self) -> RunNames:
        """What its events say of it."""
        return RunNames(
            run_id=self.run_id,
            workflow_id=self.workflow.workflow_id,
            revision=self.workflow.revision,
            decision_id=self.decision_id,
            name=self.agent or self.workflow.name,
            is_announced=self.is_announced,
            agent=self.agent,
            message_id=self.message_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLease:
    """The right to write a run, fenced by its token."""

    key: SessionKey
    run_id: str
    owner: str
    token: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenRun:
    """A run that was taken, with all that decides what it does next."""

    lease: RunLease
    progress: RunProgress
    time_left: timedelta
    """Until its deadline; zero or less: it is over."""
    kind: RunKind = RunKind.WORKFLOW
    thread_id: str = ""
    """Of a sub-agent: the thread it works on."""
    turn_id: str = ""
    """The turn that began it; empty: it was begun between turns."""
    traceparent: str = ""
    waited: timedelta | None = None
    """Since it was queued; None: it had been taken before."""
    waits: Mapping[str, timedelta] = field(default_factory=dict)
    """Until the next attempt of a RETRYING node may begin, by path; what is due is left out."""
    artifacts: tuple[KeptArtifact, ...] = ()
    """The files its nodes wrote, without their content."""
    events: tuple[SessionEvent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunNotTaken:
    """A run that is not there, has ended, waits still, or was taken over too often and failed."""

    key: SessionKey | None = None
    """None: there is none that has not ended."""
    events: tuple[SessionEvent, ...] = ()
    """Not empty: it failed just now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedNode:
    """An attempt of a node that is to begin."""

    record: NodeRecord
    """RUNNING."""
    inputs: JsonValue = None
    """What it is given, without secrets."""
    has_effect: bool = False
    """True: it does something outside that no retry takes back."""
    skipped: tuple[NodeRecord, ...] = ()
    """Nodes that are known by now not to run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunNode:
    """The answer to a node that was to begin."""

    time_left: timedelta
    """Until the run's deadline."""
    is_stopped: bool = False
    """True: nothing was begun or written; another run of the session waits for a decision (D16)."""
    events: tuple[SessionEvent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewArtifact:
    """A file that a node wrote."""

    name: str
    mime_type: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedNode:
    """How an attempt ended; a LOOP's inner nodes may be skipped with it."""

    record: NodeRecord
    artifacts: tuple[NewArtifact, ...] = ()
    calls: tuple[LLMDebugInfo, ...] = ()
    skipped: tuple[NodeRecord, ...] = ()
    wake_after: timedelta | None = None
    """Of a RETRYING node: the pause before the next attempt."""
    is_spent: bool = False
    """True: its own retries are spent, which is told (NodeExecutionFailed)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPause:
    """A run gives its slot back."""

    state: RunState = RunState.RUNNING
    """RUNNING for a delay or a hand-over, WAITING_DECISION, or INTERRUPTED."""
    wake_after: timedelta | None = None
    """None: what changes it wakes it, its deadline at the latest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """A run ends COMPLETED or FAILED."""

    state: RunState
    failure: NodeFailure | None = None
    nodes: tuple[NodeRecord, ...] = ()
    """What is known of nodes by now and is not written yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEffect:
    """What a decision changes of a run: it goes on with these nodes, or ends."""

    run_id: str
    token: int
    """The run's when the decision was judged; RevisionConflict, reason RUN_MOVED, once it rose."""
    workflow: Workflow | None = None
    """Its own copy from here on; None: as it was."""
    nodes: tuple[NodeRecord, ...] = ()
    wake_after: timedelta = timedelta(0)
    """Of a run without an owner: when it goes on."""
    end: RunEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunWritten:
    """What a transaction about a run told."""

    events: tuple[SessionEvent, ...] = ()
    """Empty: there was nothing to change."""
