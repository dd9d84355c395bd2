"""What the strategy engine adds to an action's first words: the same openings with it and without.

Every message of a client completes one ai_say and opens the next, so every turn is a first round.
Both scripts run on the same executor in turns, and a difference is made of two neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.benchmarks.figures import OURS, Spread, percentile
from tests.benchmarks.measuring import PACES, Bench, Plan

_MOST_TURNS = 350
"""Of one session; the scripts have a few more actions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Openings:
    """Time from a client's message to the first text of the answer, one block a figure."""

    model: str
    sessions: int
    plain_ms: tuple[float, ...]
    """Median of each block without recommendations."""
    advised_ms: tuple[float, ...]
    """The same with them."""

    @property
    def added_ms(self) -> Spread:
        """What a recommendation adds."""
        pairs = zip(self.plain_ms, self.advised_ms, strict=True)
        return Spread.of(advised - plain for plain, advised in pairs)

    @property
    def ratio(self) -> Spread:
        """Advised over plain."""
        pairs = zip(self.plain_ms, self.advised_ms, strict=True)
        return Spread.of(advised / plain for plain, advised in pairs)


async def measure_openings(
    bench: Bench, plan: Plan, *, progress: Callable[[str], None]
) -> tuple[Openings, ...]:
    """Run the blocks of every number of sessions and pace."""
    found = []
    for sessions in plan.sessions:
        for model, (first_s, gap_s) in PACES.items():
            await bench.model.ask({"first_s": first_s, "gap_s": gap_s})
            turns = _turns(plan, model, sessions)
            blocks: dict[str, list[float]] = {"openings": [], "advised": []}
            for number in range(plan.repeats):
                progress(f"block {number + 1} of {plan.repeats}: {model}, {sessions}")
                for script, medians in blocks.items():
                    medians.append(await _block(bench, script, sessions, turns))
            found.append(
                Openings(
                    model=model,
                    sessions=sessions,
                    plain_ms=tuple(blocks["openings"]),
                    advised_ms=tuple(blocks["advised"]),
                )
            )
    return tuple(found)


def opening_table(found: Sequence[Openings]) -> str:
    """Return the figures as text."""
    lines = [f"{'model':<8}{'sessions':>8}   plain, ms / advised, ms / added, ms / ratio"]
    lines.extend(
        f"{each.model:<8}{each.sessions:>8}   {Spread.of(each.plain_ms)} / "
        f"{Spread.of(each.advised_ms)} / {each.added_ms} / {each.ratio}"
        for each in found
    )
    return "\n".join(lines)


def _turns(plan: Plan, model: str, sessions: int) -> int:
    """Return the turns of one session in one block; all blocks fit into the script."""
    wanted = plan.turns // sessions if model == "instant" else plan.rounds
    return max(1, min(wanted, _MOST_TURNS // 2) // plan.repeats)


async def _block(bench: Bench, script: str, sessions: int, turns: int) -> float:
    command = {"target": bench.servers[OURS].target, "sessions": sessions, "turns": turns,
               "script": script}  # fmt: skip
    answer: Any = await bench.load.ask(command, within_s=600)
    times = [1000 * (turn["first"] - turn["sent"]) for turn in answer["turns"]]
    return percentile(times, 50)
