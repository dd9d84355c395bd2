"""Runs of workflows: how far a run and each of its nodes is, and why a node failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Workflow

LONGEST_FAILURE = 500
"""Characters of a failure's message."""


class RunKind(StrEnum):
    """What runs: a worker has a body for each kind."""

    WORKFLOW = "workflow"
    SUB_AGENT = "sub_agent"
    """A sub-thread with what is nested in it; it has no workflow."""


class RunState(StrEnum):
    """How far a run is."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING_DECISION = "waiting_decision"
    """A node failed, and nothing goes on until somebody has decided how."""
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """A recovery of another run stopped it between two nodes; it goes on (RESOLUTIONS D16)."""


ENDED_RUNS = frozenset({RunState.COMPLETED, RunState.FAILED, RunState.CANCELLED})
"""A run in one of these never changes again."""


class NodeState(StrEnum):
    """How far a node of a run is."""

    PENDING = "pending"
    RUNNING = "running"
    RETRYING = "retrying"
    """An attempt failed, and another one follows."""
    WAITING_DECISION = "waiting_decision"
    """Its attempts are spent, and no recovery has taken effect."""
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    """It had not ended when the run did, or its result no longer counts and it runs anew."""


BEGUN_NODES = frozenset({NodeState.RUNNING, NodeState.RETRYING, NodeState.WAITING_DECISION})
"""A node in one of these has begun and not ended."""
ENDED_NODES = frozenset(
    {NodeState.COMPLETED, NodeState.FAILED, NodeState.SKIPPED, NodeState.CANCELLED}
)


class SkipReason(StrEnum):
    """Why a node did not run."""

    CONDITION = "condition"
    """What ran before it led elsewhere."""
    UPSTREAM = "upstream"
    """Nothing before it ran."""
    RECOVERY = "recovery"
    """It failed, and the run went on without it; its output is null."""


class RunErrorCode(StrEnum):
    """Why a node, or a run, failed."""

    TIMEOUT = "TIMEOUT"
    CONNECTION = "CONNECTION"
    HTTP_4XX = "HTTP_4XX"
    HTTP_5XX = "HTTP_5XX"
    REFUSED = "REFUSED"
    """An address, a query or a file that a node must not have."""
    LIMIT = "LIMIT"
    """More bytes, rows, memory or calls than allowed."""
    CODE_ERROR = "CODE_ERROR"
    UNREADABLE = "UNREADABLE"
    """An answer or a value that is not what is needed."""
    SANDBOX_GONE = "SANDBOX_GONE"
    MISSING_VALUE = "MISSING_VALUE"
    """A reference has no value."""
    MODEL_ERROR = "MODEL_ERROR"
    RUN_TIMEOUT = "RUN_TIMEOUT"
    WORKER_LOST = "WORKER_LOST"
    """Its workers died again and again."""
    ENGINE_VERSION = "ENGINE_VERSION"
    """Begun by a release whose runs this one cannot go on with."""
    ABORTED = "ABORTED"
    """A recovery stopped it."""

    @property
    def is_retryable(self) -> bool:
        """Whether the same thing may succeed the next time; a failure may know better."""
        return self in _RETRYABLE


_RETRYABLE = frozenset(
    {
        RunErrorCode.TIMEOUT,
        RunErrorCode.CONNECTION,
        RunErrorCode.HTTP_5XX,
        RunErrorCode.SANDBOX_GONE,
        RunErrorCode.MODEL_ERROR,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeFailure:
    """Why an attempt of a node failed."""

    code: RunErrorCode
    message: str
    """A plain sentence of at most `LONGEST_FAILURE` characters, without secrets."""
    is_retryable: bool
    """Whether another attempt may succeed; HTTP status 429 says yes, as an HTTP_4XX."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRecord:
    """How far a node of a run is, by its newest attempt."""

    path: str
    """The node's id; in the body of a loop `loop/3/inner`, as `body_path` makes it."""
    state: NodeState
    attempt: int = 1
    """The newest attempt that began, from 1; 0: none has."""
    last_attempt: int = 0
    """The attempt up to which a recovery has the node tried again; 0: there was no recovery."""
    delay_s: float = 0.0
    """Seconds before each attempt that this recovery allows."""
    skip_reason: SkipReason | None = None
    output: JsonValue = None
    """Of a completed node, its `output_mapping` applied; else null."""
    failure: NodeFailure | None = None
    """Of the newest attempt that failed."""
    failed_conditions: tuple[str, ...] = ()
    """Edges `a->b` to this node whose condition could not be computed; of a loop its turns, such
    as `loop/3`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """A run as far as it is: all that decides what comes next."""

    workflow: Workflow
    """The run's own copy, which recoveries may have changed."""
    inputs: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the run was given; a default stands in the workflow."""
    nodes: Mapping[str, NodeRecord] = field(default_factory=dict)
    """By path; a node without a record is pending."""

    def state(self, path: str) -> NodeState:
        """Return how far a node is."""
        record = self.nodes.get(path)
        return record.state if record else NodeState.PENDING


def body_path(loop_id: str, index: int, node_id: str) -> str:
    """Return the path of a node of a loop's body in one turn, counted from 0."""
    return f"{loop_id}/{index}/{node_id}"


def id_at(path: str) -> str:
    """Return the id of the node at a path; no id holds a slash."""
    return path.rpartition("/")[2]
