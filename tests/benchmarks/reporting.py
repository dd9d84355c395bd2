"""The report of a run: JSON, and a picture drawn in the peers' environment."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.children import machine
from tests.benchmarks.goals import Row
from tests.benchmarks.peers.environment import NoEnvironment, peers_python

_DRAWING = Path(__file__).with_name("peers") / "plot.py"


def report(rows: Sequence[Row], before: dict[str, object]) -> dict[str, object]:
    """Return all that was found, as JSON takes it."""
    results = [
        {
            "title": row.title,
            "goals": [
                asdict(goal) | {"verdict": goal.verdict, "share": goal.share} for goal in row.goals
            ],
            "figures": row.figures,
        }
        for row in rows
    ]
    return {"machine": before, "load_average_after": machine()["load_average"], "rows": results}


async def draw(results: Path, picture: Path) -> str:
    """Draw the goals; return the picture's name, or why there is none."""
    try:
        python = await peers_python()
    except NoEnvironment as error:
        return f"no picture: {error}"
    process = await asyncio.create_subprocess_exec(
        python, str(_DRAWING), str(results), str(picture), stdout=sys.stderr
    )
    return str(picture) if await process.wait() == 0 else "no picture: drawing failed"
