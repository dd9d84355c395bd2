"""What a checkpoint of a thread costs, how 200 sub-agents share a machine, and what chats lose."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from statistics import median

from executor_service.settings import RunSettings
from heartrule.domain.runs import RunErrorCode, RunState
from session_store.open import open_store
from session_store.ports import Store
from session_store.records import Page
from session_store.records.kept_runs import KeptRun
from session_store.records.threads import MOST_THREADS_AT_ONCE
from tests.benchmarks.alternating import first_text_added
from tests.benchmarks.bench_processes import (
    DATABASES,
    BenchProcesses,
    Database,
    NotMeasurable,
    Target,
)
from tests.benchmarks.checkpoints import Checkpoints, checkpoints
from tests.benchmarks.children import Child
from tests.benchmarks.figures import Block, Cell, Spread
from tests.benchmarks.goals import Goal, Row, at_most, no_limit, unmeasured
from tests.benchmarks.rows.paced import EVERY_S, SESSIONS
from tests.benchmarks.rows.row_parts import NAMES, Progress, Size
from tests.benchmarks.thread_load import TIMEOUT_S, ThreadLoad, is_stuck, queue, thread_load

AGENTS, QUEUES, SLOTS = 200, 10, 16
"""Sub-agents, the sessions that have them, and the runs of a process that does nothing else."""
_OVER_NODE, _EQUAL, _ADDED_MS, _LATE_S = 1.5, 1.2, 10.0, 1.0
OLD = 1_000
_BATCH = 40
_CHECKPOINT = "a checkpoint over a node's commit, {}"
_AGE = "a checkpoint at message 1,000 over one at message 10, {}"
_DEPTH = "a checkpoint at depth 8 over one at depth 1, {}"
_ADDED = f"first text of {SESSIONS} chats, p95, beside {AGENTS} sub-agents minus without, SQLite"


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Commit on each database, let the queue run there, and chat beside sub-agents."""
    goals: list[Goal] = []
    for database in DATABASES if not size.quick else DATABASES[:1]:
        name = NAMES[database]
        try:
            address = processes.database(Target(database=database, copy="checkpoints"))
        except NotMeasurable as error:
            goals.append(unmeasured(_CHECKPOINT.format(name), _OVER_NODE, str(error)))
            continue
        progress(f"checkpoints on {name}")
        goals += await _costs(address, name, size)
        progress(f"{AGENTS} sub-agents on {name}")
        goals += await _queued(processes, database)
    progress(f"sub-agents beside {SESSIONS} chats")
    goals.append(await _beside(processes, size))
    return Row(title="threads of sub-agents, tracing and monitor off", goals=goals)


# --- what a checkpoint costs ----------------------------------------------------------------------


async def _costs(address: str, name: str, size: Size) -> Sequence[Goal]:
    async with _at_rest(address) as store:
        made = await checkpoints(store, old=OLD)
        over, age, depth = list[float](), list[float](), list[float]()
        for number in range(size.of(9, 3)):
            found = await _block(made, is_turned=bool(number % 2))
            over.append(found["young"] / found["node"])
            age.append(found["old"] / found["young"])
            depth.append(found["deep"] / found["young"])
    return (
        at_most(_CHECKPOINT.format(name), _OVER_NODE, Spread.of(over)),
        at_most(_AGE.format(name), _EQUAL, Spread.of(age)),
        at_most(_DEPTH.format(name), _EQUAL, Spread.of(depth)),
    )


@asynccontextmanager
async def _at_rest(address: str) -> AsyncIterator[Store]:
    """Give a store that no executor has, for the length of a block."""
    store = open_store(address)
    await store.start()
    try:
        yield store
    finally:
        await store.aclose()


async def _block(made: Checkpoints, *, is_turned: bool) -> dict[str, float]:
    """Return the median time of each kind of commit; they take turns, one by one."""
    young = await made.young()
    works: dict[str, Callable[[], Awaitable[object]]] = {
        "node": made.end_node,
        "young": young.write,
        "old": made.old.write,
        "deep": made.deep.write,
    }
    times: dict[str, list[float]] = {each: [] for each in works}
    for _ in range(_BATCH):
        await made.begin_node()
        for name in reversed(works) if is_turned else works:
            began = time.perf_counter()
            await works[name]()
            times[name].append(time.perf_counter() - began)
    return {name: median(found) for name, found in times.items()}


# --- two hundred sub-agents -----------------------------------------------------------------------


async def _server(processes: BenchProcesses, target: Target, *, slots: int = SLOTS) -> Child:
    environ = {
        **await processes.environ(target),
        "HEARTRULE_RUN_CONCURRENCY": str(slots),
        "POD_NAME": "bench",
    }
    return await processes.child(target.name, "-m", "executor_service", **environ)


async def _queued(processes: BenchProcesses, database: Database) -> Sequence[Goal]:
    """Queue sub-agents while no executor runs, let one work on them, and look at its order."""
    target = Target(database=database, copy="threads")
    server = await _server(processes, target)
    async with thread_load(server.target) as load:
        keys = [await load.session() for _ in range(QUEUES)]
    await processes.end(target.name)
    async with _at_rest(processes.database(target)) as store:
        for key in keys:
            await queue(store, key, AGENTS // QUEUES)
    server = await _server(processes, target)
    began = time.perf_counter()
    async with thread_load(server.target) as load:
        await load.ended(keys)
    took = time.perf_counter() - began
    await processes.end(target.name)
    async with _at_rest(processes.database(target)) as store:
        found = [(await store.list_runs(key, Page(size=100)))[0] for key in keys]
    return _shared(found, took, f"{AGENTS} sub-agents, {NAMES[database]}")


def _shared(queues: Sequence[Sequence[KeptRun]], took: float, what: str) -> Sequence[Goal]:
    """Return whether priorities, limits and time-outs held, and everybody had a turn."""
    runs = [each for queued in queues for each in queued]
    late = [
        _between_s(each.begin_time, each.end_time) - TIMEOUT_S
        for each in runs
        if is_stuck(each.run_id)
    ]
    waits = [_between_s(each.create_time, each.begin_time) for each in runs]
    return (
        at_most(f"{what}: that did not end as they should", 0, sum(map(_is_wrong, runs))),
        at_most(
            f"{what}: places one began too early in its session",
            MOST_THREADS_AT_ONCE - 1,
            max(map(places_too_early, queues)),
        ),
        at_most(
            f"{what}: of a session at once", MOST_THREADS_AT_ONCE, max(map(most_at_once, queues))
        ),
        at_most(f"{what}: at once", SLOTS, most_at_once(runs)),
        at_most(f"{what}: a time-out's delay", _LATE_S, max(late), "s"),
        no_limit(f"{what}: the longest wait", max(waits), "s"),
        no_limit(f"{what}: all of them", took, "s"),
    )


def _is_wrong(run: KeptRun) -> bool:
    if not is_stuck(run.run_id):
        return run.state is not RunState.COMPLETED
    return run.failure is None or run.failure.code is not RunErrorCode.RUN_TIMEOUT


def places_too_early(queued: Sequence[KeptRun]) -> int:
    """Return by how many places one began before its turn: urgent ones first, then older ones."""
    ranked = sorted(queued, key=lambda each: (-each.priority, each.sequence))
    began = sorted(queued, key=lambda each: _moment(each.begin_time))
    places = {each.run_id: place for place, each in enumerate(began)}
    return max(rank - places[each.run_id] for rank, each in enumerate(ranked))


def most_at_once(runs: Sequence[KeptRun]) -> int:
    """Return how many of them ran at one time, at most."""
    changes = [(_moment(each.begin_time), 1) for each in runs]
    changes += [(_moment(each.end_time), -1) for each in runs]
    most = now = 0
    for _, change in sorted(changes):
        now += change
        most = max(most, now)
    return most


def _between_s(one: datetime | None, other: datetime | None) -> float:
    return (_moment(other) - _moment(one)).total_seconds()


def _moment(moment: datetime | None) -> datetime:
    assert moment is not None, "a run that has ended was queued, and began"
    return moment


# --- chats beside them ----------------------------------------------------------------------------


async def _beside(processes: BenchProcesses, size: Size) -> Goal:
    """Return what the first text of chats loses while sub-agents wait and work."""
    target = Target(database="sqlite", copy="beside_threads")
    # With more, a process spends itself on sub-agents; who wants that starts workers for them.
    server = await _server(processes, target, slots=RunSettings().run_concurrency)
    bench = await processes.bench(target)
    cell, rate = Cell("paced", SESSIONS), SESSIONS / EVERY_S
    found: dict[bool, list[Block]] = {False: [], True: []}
    async with thread_load(server.target) as load:
        await bench.warm_up(SESSIONS, turns=3)
        for _ in range(size.of(4, 1)):
            for is_busy in (False, True):
                running = await _begun(load, AGENTS if is_busy else 0)
                found[is_busy].append(await bench.block(target.name, cell, 2, rate=rate))
                await asyncio.gather(*running)
    return at_most(_ADDED, _ADDED_MS, first_text_added(found[True], found[False], 95), "ms")


async def _begun(load: ThreadLoad, number: int) -> Sequence[asyncio.Future[None]]:
    """Have so many sessions wait for a sub-agent; the turns that ask for them are not measured."""
    keys = [await load.session() for _ in range(number)]
    waiting = [asyncio.ensure_future(load.write(key)) for key in keys]
    await load.queued(keys)
    return waiting
