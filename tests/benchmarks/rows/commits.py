"""Whether commits share a flush: turns a second of the store alone, announced and not."""

from __future__ import annotations

import asyncio

import psycopg

from tests.benchmarks.bench_processes import BenchProcesses, NotMeasurable, Target
from tests.benchmarks.children import Child
from tests.benchmarks.figures import Spread
from tests.benchmarks.goals import Goal, Row, at_least, unmeasured
from tests.benchmarks.rows.row_parts import Progress, Size

_LIMIT = 0.8
_STORES = 3
_TARGET = Target(database="postgres", copy="commits")
_SLOW = ("commit_delay = 2000", "commit_siblings = 0")
"""Each flush takes 2 ms more, as on a disk that is far away; commits that meet may share it."""


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Run blocks with announcements and without, in turns, at each number of sessions."""
    goals: list[Goal] = []
    lines: list[str] = []
    figures: dict[str, object] = {}
    for sessions in (24, 48):
        what = f"turns per second under a slow flush, announced over not, {sessions} sessions"
        try:
            stores = await _stores(processes)
        except NotMeasurable as error:
            goals.append(unmeasured(what, _LIMIT, str(error), at_least=True))
            continue
        rates: dict[bool, list[float]] = {True: [], False: []}
        for number in range(size.of(8, 2)):
            for announced in (True, False) if number % 2 else (False, True):
                progress(f"block {number + 1}: {sessions} sessions, announced: {announced}")
                rates[announced].append(await _rate(stores, sessions, announced=announced))
        ratio = Spread.of(on / off for on, off in zip(rates[True], rates[False], strict=True))
        goals.append(at_least(what, _LIMIT, ratio))
        lines.append(
            f"{sessions} sessions: {Spread.of(rates[True])} turns a second announced,"
            f" {Spread.of(rates[False])} not"
        )
        figures[str(sessions)] = {"announced": rates[True], "not": rates[False]}
    title = f"commits under a slow flush, the store alone, {_STORES} stores, PostgreSQL"
    return Row(title=title, goals=goals, lines=lines, figures=figures)


async def _stores(processes: BenchProcesses) -> list[Child]:
    """Return the stores, each a process, over one database whose flushes are slow."""
    address = processes.database(_TARGET)
    with psycopg.connect(address, autocommit=True) as db:
        name = db.info.dbname
        for setting in _SLOW:
            db.execute(f"ALTER DATABASE {name} SET {setting}".encode())
    arguments = ("-m", "tests.benchmarks.committing", address)
    return [await processes.child(f"store-{n}", *arguments) for n in range(_STORES)]


async def _rate(stores: list[Child], sessions: int, *, announced: bool) -> float:
    command: dict[str, object] = {
        "sessions": sessions // _STORES,
        "seconds": 5,
        "announce": announced,
    }
    answers = await asyncio.gather(*(store.ask(command) for store in stores))
    return sum(int(str(answer["turns"])) for answer in answers) / 5
