"""What one report to the monitor costs a process that does nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from tests.benchmarks.children import Child
from tests.benchmarks.figures import Spread
from tests.benchmarks.goals import Goal, Row, at_most, unmeasured
from tests.benchmarks.rows.common import NAMES, Progress, Size
from tests.benchmarks.stage import DATABASES, Database, NotMeasurable, Stage, Target

_LIMITS: dict[Database, float] = {"sqlite": 0.8, "postgres": 1.5}
_KINDS = ("ours", "bare")


@dataclass(frozen=True, slots=True)
class _How:
    """How reports come, and whether spans are made of them."""

    words: str
    every_ms: int = 0
    traced: bool = False
    has_limit: bool = True


_HOWS = (
    _How("16 at once"),
    _How("16 at once, tracing on", traced=True),
    _How("one at a time", every_ms=25, has_limit=False),
)


async def measure(stage: Stage, size: Size, progress: Progress) -> Row:
    """Weigh our reports beside bare ones: sixteen at once, and one at a time.

    One at a time has no limit: the bare one alone is beyond it, since a process that is woken for
    every answer pays more for the waking than for the work.
    """
    goals: list[Goal] = []
    lines: list[str] = []
    figures: dict[str, object] = {}
    for database in DATABASES if not size.quick else DATABASES[:1]:
        for how in _HOWS:
            what = f"CPU of a report, alone, {how.words}, {NAMES[database]}"
            progress(what)
            try:
                ours, bare = await _weigh(stage, database, how, size)
            except NotMeasurable as error:
                goals.append(unmeasured(what, _LIMITS[database], str(error), "ms"))
                continue
            if how.has_limit:
                goals.append(at_most(what, _LIMITS[database], ours, "ms"))
            lines.append(f"{NAMES[database]}, {how.words}: {ours} ms, on bare drivers {bare} ms")
            figures[f"{database}, {how.words}"] = {
                "ours_ms": ours.middle,
                "bare_ms": bare.middle,
            }
    title = "a report to the monitor in a process that does nothing else"
    return Row(title=title, goals=goals, lines=lines, figures=figures)


async def _weigh(stage: Stage, database: Database, how: _How, size: Size) -> tuple[Spread, Spread]:
    """Return milliseconds a report, ours and bare, block by block in turns."""
    alone = await _child(stage, database, traced=how.traced)
    found: dict[str, list[float]] = {kind: [] for kind in _KINDS}
    for _ in range(size.of(10, 3) + 1):
        for kind, known in found.items():
            asked = {"which": kind, "rounds": size.of(4, 2), "every_ms": how.every_ms}
            known.append(float(str((await alone.ask(asked))["cpu_ms"])))
    return Spread.of(found["ours"][1:]), Spread.of(found["bare"][1:])  # the first was to warm up


async def _child(stage: Stage, database: Database, *, traced: bool) -> Child:
    copy = "reports-traced" if traced else "reports"
    ours = stage.database(Target(database=database, copy=copy))
    floor = stage.database(Target(kind="floor", database=database, copy=copy))
    monitor = await stage.replayed("reports")
    arguments = ("-m", "tests.benchmarks.report_alone", ours, floor, monitor.target)
    environ = await stage.tracing() if traced else {}
    return await stage.child(f"{copy}-{database}", *arguments, **environ)
