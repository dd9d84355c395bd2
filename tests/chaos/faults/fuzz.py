"""Unforeseen requests, scripts and replies, in a process of their own.

`make fuzz` runs the full numbers; here it is a little of them, twenty seconds for each part.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator

from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.processes import ROOT
from tests.chaos.result import Result
from tests.chaos.world import World

PARTS = ("rpcs", "bytes", "scripts", "replies", "turns")
EXAMPLES = 2_000
SECONDS = 20


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Try each part; a run with few kills gets few examples too."""
    examples = EXAMPLES if options.kills > 2 else EXAMPLES // 50
    for part in PARTS:
        began = now()
        report = world.new_folder(f"fuzz-{part}") / "report.json"
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.chaos.fuzz", "--parts", part, "--examples", str(examples),
            "--seconds", str(SECONDS), "--seed", str(world.seed), "--json", str(report),
            cwd=ROOT, stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        code = await child.wait()
        result = Result(fault="fuzz", database="sqlite", what=part, took_s=now() - began)
        if report.exists():
            results = json.loads(report.read_text(encoding="utf-8"))[part]
            result.runs = results["examples"]
            result.add(results["found"])
        result.require(code == 0 or bool(result.violations), f"it ended with {code}")
        yield result
