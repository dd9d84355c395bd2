"""What a run needs of the rest of the process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeAlias, TypeVar

from executor_service.failpoints import Failpoints
from executor_service.workflows.engine.recoverer import Recoverer
from executor_service.workflows.engine.run_clock import LoopClock, RunClock
from executor_service.workflows.nodes.node_access import NodeAccess
from executor_service.workflows.nodes.node_port import NodeCall, NodeResult, NodeSpending
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunKind
from heartrule.domain.workflows import NodeType
from session_store.ports import Store
from session_store.records.runs import TakenRun

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMeans:
    """What the nodes of a session's runs may use."""

    access: NodeAccess
    spending: NodeSpending


MeansOf: TypeAlias = Callable[[SessionKey], Awaitable[RunMeans]]
Publish: TypeAlias = Callable[[SessionKey, Iterable[SessionEvent]], None]


class NodeTypes(Protocol):
    """Runs nodes of every type but LOOP."""

    async def run(self, node_type: NodeType, call: NodeCall) -> NodeResult:
        """Run one attempt within its time.

        Raises:
            NodeFailed: It did not succeed.
        """
        ...


class Beside(Protocol):
    """Runs what may take long beside the event loop."""

    async def __call__(self, work: Callable[..., T], /, *args: object) -> T:
        """Return what the work returns, or raise what it raises."""
        ...


class DriveEnd(StrEnum):
    """Why a worker has let go of a run."""

    ENDED = "ended"
    """It is over, by this worker or before."""
    PAUSED = "paused"
    """It waits, or was handed over."""
    NOT_TAKEN = "not_taken"
    """It waits still."""
    FENCED = "fenced"
    """Another worker has it, or somebody ended it; nothing was written since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Driven:
    """How a run was let go of."""

    end: DriveEnd
    wake_after: float | None = None
    """Of a paused run: seconds until it goes on; None: what it waits for wakes it."""
    key: SessionKey | None = field(default=None, compare=False)
    """The run's session; None: it was over before, or broke off."""


class RunBody(Protocol):
    """What the runs of one kind do, once a worker has them."""

    async def drive(self, taken: TakenRun, *, steps: RunSteps, leaving: asyncio.Event) -> Driven:
        """Go on with a run until it is over, has to wait, or is lost.

        A cancellation ends it at once, without a further write.

        Args:
            taken: The run, with how far it is.
            steps: Where what it does is recorded; the body reserves them first.
            leaving: Once set, the run is given back for others to take.

        Raises:
            LeaseLost: Another worker has it, or it has ended.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverPorts:
    """All that a run stands on."""

    store: Store
    nodes: NodeTypes
    recoverer: Recoverer
    means_of: MeansOf
    publish: Publish
    failpoints: Failpoints
    clock: RunClock = field(default_factory=LoopClock)
    beside: Beside = asyncio.to_thread
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held to write that a node begins or ends, so that a turn waits behind one of them at most."""
    bodies: Mapping[RunKind, RunBody] = field(default_factory=dict)
    """What drives runs of other kinds than workflows."""


class NodeEnd(StrEnum):
    """What a node's end means for its run."""

    ENDED = "ended"
    RUN_OVER = "run_over"
    """A recovery ended the run; it is written."""


class RunSteps(Protocol):
    """Records the nodes of one run as steps, where an engine wants to know them."""

    def reserve(self, order: Sequence[str]) -> None:
        """Number the nodes of the run before any of them runs; called once."""
        ...

    async def run(self, node_id: str, node: Callable[[], Awaitable[NodeEnd]], /) -> NodeEnd:
        """Run a node from its first attempt to its end."""
        ...


class PlainSteps:
    """Records nothing: the rows of a run are all that its engine needs."""

    def reserve(self, order: Sequence[str]) -> None:
        """There is nothing to number."""

    async def run(self, _node_id: str, node: Callable[[], Awaitable[NodeEnd]], /) -> NodeEnd:
        """Run the node."""
        return await node()
