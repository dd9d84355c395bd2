"""Turns per second beside LangGraph, instant model, each client after its last reply."""

from __future__ import annotations

from tests.benchmarks.alternating import Load, alternate
from tests.benchmarks.bench_processes import BenchProcesses, Target
from tests.benchmarks.figures import Cell, Spread
from tests.benchmarks.goals import Goal, Row, at_least, unmeasured
from tests.benchmarks.rows.row_parts import (
    Progress,
    Size,
    block_figures,
    block_lines,
    present,
)

OURS = Target(database="sqlite", traced=True, monitor=True)
THEIRS = Target(kind="langgraph", database="sqlite")
AGENTS = Target(kind="agents", database="sqlite")
_LIMITS = {1: 3.0, 16: 5.0, 64: 5.0}
"""By sessions: a session alone is bound by its syncs and its round trips."""


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Run the blocks at each number of sessions; openai-agents answers them too."""
    running, lacking = await present(processes, [OURS, THEIRS, AGENTS])
    goals: list[Goal] = []
    lines: list[str] = []
    figures: dict[str, object] = {}
    for sessions in _LIMITS if not size.quick else (16,):
        load = Load(
            cell=Cell("instant", sessions),
            turns=max(size.of(96, 32) // sessions, 2),
            repeats=size.of(3, 1),
            warm=22 if sessions == 1 else size.of(22, 3) if sessions == 16 else 2,
        )
        answering = running if sessions < 64 else [each for each in running if each != AGENTS]
        found = await alternate(processes, answering, load, progress=progress)
        for peer in (THEIRS, AGENTS):
            what = f"turns per second over {peer.kind}'s, SQLite, {sessions} sessions"
            if peer not in found:
                reason = lacking.get(peer, "it exceeds the time of a block")
                goals.append(unmeasured(what, _LIMITS[sessions], reason, at_least=True))
                continue
            pairs = zip(found[OURS], found[peer], strict=True)
            ratio = Spread.of(mine.per_second / other.per_second for mine, other in pairs)
            goals.append(at_least(what, _LIMITS[sessions], ratio))
        lines += [f"{sessions} sessions", *block_lines(found)]
        figures[str(sessions)] = block_figures(found)
    return Row(
        title="turns per second beside the peers, monitor on",
        goals=goals,
        lines=lines,
        figures=figures,
    )
