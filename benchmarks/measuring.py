"""Lets executor and floor answer the same clients in turns, and weighs what each block cost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.children import Child, stop_all
from benchmarks.figures import FLOOR, OURS, Block, Cell
from benchmarks.workload import NO_MARK

PACES = {"instant": (0.0, 0.0), "paced": (0.05, 0.02)}
"""Seconds before the first token, and between the following ones."""
WARM_TURNS = 22
"""After these the window of the history is full, and stays as long."""
_QUIET_S = 0.2
_REPLY_S = 2.2
"""About as long as a paced reply takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is measured."""

    sessions: tuple[int, ...]
    turns: int
    """Of each instant cell and target, over all sessions."""
    rounds: int
    """Turns of each session in a paced cell."""
    repeats: int
    """Blocks into which both are cut; executor and floor alternate."""

    def cells(self) -> Iterator[tuple[Cell, int]]:
        """Yield the cells, and the turns of one session in one block."""
        for sessions in self.sessions:
            yield Cell("instant", sessions), max(self.turns // sessions // self.repeats, 1)
        for sessions in self.sessions:
            yield Cell("paced", sessions), max(self.rounds // self.repeats, 1)


@dataclass(frozen=True, slots=True)
class Bench:
    """The processes of one run."""

    model: Child
    load: Child
    servers: dict[str, Child]

    async def warm_up(self, sessions: int) -> None:
        """Open the sessions and fill their histories, so that every later turn is alike."""
        await self._pace("instant")
        for server in self.servers.values():
            command = {"target": server.target, "sessions": sessions, "turns": WARM_TURNS}
            await self.load.ask(command, within_s=600)
        await self.model.ask({"report": True})

    async def block(self, name: str, cell: Cell, turns: int) -> Block:
        """Run `turns` turns in every session of a cell against one target."""
        await self._pace(cell.model)
        await asyncio.sleep(_QUIET_S)  # what the block before left behind is not ours to pay
        server = self.servers[name]
        processes = {"server": server, "load": self.load, "model": self.model}
        before = {role: child.cpu_s() for role, child in processes.items()}
        command = {"target": server.target, "sessions": cell.sessions, "turns": turns,
                   "spread_s": _REPLY_S if cell.model == "paced" else 0.0}  # fmt: skip
        told: Any = await self.load.ask(command, within_s=600)
        after = {role: child.cpu_s() for role, child in processes.items()}
        report: Any = await self.model.ask({"report": True})
        return block_of(told, report, {role: after[role] - before[role] for role in before})

    async def _pace(self, model: str) -> None:
        first_s, gap_s = PACES[model]
        await self.model.ask({"first_s": first_s, "gap_s": gap_s})


def block_of(told: Any, report: Any, cpu_s: dict[str, float]) -> Block:
    """Join what the clients and the model saw of the same turns."""
    answered = {each["mark"]: each for each in report["answered"] if each["mark"] != NO_MARK}
    turns = told["turns"]
    if len(answered) != len(turns) or len(report["answered"]) != len(turns):
        raise ValueError(f"{len(turns)} turns made {len(report['answered'])} model calls")
    beyond = []
    for turn in turns:
        own = answered[turn["mark"]]
        beyond.append(1000 * (turn["first"] - turn["sent"] - (own["visible"] - own["received"])))
    return Block(
        turns=len(turns),
        seconds=told["seconds"],
        cpu_s=cpu_s,
        beyond_ms=beyond,
        prompt_bytes=sum(each["prompt_bytes"] for each in answered.values()) / len(turns),
    )


async def measure(
    bench: Bench, plan: Plan, *, progress: Callable[[str], None]
) -> dict[Cell, dict[str, list[Block]]]:
    """Run the whole plan and return the blocks of each cell."""
    for sessions in plan.sessions:
        progress(f"warming up {sessions} session(s)")
        await bench.warm_up(sessions)
    found: dict[Cell, dict[str, list[Block]]] = {}
    for number in range(plan.repeats):
        order = (OURS, FLOOR) if number % 2 == 0 else (FLOOR, OURS)
        for cell, turns in plan.cells():
            progress(f"block {number + 1} of {plan.repeats}: {cell.model}, {cell.sessions}")
            blocks = found.setdefault(cell, {OURS: [], FLOOR: []})
            for name in order:
                blocks[name].append(await bench.block(name, cell, turns))
    return found


@asynccontextmanager
async def running(folder: Path, floor: Sequence[str], database: str = "") -> AsyncIterator[Bench]:
    """Start all processes on free ports; they are ended with the block, whatever happens in it.

    Args:
        folder: For databases and logs.
        floor: The arguments that make Python serve the floor; database and model are appended.
        database: The executor's, where it is not to be a file in the folder.
    """
    children: list[Child] = []

    async def start(name: str, *arguments: str, **environ: str) -> Child:
        child = await Child.start(name, arguments, folder=folder, environ=environ)
        children.append(child)
        return child

    try:
        model = await start("model", "-m", "benchmarks.fake_openai")
        load = await start("load", "-m", "benchmarks.load")
        address = f"http://{model.target}/v1"
        servers = {
            OURS: await start(
                OURS, "-m", "executor_service",
                HEARTRULE_PORT="0", HEARTRULE_DATABASE_URL=database or str(folder / "executor.db"),
                HEARTRULE_MONITOR_ADDRESS="off", HEARTRULE_MODEL="bench", OPENAI_BASE_URL=address,
            ),
            FLOOR: await start(FLOOR, *floor, str(folder / "floor.db"), address),
        }  # fmt: skip
        yield Bench(model, load, servers)
    finally:
        await stop_all(children)
