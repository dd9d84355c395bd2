"""What one report to the monitor costs a process that does nothing else."""

from __future__ import annotations

from benchmarks.children import Child
from benchmarks.figures import Spread
from benchmarks.goals import Goal, Row, at_most, unmeasured
from benchmarks.rows.common import NAMES, Progress, Size
from benchmarks.stage import DATABASES, Database, NotMeasurable, Stage, Target

_LIMITS: dict[Database, float] = {"sqlite": 0.8, "postgres": 1.5}
_APART_MS = 25
"""Between two reports, where they come one by one: sixteen sessions speak six times a second."""
_KINDS = ("ours", "bare")


async def measure(stage: Stage, size: Size, progress: Progress) -> Row:
    """Weigh our reports beside bare ones: sixteen at once, and one at a time."""
    goals: list[Goal] = []
    lines: list[str] = []
    figures: dict[str, object] = {}
    for database in DATABASES if not size.quick else DATABASES[:1]:
        what = f"CPU of a report, alone, {{}}, {NAMES[database]}"
        limit = _LIMITS[database]
        try:
            alone = await _child(stage, database)
        except NotMeasurable as error:
            goals.append(unmeasured(what.format("16 at once"), limit, str(error), "ms"))
            continue
        for how, every_ms in (("16 at once", 0), ("one at a time", _APART_MS)):
            progress(f"reports alone on {database}, {how}")
            ours, bare = await _weigh(alone, every_ms, size)
            goals.append(at_most(what.format(how), limit, ours, "ms"))
            lines.append(f"{NAMES[database]}, {how}: {ours} ms, on bare drivers {bare} ms")
            figures[f"{database}, {how}"] = {"ours_ms": ours.middle, "bare_ms": bare.middle}
        await stage.end(f"report-{database}")
    title = "a report to the monitor in a process that does nothing else, tracing off"
    return Row(title=title, goals=goals, lines=lines, figures=figures)


async def _child(stage: Stage, database: Database) -> Child:
    ours = stage.database(Target(database=database, copy="reports"))
    floor = stage.database(Target(kind="floor", database=database, copy="reports"))
    monitor = await stage.replayed("reports")
    arguments = ("-m", "benchmarks.report_alone", ours, floor, monitor.target)
    return await stage.child(f"report-{database}", *arguments)


async def _weigh(alone: Child, every_ms: int, size: Size) -> tuple[Spread, Spread]:
    """Return milliseconds a report, ours and bare, block by block in turns."""
    found: dict[str, list[float]] = {kind: [] for kind in _KINDS}
    for _ in range(size.of(10, 3) + 1):
        for kind, known in found.items():
            asked = {"which": kind, "rounds": size.of(4, 2), "every_ms": every_ms}
            known.append(float(str((await alone.ask(asked))["cpu_ms"])))
    return Spread.of(found["ours"][1:]), Spread.of(found["bare"][1:])  # the first was to warm up
