"""Several executor processes on one port and one PostgreSQL: what a turn costs in each case."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.bench_processes import BenchProcesses, Target
from tests.benchmarks.children import Child
from tests.benchmarks.figures import Spread
from tests.benchmarks.goals import Row, at_most
from tests.benchmarks.measuring import Bench
from tests.benchmarks.rows.row_parts import Progress, Size

SESSIONS = 32
_LIMIT = 1.2
_SHARED = "the generator, the model and PostgreSQL have the same cores"
_TARGET = Target(database="postgres", copy="shared")


async def measure(bench: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Let one process answer, then two; the kernel spreads the connections over them."""
    found: dict[int, list[dict[str, float]]] = {1: [], 2: []}
    for number in range(size.of(3, 1)):
        for processes in (1, 2) if number % 2 == 0 else (2, 1):
            progress(f"block {number + 1}: {processes} process(es) on one port")
            found[processes].append(await _block(bench, processes, f"{number}-{processes}"))
    pairs = list(zip(found[2], found[1], strict=True))
    cost = Spread.of(two["cpu_ms"] / one["cpu_ms"] for two, one in pairs)
    rate = Spread.of(two["per_second"] / one["per_second"] for two, one in pairs)
    return Row(
        title=f"several executors on one port (SO_REUSEPORT), PostgreSQL, {SESSIONS} sessions",
        goals=[at_most("CPU of a turn with two processes over that with one", _LIMIT, cost)],
        lines=[
            f"turns per second with two processes over one: {rate} ({_SHARED})",
            *(f"{processes}: {_told(blocks)}" for processes, blocks in found.items()),
        ],
        figures={str(processes): blocks for processes, blocks in found.items()},
    )


async def _block(bench: BenchProcesses, processes: int, group: str) -> dict[str, float]:
    environ = await bench.environ(_TARGET) | {"HEARTRULE_REUSE_PORT": "true"}
    servers: list[Child] = []
    for number in range(processes):
        name = f"shared-{number}"
        servers.append(await bench.child(name, "-m", "executor_service", **environ))
        environ["HEARTRULE_PORT"] = servers[0].target.rpartition(":")[2]
    clients = Bench(await bench.model(), await bench.load(), {"shared": servers[0]})
    await clients.warm_up(SESSIONS, turns=2, group=group)
    everyone = {"load": clients.load, "model": clients.model}
    everyone |= {f"executor {number + 1}": server for number, server in enumerate(servers)}
    before = {role: child.cpu_s() for role, child in everyone.items()}
    command = {"target": servers[0].target, "sessions": SESSIONS, "turns": 6, "group": group}
    answer: Any = await clients.load.ask(dict(command), within_s=600)
    spent = {role: child.cpu_s() - before[role] for role, child in everyone.items()}
    await clients.model.ask({"report": True})
    await bench.end(*(f"shared-{number}" for number in range(processes)))
    turns, seconds = len(answer["turns"]), answer["seconds"]
    own = sum(cpu_s for role, cpu_s in spent.items() if role.startswith("executor"))
    cores = {f"cores of {role}": cpu_s / seconds for role, cpu_s in spent.items()}
    return {"cpu_ms": 1000 * own / turns, "per_second": turns / seconds, **cores}


def _told(blocks: list[dict[str, float]]) -> str:
    names = blocks[0]
    return ", ".join(f"{name} {Spread.of(each[name] for each in blocks)}" for name in names)
