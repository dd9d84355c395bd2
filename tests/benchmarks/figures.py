"""The arithmetic of the benchmark: blocks of turns to medians, spreads, ratios and tables. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

OURS, FLOOR = "executor", "floor"
AIM = 2.5
"""The most our CPU per turn may be of the floor's: instant model, monitor and tracing off."""


_HEAD = (
    f"{'model':<8}{'sessions':>8}{'target':>10}{'p50':>8}{'p95':>8}{'turns/s':>9}"
    f"{'server':>8}{'load':>6}{'model':>7}{'prompt':>9}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Some turns in a row of one target, and what they cost."""

    turns: int
    seconds: float
    cpu_s: Mapping[str, float]
    """CPU seconds of each process in this time: `server`, `load`, `model`."""
    beyond_ms: Sequence[float]
    """For each turn: time to first text, less the model's own from request to that text."""
    prompt_bytes: float
    """Mean size of the requests to the model."""
    judged: int = 0
    """Turns the monitor has judged."""

    @property
    def cpu_ms(self) -> float:
        """CPU of the server per turn."""
        return 1000 * self.cpu_s["server"] / self.turns

    @property
    def per_second(self) -> float:
        """Turns per second."""
        return self.turns / self.seconds


@dataclass(frozen=True, slots=True)
class Cell:
    """One condition: how the model writes, and how many sessions converse."""

    model: str
    sessions: int

    def __str__(self) -> str:
        """Return the first columns of a table's line."""
        return f"{self.model:<8}{self.sessions:>8}"


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some repetitions, and their extremes."""

    middle: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Return the spread of at least one value."""
        known = sorted(values)
        return cls(median(known), known[0], known[-1])

    def __str__(self) -> str:
        """Return `middle (low-high)`."""
        return f"{self.middle:.2f} ({self.low:.2f}-{self.high:.2f})"


Blocks = Mapping[str, Sequence[Block]]
"""The blocks of each target in one cell, the n-th of both measured one after the other."""


def percentile(values: Iterable[float], percent: float) -> float:
    """Return the smallest value that `percent` of all do not exceed."""
    known = sorted(values)
    rank = -(-len(known) * percent // 100)
    return known[max(int(rank) - 1, 0)]


def cpu_ratio(blocks: Blocks) -> Spread:
    """Return our CPU per turn over the floor's, pair by pair: neighbours share the same noise."""
    pairs = zip(blocks[OURS], blocks[FLOOR], strict=True)
    return Spread.of(ours.cpu_ms / floor.cpu_ms for ours, floor in pairs)


def summary(blocks: Sequence[Block]) -> dict[str, object]:
    """Return what a report says of one target in one cell."""
    beyond = [each for block in blocks for each in block.beyond_ms]
    cpu = Spread.of(block.cpu_ms for block in blocks)
    rate = Spread.of(block.per_second for block in blocks)
    return {
        "turns": sum(block.turns for block in blocks),
        "cpu_ms_per_turn": {"median": cpu.middle, "low": cpu.low, "high": cpu.high},
        "first_text_beyond_model_ms": {
            "p50": percentile(beyond, 50), "p95": percentile(beyond, 95),
        },
        "turns_per_second": {"median": rate.middle, "low": rate.low, "high": rate.high},
        "cores_busy": {name: busy(blocks, name) for name in ("server", "load", "model")},
        "prompt_bytes": prompt_bytes(blocks),
    }  # fmt: skip


def busy(blocks: Sequence[Block], name: str) -> float:
    """Return how many cores a process kept busy."""
    return sum(block.cpu_s[name] for block in blocks) / sum(block.seconds for block in blocks)


def prompt_bytes(blocks: Sequence[Block]) -> float:
    """Return the mean size of a request to the model."""
    return sum(b.prompt_bytes * b.turns for b in blocks) / sum(b.turns for b in blocks)


def tables(cells: Mapping[Cell, Blocks]) -> str:
    """Return the report for a terminal."""
    lines = [
        "CPU of the serving process per turn, ms: median (lowest-highest) of the blocks",
        f"{'model':<8}{'sessions':>8}{OURS:>22}{FLOOR:>22}{'ratio':>20}",
    ]
    for cell, blocks in cells.items():
        ours, floor = (Spread.of(b.cpu_ms for b in blocks[name]) for name in (OURS, FLOOR))
        lines.append(f"{cell}{ours!s:>22}{floor!s:>22}{cpu_ratio(blocks)!s:>20}")
    lines += [
        "",
        "Time to first text beyond the model's own, ms; turns per second; cores kept busy",
        _HEAD,
    ]
    lines += [
        _line(cell, name, known) for cell, blocks in cells.items() for name, known in blocks.items()
    ]
    return "\n".join(lines)


def aims(cells: Mapping[Cell, Blocks]) -> list[str]:
    """Return a sentence for each cell that has an aim."""
    verdicts = []
    for cell, blocks in cells.items():
        if cell.model == "instant":
            ratio = cpu_ratio(blocks).middle
            verdict = "reached" if ratio <= AIM else f"missed by {ratio - AIM:.2f}"
            verdicts.append(
                f"aim at {cell.sessions} sessions, instant model: {AIM} x floor: {verdict}"
            )
    return verdicts


def _line(cell: Cell, name: str, blocks: Sequence[Block]) -> str:
    beyond = [each for block in blocks for each in block.beyond_ms]
    rate = Spread.of(block.per_second for block in blocks).middle
    return (
        f"{cell}{name:>10}{percentile(beyond, 50):>8.2f}{percentile(beyond, 95):>8.2f}{rate:>9.1f}"
        f"{busy(blocks, 'server'):>8.2f}{busy(blocks, 'load'):>6.2f}{busy(blocks, 'model'):>7.2f}"
        f"{prompt_bytes(blocks):>8.0f}B"
    )
