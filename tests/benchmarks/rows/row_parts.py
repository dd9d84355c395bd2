"""Parts of several rows: how much is measured, which targets run, and tables of their blocks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tests.benchmarks.alternating import Blocks, cpu, first_text
from tests.benchmarks.bench_processes import BenchProcesses, NotMeasurable, Target
from tests.benchmarks.figures import Block, Spread, summary
from tests.benchmarks.goals import Row

_HEAD = (
    f"{'target':<34}{'CPU of the server per turn, ms':<32}{'turns/s':<24}"
    "first text beyond the model's own, p50 / p95, ms"
)
Progress: TypeAlias = Callable[[str], None]
NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is measured."""

    quick: bool

    def of(self, full: int, quick: int) -> int:
        """Return a number of turns, blocks or sessions."""
        return quick if self.quick else full


Measure: TypeAlias = Callable[[BenchProcesses, Size, Progress], Awaitable[Row]]


async def present(
    processes: BenchProcesses, targets: Sequence[Target]
) -> tuple[list[Target], dict[Target, str]]:
    """Start the targets; return those that run, and of the others why they do not."""
    running, lacking = [], {}
    for target in targets:
        try:
            await processes.target(target)
            running.append(target)
        except NotMeasurable as error:
            lacking[target] = str(error)
    return running, lacking


def block_lines(found: Blocks) -> list[str]:
    """Return a table of what each target cost."""
    lines = [_HEAD]
    for target, blocks in found.items():
        rate = Spread.of(block.per_second for block in blocks)
        lines.append(
            f"{target.name:<34}{cpu(blocks)!s:<32}{rate!s:<24}"
            f"{first_text(blocks, 50):.1f} / {first_text(blocks, 95):.1f}"
        )
    return lines


def block_figures(found: Mapping[Target, Sequence[Block]]) -> dict[str, object]:
    """Return the same as JSON takes it."""
    return {target.name: summary(blocks) for target, blocks in found.items()}
