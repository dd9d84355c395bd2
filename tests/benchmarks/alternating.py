"""Lets several targets answer the same load in turns, so that all meet the same noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.benchmarks.bench_processes import BenchProcesses, Target
from tests.benchmarks.figures import Block, Cell, Spread, percentile
from tests.benchmarks.measuring import WARM_TURNS


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What one block asks of a target."""

    cell: Cell
    turns: int
    """Of each session."""
    repeats: int
    rate: float = 0.0
    """Messages a second over all sessions; 0: each after its last reply."""
    warm: int = WARM_TURNS
    """Turns that each session has behind it when measuring begins."""


Blocks = Mapping[Target, Sequence[Block]]


async def alternate(
    processes: BenchProcesses,
    targets: Sequence[Target],
    load: Load,
    *,
    progress: Callable[[str], None],
) -> dict[Target, list[Block]]:
    """Run the blocks and return them by target; the order turns round with every repeat."""
    bench = await processes.bench(*targets)
    sessions = load.cell.sessions
    fresh = [t for t in targets if (t.name, sessions) not in processes.warm]
    if fresh and load.warm:
        progress(f"warming up {sessions} session(s) of {', '.join(t.name for t in fresh)}")
        await bench.warm_up(sessions, [t.name for t in fresh], turns=load.warm)
        processes.warm.update((t.name, sessions) for t in fresh)
    found: dict[Target, list[Block]] = {target: [] for target in targets}
    for number in range(load.repeats):
        progress(f"block {number + 1} of {load.repeats}: {load.cell.model}, {load.cell.sessions}")
        for target in targets if number % 2 == 0 else targets[::-1]:
            block = await bench.block(
                target.name, load.cell, load.turns, rate=load.rate, judged=target.monitor
            )
            found[target].append(block)
    return found


def cpu(blocks: Sequence[Block]) -> Spread:
    """Return milliseconds of the server's CPU per turn."""
    return Spread.of(block.cpu_ms for block in blocks)


def cpu_over(ours: Sequence[Block], theirs: Sequence[Block]) -> Spread:
    """Return our CPU per turn over theirs, neighbour by neighbour."""
    pairs = zip(ours, theirs, strict=True)
    return Spread.of(mine.cpu_ms / other.cpu_ms for mine, other in pairs)


def first_text(blocks: Sequence[Block], percent: float) -> float:
    """Return a percentile of the time to first text beyond the model's own, of all turns."""
    return percentile((each for block in blocks for each in block.beyond_ms), percent)


def first_text_added(more: Sequence[Block], less: Sequence[Block], percent: float) -> Spread:
    """Return the difference of both percentiles over all blocks, its spread block by block."""
    each = sorted(
        first_text([mine], percent) - first_text([other], percent)
        for mine, other in zip(more, less, strict=True)
    )
    return Spread(first_text(more, percent) - first_text(less, percent), each[0], each[-1])
