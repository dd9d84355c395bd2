"""Lets a process be killed at a named place that is chosen while it runs.

The places: the product's failpoints, further ones between a transaction's last statement and its
COMMIT, around an analysis, inside the monitor, inside each type of node, and behind each kind of
checkpoint of a thread.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import signal
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from tests.support.thread_places import PLACES as THREAD_PLACES
from tests.support.thread_places import RESULT_COMMITTED, places_of

FURTHER = (
    "in_accept",
    "in_commit",
    "before_asking",
    "after_answer",
    "in_advice",
    "after_advice",
)
"""Places of the executor beside its own failpoints."""
MONITOR = ("monitor_asked", "monitor_answering")
"""Places of the monitor."""
NODES = (
    "inside_http",
    "inside_llm",
    "inside_database",
    "inside_condition",
    "inside_python",
    "inside_loop",
)
"""Places within the work of a node, by its type; of a loop before each turn."""
THREADS = ("in_checkpoint", *THREAD_PLACES, "in_finish")
"""Places of a thread: within a checkpoint's transaction and behind each kind, then at its end."""
_UNDER_WAY_S = 0.01


def apply(path: str) -> None:
    """Watch the trigger file, and visit the places."""
    with Path(path).open("r+b") as file:
        memory = mmap.mmap(file.fileno(), 64)

    def visit(place: str) -> None:
        if memory[0] != 1:
            return
        named = memory[2:64].split(b"\0")[0]
        if named != place.encode():
            return
        left = memory[1] - 1
        memory[1:2] = bytes([max(left, 0)])
        if left <= 0:
            memory[0:1] = b"\2"
            os.kill(os.getpid(), signal.SIGKILL)

    _product(visit)
    _store(visit)
    _asking(visit)
    _monitor(visit)
    _nodes(visit)
    _threads(visit)


def _product(visit: Callable[[str], None]) -> None:
    from executor_service.failpoints import Failpoints

    patched: Any = Failpoints
    patched.hit = lambda _self, place: visit(str(place))


def _store(visit: Callable[[str], None]) -> None:
    from session_store.sql.store import SqlStore

    for method, place in (
        (SqlStore.accept_and_begin, "in_accept"),
        (SqlStore.commit_step, "in_commit"),
        (SqlStore.finish_analysis, "in_advice"),
        (SqlStore.checkpoint, "in_checkpoint"),
        (SqlStore.finish_thread, "in_finish"),
    ):
        cell = work_of(method)
        cell.cell_contents = _then(cell.cell_contents, visit, place)
    finish = SqlStore.finish_analysis

    async def finishing(*args: Any, **named: Any) -> Any:
        outcome = await finish(*args, **named)
        visit("after_advice")
        return outcome

    patched: Any = SqlStore
    patched.finish_analysis = finishing


def _asking(visit: Callable[[str], None]) -> None:
    from executor_service.monitoring.client import GrpcMonitor

    analyze = GrpcMonitor.analyze

    async def analyzing(*args: Any, **named: Any) -> Any:
        visit("before_asking")
        answer = await analyze(*args, **named)
        visit("after_answer")
        return answer

    patched: Any = GrpcMonitor
    patched.analyze = analyzing


def _monitor(visit: Callable[[str], None]) -> None:
    from monitor_service.monitor_servicer import MonitorServicer

    analyze = MonitorServicer.AnalyzeAction

    async def analyzing(*args: Any) -> Any:
        visit("monitor_asked")
        answer = await analyze(*args)
        visit("monitor_answering")
        return answer

    patched: Any = MonitorServicer
    patched.AnalyzeAction = analyzing


def _nodes(visit: Callable[[str], None]) -> None:
    from executor_service.workflows.engine import run_node
    from executor_service.workflows.nodes.node_attempts import Nodes

    looping: Any = run_node
    run, next_in_loop = Nodes.run, looping.next_in_loop

    async def running(nodes: Nodes, node_type: Any, call: Any) -> Any:
        working = asyncio.ensure_future(run(nodes, node_type, call))
        try:
            await asyncio.wait({working}, timeout=_UNDER_WAY_S)
            visit(f"inside_{node_type.lower()}")
            return await working
        finally:
            working.cancel()

    def turning(*args: Any) -> Any:
        visit("inside_loop")
        return next_in_loop(*args)

    patched: Any = Nodes
    patched.run = running
    looping.next_in_loop = turning


def _threads(visit: Callable[[str], None]) -> None:
    from session_store.sql.store import SqlStore

    checkpoint, finish = SqlStore.checkpoint, SqlStore.finish_thread

    async def writing(store: Any, lease: Any, written: Any) -> Any:
        done = await checkpoint(store, lease, written)
        for place in places_of(written):
            visit(place)
        return done

    async def finishing(*args: Any) -> Any:
        done = await finish(*args)
        visit(RESULT_COMMITTED)
        return done

    patched: Any = SqlStore
    patched.checkpoint, patched.finish_thread = writing, finishing


def work_of(method: Any) -> Any:
    """Return the cell in which a method of the store, wrapped or not, keeps its function."""
    cells = dict(zip(method.__code__.co_freevars, method.__closure__, strict=True))
    if "work" in cells:
        return cells["work"]
    return work_of(next(each.cell_contents for each in cells.values()))


def _then(work: Any, visit: Callable[[str], None], place: str) -> Any:
    """Return the transaction's function; after its statements, before COMMIT, it visits."""

    @wraps(work)
    def working(*args: Any, **named: Any) -> Any:
        result = work(*args, **named)
        visit(place)
        return result

    return working
