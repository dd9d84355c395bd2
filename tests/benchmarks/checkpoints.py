"""Commits of threads and of nodes on a store alone, one at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from heartrule.domain.runs import NodeState
from heartrule.domain.thread_changes import MessageWritten
from heartrule.domain.threads import DEEPEST_THREAD, ThreadMessage, ThreadRole
from session_store.ports import Store
from session_store.records.runs import EndedNode, RunLease, StartedNode
from session_store.records.threads import ThreadCheckpoint
from tests.benchmarks.workload import THREAD_TEXT
from tests.support.store_builders import accept, begun, opened, step
from tests.support.store_runs import node, queued, taken
from tests.support.store_threads import nested, opening, over, placeholder

YOUNG = 10
"""Messages of a young thread."""
_AT_ONCE = 100


@dataclass(slots=True)
class WrittenThread:
    """A thread at whose end messages are written."""

    store: Store
    lease: RunLease
    thread_id: str
    numbers: count[int] = field(default_factory=count)

    async def write(self) -> None:
        """Write a message: a checkpoint."""
        await self.fill(1)

    async def fill(self, number: int) -> None:
        """Write messages, a hundred at a time."""
        for begin in range(0, number, _AT_ONCE):
            writes = [self._next() for _ in range(min(_AT_ONCE, number - begin))]
            await self.store.checkpoint(self.lease, ThreadCheckpoint(writes=tuple(writes)))

    def _next(self) -> MessageWritten:
        number = next(self.numbers)
        message = ThreadMessage(
            message_id=f"{self.thread_id}_{number}",
            number=number,
            role=ThreadRole.USER if number % 2 == 0 else ThreadRole.BOT,
            text=THREAD_TEXT,
            phase="plan",
            unit=number // 2 + 1,
        )
        return MessageWritten(thread_id=self.thread_id, message=message)


@dataclass(slots=True)
class Checkpoints:
    """A run of a workflow, and threads of every age and depth."""

    store: Store
    nodes: RunLease
    old: WrittenThread
    deep: WrittenThread
    numbers: count[int]
    _paths: count[int] = field(default_factory=count)
    _node: str = ""

    async def begin_node(self) -> None:
        """Begin an attempt of a further node."""
        self._node = f"n{next(self._paths)}"
        await self.store.begin_node(self.nodes, StartedNode(record=node(self._node)))

    async def end_node(self) -> None:
        """End that attempt: a node's commit, with an output as long as a message."""
        ended = node(self._node, NodeState.COMPLETED, output=THREAD_TEXT)
        await self.store.end_node(self.nodes, EndedNode(record=ended))

    async def young(self) -> WrittenThread:
        """Return a young thread."""
        return await _thread(self.store, next(self.numbers), YOUNG)


async def checkpoints(store: Store, *, old: int) -> Checkpoints:
    """Return threads and a run on a store; the old thread has so many messages."""
    numbers = count(1)
    await queued(store, "nodes", run_id="run_nodes")
    nodes = (await taken(store, "run_nodes")).lease
    aged = await _thread(store, next(numbers), old)
    deep = await _deepest(await _thread(store, next(numbers), 1))
    return Checkpoints(store, nodes, aged, deep, numbers)


async def _thread(store: Store, number: int, said: int) -> WrittenThread:
    """Open a thread with so many messages in a session of its own, whose turn is over."""
    key = await opened(store, f"s{number}")
    await accept(store, key, "m1")
    snapshot, announced = await begun(store, key), placeholder()
    begins = step(snapshot, announced, inputs_consumed=True, **opening(announced, number))
    await store.commit_step(snapshot.lease, begins)
    await store.commit_step(snapshot.lease, over(snapshot, announced))
    lease = (await taken(store, f"run_{number}")).lease
    made = WrittenThread(store, lease, f"thr_{number}")
    await made.fill(said)
    return made


async def _deepest(outermost: WrittenThread) -> WrittenThread:
    """Open threads below one, each in the first message of the one above; return the last."""
    above = outermost
    for depth in range(2, DEEPEST_THREAD + 1):
        name = f"{outermost.thread_id}_{depth}"
        new = nested(name, above.thread_id, f"{above.thread_id}_0", depth)
        await above.store.checkpoint(above.lease, ThreadCheckpoint(writes=(new,)))
        above = WrittenThread(above.store, above.lease, name)
        await above.fill(YOUNG)
    return above
