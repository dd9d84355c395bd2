"""What the language costs a turn: one talk in a plain script and in one that uses all of it.

Both run on the same executor in turns, and a ratio is made of two neighbours. In `judged` turns one
ai_ask goes on for ever; in `opening` turns every message completes an ai_say and begins the next.
Besides: what a turn stores and writes near the beginning of a session and far from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.figures import OURS, Spread
from tests.benchmarks.measuring import WARM_TURNS, Bench, Plan
from tests.benchmarks.stored import stored_bytes

AIM = 1.15
"""The most CPU a turn may take with the whole language, of the plain one's."""
PAIRS = {"judged": ("bench", "whole"), "opening": ("openings", "whole_openings")}
"""The plain script and the whole one, by kind of turn."""
TURNS = (10, 30, 1_000)
"""Where bytes are counted; from the second on a prompt's history is full."""
_COUNTED = 10
"""Turns over which bytes are counted."""
_MOST_OPENINGS = 350
"""Of one session; the script has a few more actions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """CPU of the executor per turn, one block a figure."""

    kind: str
    sessions: int
    plain_ms: tuple[float, ...]
    whole_ms: tuple[float, ...]

    @property
    def ratio(self) -> Spread:
        """Whole over plain."""
        pairs = zip(self.plain_ms, self.whole_ms, strict=True)
        return Spread.of(whole / plain for plain, whole in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Bytes of a turn of the whole script, on SQLite."""

    turn: int
    stored: float
    """In rows that stay: all columns of all tables, indexes not counted."""
    written: float
    """To the disk: log, pages and what the log is copied to."""


async def measure_language(
    bench: Bench, plan: Plan, *, progress: Callable[[str], None]
) -> tuple[Cost, ...]:
    """Run the blocks of every number of sessions and kind of turn."""
    await bench.model.ask({"first_s": 0.0, "gap_s": 0.0})
    found = []
    for sessions in plan.sessions:
        for kind, (plain, whole) in PAIRS.items():
            blocks: dict[str, list[float]] = {plain: [], whole: []}
            turns = _turns(plan, kind, sessions)
            for script in blocks:
                await _block(bench, script, sessions, WARM_TURNS)
            for number in range(plan.repeats):
                progress(f"block {number + 1} of {plan.repeats}: {kind}, {sessions}")
                for script in (plain, whole) if number % 2 else (whole, plain):
                    blocks[script].append(await _block(bench, script, sessions, turns))
            costs = [tuple(each) for each in blocks.values()]
            found.append(Cost(kind=kind, sessions=sessions, plain_ms=costs[0], whole_ms=costs[1]))
    return tuple(found)


async def measure_growth(
    bench: Bench, database: Path, *, progress: Callable[[str], None]
) -> tuple[Growth, ...]:
    """Talk a thousand turns in one session of its own, and count on the way.

    The session is recognised by its number of sessions, 1, and its script.
    """
    await bench.model.ask({"first_s": 0.0, "gap_s": 0.0})
    found, done = [], 0
    for turn in TURNS:
        progress(f"bytes at turn {turn}")
        await _talk(bench, "whole_long", 1, turn - done)
        stored, written = stored_bytes(database).all, bench.servers[OURS].written_bytes()
        await _talk(bench, "whole_long", 1, _COUNTED)
        done = turn + _COUNTED
        found.append(
            Growth(
                turn=turn,
                stored=(stored_bytes(database).all - stored) / _COUNTED,
                written=(bench.servers[OURS].written_bytes() - written) / _COUNTED,
            )
        )
    return tuple(found)


def language_table(costs: Sequence[Cost], growth: Sequence[Growth]) -> str:
    """Return the figures as text."""
    lines = [
        "CPU of the executor per turn, ms: median (lowest-highest) of the blocks",
        f"{'turn':<9}{'sessions':>8}{'plain':>22}{'whole language':>22}{'ratio':>20}",
    ]
    lines.extend(
        f"{each.kind:<9}{each.sessions:>8}{Spread.of(each.plain_ms)!s:>22}"
        f"{Spread.of(each.whole_ms)!s:>22}{each.ratio!s:>20}  {_verdict(each)}"
        for each in costs
    )
    lines += ["", f"{'turn':<9}{'bytes stored':>16}{'bytes written':>16}"]
    lines.extend(f"{each.turn:<9}{each.stored:>16,.0f}{each.written:>16,.0f}" for each in growth)
    return "\n".join(lines)


def _verdict(cost: Cost) -> str:
    over = cost.ratio.middle - AIM
    return f"aim {AIM}: " + ("reached" if over <= 0 else f"missed by {over:.2f}")


def _turns(plan: Plan, kind: str, sessions: int) -> int:
    wanted = max(1, plan.turns // sessions // plan.repeats)
    left = (_MOST_OPENINGS - WARM_TURNS) // plan.repeats
    return min(wanted, left) if kind == "opening" else wanted


async def _block(bench: Bench, script: str, sessions: int, turns: int) -> float:
    before = bench.servers[OURS].cpu_s()
    await _talk(bench, script, sessions, turns)
    return 1000 * (bench.servers[OURS].cpu_s() - before) / (turns * sessions)


async def _talk(bench: Bench, script: str, sessions: int, turns: int) -> None:
    command = {"target": bench.servers[OURS].target, "sessions": sessions, "turns": turns,
               "script": script}  # fmt: skip
    await bench.load.ask(command, within_s=600)
    await bench.model.ask({"report": True})  # it keeps what it answered until it is asked
