"""Lets executor and floor answer the same clients in turns, and weighs what each block cost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.benchmarks.children import Child, stop_all
from tests.benchmarks.figures import FLOOR, OURS, Block, Cell
from tests.benchmarks.workload import NO_MARK

PACES = {"instant": (0.0, 0.0), "paced": (0.05, 0.02)}
"""Seconds before the first token, and between the following ones."""
WARM_TURNS = 22
"""After these the window of the history is full, and stays as long."""
_QUIET_S = 0.2
_JUDGED_S = 5.0
"""The longest wait for judgements after a block's last reply."""
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

    async def warm_up(
        self,
        sessions: int,
        names: Sequence[str] = (),
        *,
        turns: int = WARM_TURNS,
        group: str = "",
    ) -> None:
        """Open the sessions and fill their histories, so that every later turn is alike.

        Without names, those of every server.
        """
        await self._pace("instant")
        for name in names or self.servers:
            server = self.servers[name]
            command = {"target": server.target, "sessions": sessions, "turns": turns,
                       "group": group}  # fmt: skip
            await (server if server.asks else self.load).ask(command, within_s=600)
        await self.model.ask({"report": True})

    async def block(
        self,
        name: str,
        cell: Cell,
        turns: int,
        *,
        rate: float = 0.0,
        judged: bool = False,
        group: str = "",
    ) -> Block:
        """Run `turns` turns in every session of a cell against one target.

        Args:
            name: The target's.
            cell: Its model and sessions.
            turns: Of each session.
            rate: Messages a second over all sessions (open loop); 0: each after its last reply.
            judged: The target has a monitor: wait for the judgement of every turn, and count it.
            group: Which sessions; those of another group are others.
        """
        await self._pace(cell.model)
        await asyncio.sleep(_QUIET_S)  # what the block before left behind is not ours to pay
        server = self.servers[name]
        processes = {"server": server, "load": self.load, "model": self.model}
        judgements = await self._judgements()
        before = {role: child.cpu_s() for role, child in processes.items()}
        spread_s = _REPLY_S if cell.model == "paced" and not rate else 0.0
        command = {"target": server.target, "sessions": cell.sessions, "turns": turns,
                   "spread_s": spread_s, "rate": rate, "group": group}  # fmt: skip
        asks = server if server.asks else self.load
        answer: Any = await asks.ask(command, within_s=600)
        asked = 0
        if judged:
            asked = await self._judged(judgements, cell.sessions * turns)
        await asyncio.sleep(_QUIET_S)  # what a turn leaves to be done after it is its own cost
        after = {role: child.cpu_s() for role, child in processes.items()}
        report: Any = await self.model.ask({"report": True})
        cpu_s = {role: after[role] - before[role] for role in before}
        return replace(block_of(answer, report, cpu_s), judged=asked)

    async def settle(self) -> None:
        """Wait until the monitor has asked for nothing new for a while."""
        before = -1
        while (now := await self._judgements()) != before:
            before = now
            await asyncio.sleep(2 * _QUIET_S)

    async def _judged(self, before: int, turns: int) -> int:
        """Wait until that many turns of a server were judged, and its last event received."""
        ends = time.monotonic() + _JUDGED_S
        while True:
            found = await self._judgements() - before
            if found >= turns or time.monotonic() > ends:
                return found
            await asyncio.sleep(0.02)

    async def _judgements(self) -> int:
        """Return how many judgements were written to their end."""
        return int(str((await self.model.ask({"judged": True}))["judged"]))

    async def _pace(self, model: str) -> None:
        first_s, gap_s = PACES[model]
        await self.model.ask({"first_s": first_s, "gap_s": gap_s})


def block_of(answer: Any, report: Any, cpu_s: dict[str, float]) -> Block:
    """Join what the clients and the model saw of the same turns."""
    answered = {each["mark"]: each for each in report["answered"] if each["mark"] != NO_MARK}
    turns = answer["turns"]
    if len(answered) != len(turns) or len(report["answered"]) != len(turns):
        raise ValueError(f"{len(turns)} turns made {len(report['answered'])} model calls")
    beyond = []
    for turn in turns:
        own = answered[turn["mark"]]
        beyond.append(1000 * (turn["first"] - turn["sent"] - (own["visible"] - own["received"])))
    return Block(
        turns=len(turns),
        seconds=answer["seconds"],
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
        model = await start("model", "-m", "tests.benchmarks.fake_openai")
        load = await start("load", "-m", "tests.benchmarks.load")
        address = f"http://{model.target}/v1"
        servers = {
            OURS: await start(
                OURS, "-m", "executor_service",
                HEARTRULE_PORT="0", HEARTRULE_DATABASE_URL=database or str(folder / "executor.db"),
                HEARTRULE_MONITOR_ADDRESS="off",
                HEARTRULE_MODEL="bench-128k", OPENAI_BASE_URL=address,
            ),
            FLOOR: await start(FLOOR, *floor, str(folder / "floor.db"), address),
        }  # fmt: skip
        yield Bench(model, load, servers)
    finally:
        await stop_all(children)
