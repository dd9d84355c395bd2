"""What a session costs as it grows: bytes stored, CPU and first text of late and early turns."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks import workload
from tests.benchmarks.alternating import first_text
from tests.benchmarks.bench_processes import BenchProcesses, Target
from tests.benchmarks.figures import Block, Cell, Spread
from tests.benchmarks.goals import Goal, Row, at_least, at_most
from tests.benchmarks.measuring import Bench
from tests.benchmarks.rows.row_parts import Progress, Size
from tests.benchmarks.stored import stored_bytes
from tests.support.prefix_play import served_over

TARGET = Target(database="sqlite", traced=True, monitor=True, copy="growth")
OLD, YOUNG = "old", "young"
_COUNTED = 10
"""Turns over which bytes are counted."""
_CELL = Cell("instant", 2)
_MOST_BYTES = 4_600.0
_MOST_WITH_TEXTS = 8_192.0
_MOST_GROWTH = 1.02
_LEAST_SERVED = 85.0
_LEAST_SERVED_ALTERNATING = 70.0
"""The digits of a session's numbers grow, and nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Bytes of one turn, the mean of ten."""

    turn: int
    stored: float
    """In rows that stay: all columns of all tables, indexes and the ledger's text not counted."""
    ledger: float
    """The ledger's text: prompts and replies."""


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Grow two sessions, count bytes on the way, then compare their turns with young ones."""
    bench = await processes.bench(TARGET)
    growth = await _grow(bench, Path(processes.database(TARGET)), size, progress)
    await _prefixes(bench, 0)
    blocks = await _compare(bench, size, progress)
    served = await _prefixes(bench, size.of(100, 40))
    # In this process: its turns have two messages, which the load generator takes for an error.
    served["alternate"] = asdict(await served_over("alternate", size.of(100, 40)))
    return Row(
        title="as a session grows, tracing and monitor on, SQLite",
        goals=[*_bytes(growth), *_ages(blocks, growth[-1].turn), *_cache(served)],
        lines=[
            f"turn {each.turn:>5}: {each.stored:>8,.0f} bytes stored,"
            f" {each.ledger:>8,.0f} of the ledger's text beside them" for each in growth
        ] + [f"prompts of 100 turns: {served}"],
        figures={"growth": [asdict(each) for each in growth], "prefixes": served,
                 "cpu_ms": {age: [b.cpu_ms for b in known] for age, known in blocks.items()}},
    )  # fmt: skip


async def _grow(bench: Bench, database: Path, size: Size, progress: Progress) -> list[Growth]:
    found, done = [], 0
    for turn in (10, 100, 1000) if not size.quick else (10, 30, 100):
        progress(f"bytes at turn {turn}")
        await bench.warm_up(_CELL.sessions, turns=turn - done, group=OLD)
        await bench.settle()
        before = stored_bytes(database)
        await bench.block(TARGET.name, _CELL, _COUNTED, judged=True, group=OLD)
        after = stored_bytes(database)
        done, turns = turn + _COUNTED, _COUNTED * _CELL.sessions
        text = (after.ledger - before.ledger) / turns
        stored = (after.all - before.all) / turns - text
        found.append(Growth(turn=turn, stored=stored, ledger=text))
    return found


async def _compare(bench: Bench, size: Size, progress: Progress) -> dict[str, list[Block]]:
    await bench.warm_up(_CELL.sessions, turns=25, group=YOUNG)
    blocks: dict[str, list[Block]] = {OLD: [], YOUNG: []}
    for number in range(size.of(8, 2)):
        progress(f"block {number + 1}: late and early turns")
        for age in (OLD, YOUNG) if number % 2 else (YOUNG, OLD):
            block = await bench.block(TARGET.name, _CELL, 10, judged=True, group=age)
            blocks[age].append(block)
    return blocks


async def _prefixes(bench: Bench, turns: int) -> dict[str, dict[str, int]]:
    """Return what a provider's cache could serve of the prompts of one new session."""
    if not turns:
        return {}
    await bench.model.ask({"prefixes": True})
    target = bench.servers[TARGET.name].target
    command = {"target": target, "sessions": 1, "turns": turns, "group": "prefixes"}
    await bench.load.ask(dict(command), within_s=600)
    answer = await bench.model.ask({"cacheable": True})
    await bench.model.ask({"report": True})
    return answer["cacheable"]  # type: ignore[return-value]  # the model's own answer


def _bytes(growth: list[Growth]) -> list[Goal]:
    early, _, late = growth
    goals = [
        at_most(f"bytes stored by turn {each.turn:,}, without the ledger's texts", _MOST_BYTES,
                each.stored, "B")
        for each in growth
    ]  # fmt: skip
    texts = at_most(f"bytes stored by turn {late.turn:,}, with the ledger's texts",
                    _MOST_WITH_TEXTS, late.stored + late.ledger, "B")  # fmt: skip
    what = f"bytes stored by turn {late.turn:,} over those of turn {early.turn}"
    return [*goals, texts, at_most(what, _MOST_GROWTH, late.stored / early.stored)]


def _ages(blocks: dict[str, list[Block]], turn: int) -> list[Goal]:
    pairs = list(zip(blocks[OLD], blocks[YOUNG], strict=True))
    cpu = Spread.of(old.cpu_ms / young.cpu_ms for old, young in pairs)
    first = Spread.of(first_text([old], 50) / first_text([young], 50) for old, young in pairs)
    return [
        at_most(f"CPU of turn {turn:,} over turn 30", 1.2, cpu),
        at_most(f"first text of turn {turn:,} over turn 30, p50", 1.2, first),
    ]


def _cache(served: dict[str, dict[str, int]]) -> list[Goal]:
    talk, alternate = served[workload.TALK], served["alternate"]
    what = "prompt bytes a prefix cache can serve"
    return [
        at_least(f"{what} over {talk['prompts']} turns", _LEAST_SERVED, _share(talk), "%"),
        at_least(f"{what} where asks and says alternate, {alternate['prompts']} prompts",
                 _LEAST_SERVED_ALTERNATING, _share(alternate), "%"),
    ]  # fmt: skip


def _share(served: dict[str, int]) -> float:
    return 100 * served["served_bytes"] / served["sent_bytes"]
