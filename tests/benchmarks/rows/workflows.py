"""What a node of a run costs, what runs cost those who talk meanwhile, and what a sandbox takes."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.sandbox.probing import open_sandbox
from executor_service.workflows.sandbox.sandbox_port import SandboxJob
from heartrule.domain.workflows import SandboxTier
from tests.benchmarks.alternating import first_text_added
from tests.benchmarks.bench_processes import (
    DATABASES,
    BenchProcesses,
    Database,
    NotMeasurable,
    Target,
)
from tests.benchmarks.children import Child
from tests.benchmarks.figures import Block, Cell, Spread
from tests.benchmarks.goals import Goal, Row, at_most, no_limit, unmeasured
from tests.benchmarks.rows.paced import EVERY_S, SESSIONS
from tests.benchmarks.rows.row_parts import NAMES, Progress, Size
from tests.benchmarks.run_load import LONGEST, RunLoad, chain, endpoint, mixed, run_load

RUNS = 20
_TIME: dict[Database, float] = {"sqlite": 8.0, "postgres": 20.0}
_CPU_MS, _ADDED_MS = 6.0, 10.0
_PER_NODE = "time of a node in a chain, {}"
_CPU = "CPU of a node in a chain, {}"
_MIXED = f"{LONGEST} nodes, 10 of them in the small sandbox and 5 by HTTP, {{}}"
_ADDED = f"first text of {SESSIONS} chats, p95, beside {RUNS} runs minus without, SQLite"
_SANDBOX_S = 30.0
_CHART = """\
import matplotlib.pyplot as plt
plt.plot([1, 2, 3])
plt.savefig('chart.png')
return {'chart': 'chart.png'}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Code of a node, and what it may take."""

    what: str
    tier: SandboxTier
    code: str
    limit_ms: float | None


JOBS = (
    Job(what="code in the small sandbox, warm", tier=SandboxTier.SMALL,
        code="return sum(range(100))", limit_ms=5.0),
    Job(what="code in a process, numpy", tier=SandboxTier.PROCESS,
        code="import numpy\nreturn int(numpy.arange(100).sum())", limit_ms=300.0),
    Job(what="code in a process, pandas", tier=SandboxTier.PROCESS,
        code="import pandas\nreturn int(pandas.Series(range(100)).sum())", limit_ms=None),
    Job(what="code in a process, a chart by matplotlib", tier=SandboxTier.PROCESS,
        code=_CHART, limit_ms=3_000.0),
)  # fmt: skip


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Run chains and mixed plans on each database, then beside chats, then code in sandboxes."""
    goals: list[Goal] = []
    async with endpoint() as url:
        policy = processes.folder / "policy.json"
        policy.write_text(json.dumps({"default": {"api_networks": ["127.0.0.0/8"]}}))
        for database in DATABASES if not size.quick else DATABASES[:1]:
            target = Target(database=database, copy="runs")
            try:
                server = await _server(processes, target, str(policy))
            except NotMeasurable as error:
                goals += _lacking(database, str(error))
                continue
            async with run_load(
                server.target, {"chain": chain(LONGEST), "mixed": mixed(url)}
            ) as load:
                progress(f"runs on {NAMES[database]}")
                goals += await _alone(load, server, database, size)
                if database == "sqlite":
                    progress(f"{RUNS} runs beside {SESSIONS} chats")
                    goals.append(await _beside(processes, target, load, size))
            await processes.end(target.name)
    progress("sandboxes")
    for job in JOBS:
        goals.append(await _sandboxed(job, size.of(20, 5)))
    return Row(title="runs of workflows, tracing and monitor off", goals=goals)


async def _server(processes: BenchProcesses, target: Target, policy: str) -> Child:
    environ = {
        **await processes.environ(target),
        "HEARTRULE_DECISION_POLICY": policy,
        "HEARTRULE_RUN_CONCURRENCY": str(RUNS),
        "POD_NAME": "bench",
    }
    return await processes.child(target.name, "-m", "executor_service", **environ)


async def _alone(load: RunLoad, server: Child, database: Database, size: Size) -> list[Goal]:
    """Return what a node takes while nothing else runs."""
    session_id = await load.session()
    await load.run(session_id, "mixed")  # what the first run loads and starts is not measured
    times, cpu, whole = [], [], []
    for _ in range(size.of(9, 3)):
        before = server.cpu_s()
        times.append(1000 * await load.run(session_id, "chain") / LONGEST)
        cpu.append(1000 * (server.cpu_s() - before) / LONGEST)
        whole.append(await load.run(session_id, "mixed"))
    name = NAMES[database]
    return [
        at_most(_PER_NODE.format(name), _TIME[database], Spread.of(times), "ms"),
        at_most(_CPU.format(name), _CPU_MS, Spread.of(cpu), "ms"),
        no_limit(_MIXED.format(name), Spread.of(whole), "s"),
    ]


async def _beside(processes: BenchProcesses, target: Target, load: RunLoad, size: Size) -> Goal:
    """Return what the first text of chats loses while twenty runs are begun at once."""
    bench = await processes.bench(target)
    await bench.warm_up(SESSIONS, turns=3)
    sessions = [await load.session() for _ in range(RUNS)]
    cell, rate = Cell("paced", SESSIONS), SESSIONS / EVERY_S
    found: dict[bool, list[Block]] = {False: [], True: []}
    for _ in range(size.of(4, 1)):
        for is_busy in (False, True):
            running = [
                asyncio.ensure_future(load.run(each, "mixed")) for each in sessions if is_busy
            ]
            found[is_busy].append(await bench.block(target.name, cell, 2, rate=rate))
            await asyncio.gather(*running)
    return at_most(_ADDED, _ADDED_MS, first_text_added(found[True], found[False], 95), "ms")


async def _sandboxed(job: Job, times: int) -> Goal:
    """Return what a job takes in its sandbox, once the sandbox is open."""
    sandbox, found = open_sandbox(job.tier), list[float]()
    work = SandboxJob(code=job.code, inputs={}, timeout_s=_SANDBOX_S)
    try:
        await sandbox.run(work)
        for _ in range(times):
            began = time.perf_counter()
            await sandbox.run(work)
            found.append(1000 * (time.perf_counter() - began))
    except NodeFailed as error:
        return unmeasured(job.what, job.limit_ms or 0.0, error.failure.message, "ms")
    finally:
        await sandbox.aclose()
    if job.limit_ms is None:
        return no_limit(job.what, Spread.of(found), "ms")
    return at_most(job.what, job.limit_ms, Spread.of(found), "ms")


def _lacking(database: Database, reason: str) -> Sequence[Goal]:
    name = NAMES[database]
    return (
        unmeasured(_PER_NODE.format(name), _TIME[database], reason, "ms"),
        unmeasured(_CPU.format(name), _CPU_MS, reason, "ms"),
    )
