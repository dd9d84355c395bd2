"""The report of a run: a table for a person, JSON for a machine."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from tests.chaos.result import Result

HEAD = ("fault", "database", "what", "runs", "injections", "turns", "recovered: median", "worst",
        "limit", "violations")  # fmt: skip


def table(results: Iterable[Result]) -> str:
    """Return the rows as a Markdown table."""
    lines = [HEAD, tuple("-" * 3 for _ in HEAD), *map(_cells, results)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cells(result: Result) -> tuple[str, ...]:
    if result.skipped:
        skipped = f"skipped: {result.skipped}"
        return (result.fault, result.database, result.what, *("",) * 6, skipped)
    times = result.recovered_s
    return (
        result.fault,
        result.database,
        result.what,
        str(result.runs),
        str(result.kills),
        str(result.turns),
        f"{median(times):.2f} s" if times else "–",
        f"{max(times):.2f} s" if times else "–",
        f"{result.limit_s:.1f} s" if result.limit_s is not None else "–",
        str(len(result.violations)),
    )


def notes(results: Iterable[Result]) -> str:
    """Return the notes of rows, and every violation."""
    lines = []
    for result in results:
        where = " ".join(filter(None, (result.fault, result.database, result.what)))
        notes = ", ".join(f"{name} {value}" for name, value in result.notes.items())
        if notes:
            lines.append(f"{where}: {notes}")
        lines += (f"VIOLATION {where}: {each}" for each in result.violations)
    return "\n".join(lines)


def machine() -> dict[str, object]:
    """Return what the figures depend on."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "load_average": [round(load, 2) for load in os.getloadavg()],
        "system": platform.platform(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def write_json(path: Path, *, seed: int, took_s: float, results: Sequence[Result]) -> None:
    """Write everything a run gave."""
    notes = {
        "machine": machine(),
        "seed": seed,
        "took_s": round(took_s, 1),
        "violations": sum(len(result.violations) for result in results),
        "results": [result.as_json() for result in results],
    }
    path.write_text(json.dumps(notes, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
