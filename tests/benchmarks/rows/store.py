"""What the store's part of a turn costs, and how many statements it makes."""

from __future__ import annotations

from tests.benchmarks.figures import Cell, Spread
from tests.benchmarks.goals import Goal, Row, at_most, unmeasured
from tests.benchmarks.measuring import Bench
from tests.benchmarks.rows.common import NAMES, Progress, Size
from tests.benchmarks.stage import DATABASES, Database, NotMeasurable, Stage, Target

_LIMITS: dict[Database, float] = {"sqlite": 0.5, "postgres": 1.5}
_CELL = Cell("instant", 1)


async def measure(stage: Stage, size: Size, progress: Progress) -> Row:
    """Weigh the store alone beside the floor's, then count the statements of two turns."""
    goals: list[Goal] = []
    lines: list[str] = []
    figures: dict[str, object] = {}
    for database in DATABASES if not size.quick else DATABASES[:1]:
        what = f"CPU of the store per turn, alone, {NAMES[database]}"
        try:
            ours, floor = await _weigh(stage, database, size, progress)
            early, late = await _count(stage, database, size, progress)
        except NotMeasurable as error:
            goals.append(unmeasured(what, _LIMITS[database], str(error), "ms"))
            continue
        goals.append(at_most(what, _LIMITS[database], ours, "ms"))
        what = f"statements of turn {size.of(300, 100)} over those of turn 30, {NAMES[database]}"
        goals.append(at_most(what, 1.0, late / early))
        lines.append(
            f"{NAMES[database]}: {ours} ms a turn, the floor on a plain driver {floor} ms;"
            f" {early:g} statements a turn"
        )
        figures[database] = {"store_ms": ours.middle, "floor_ms": floor.middle,
                             "statements": [early, late]}  # fmt: skip
    title = "the store's work in a one-step turn, monitor off, one session"
    return Row(title=title, goals=goals, lines=lines, figures=figures)


async def _weigh(
    stage: Stage, database: Database, size: Size, progress: Progress
) -> tuple[Spread, Spread]:
    """Return milliseconds a turn of our store and of the floor's, block by block."""
    ours = stage.database(Target(database=database, copy="alone"))
    floor = stage.database(Target(kind="floor", database=database, copy="alone"))
    name = f"store-{database}"
    alone = await stage.child(name, "-m", "tests.benchmarks.store_alone", ours, floor)
    found: dict[str, list[float]] = {"ours": [], "floor": []}
    for number in range(size.of(10, 3) + 1):
        progress(f"block {number}: the store alone on {database}")
        for which, known in found.items():
            told = await alone.ask({"which": which, "turns": size.of(100, 50)})
            known.append(float(str(told["cpu_ms"])))
    await stage.end(name)
    return Spread.of(found["ours"][1:]), Spread.of(found["floor"][1:])  # the first was to warm up


async def _count(
    stage: Stage, database: Database, size: Size, progress: Progress
) -> tuple[float, float]:
    """Return the statements of a turn near the beginning of a session and far from it."""
    progress(f"counting statements on {database}")
    environ = await stage.environ(Target(database=database, copy="counted"))
    name = f"counted-{database}"
    counted = await stage.child(name, "-m", "tests.benchmarks.inside", "statements", **environ)
    bench = Bench(await stage.model(), await stage.load(), {name: counted})
    found = []
    for turns in (30, size.of(300, 100) - 40):
        await bench.warm_up(1, turns=turns, group="counted")
        await counted.ask({"statements": True})
        await bench.block(name, _CELL, 10, group="counted")
        found.append(int(str((await counted.ask({"statements": True}))["statements"])) / 10)
    await stage.end(name)
    return found[0], found[1]
