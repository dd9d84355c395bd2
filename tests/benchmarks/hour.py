"""Memory of gateway and executor over an hour of streams that come and go.

    python tests/benchmarks/hour.py [--minutes 60] [--json FILE]

Every half minute sixteen clients say something over HTTP and read the answer as it is written, at a
real model's pace, and sixty streams of events are opened and hung up. What a client receives is
checked. A line a minute prints both memories; growth counts from a tenth of the time on, when what
is bounded is full.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks.bench_processes import BenchProcesses, Target
from tests.benchmarks.children import Child, machine
from tests.benchmarks.lines import run
from tests.support.open_files import allow_files

_MB = 1_000_000
_PERIOD_S = 30.0
_TALKING, _READING = 16, 60
_FILES = 300


async def measure(minutes: float) -> dict[str, object]:
    """Let clients come and go for so long; return what memory did."""
    allow_files(_FILES)
    with tempfile.TemporaryDirectory() as folder:
        processes = BenchProcesses(Path(folder), None)
        try:
            return await _measured(processes, minutes)
        finally:
            await processes.close()


async def _measured(processes: BenchProcesses, minutes: float) -> dict[str, object]:
    server = await processes.target(Target(database="sqlite", monitor=True, copy="hour"))
    gateway = await processes.child(
        "gateway", "-m", "gateway_service",
        HEARTRULE_GATEWAY_PORT="0", HEARTRULE_GATEWAY_EXECUTOR_ADDRESS=server.target,
        HEARTRULE_GATEWAY_MAX_CONNECTIONS_PER_ADDRESS="0",
        HEARTRULE_GATEWAY_INPUTS_PER_MINUTE="0", HEARTRULE_GATEWAY_SESSIONS_PER_MINUTE="0",
    )  # fmt: skip
    load = await processes.child("http_load", "-m", "tests.benchmarks.http_load")
    await (await processes.model()).ask({"first_s": 0.05, "gap_s": 0.02})
    to = {"grpc": server.target, "http": gateway.target}
    found: dict[str, list[float]] = {"gateway": [], "executor": []}
    turns, began = 0, time.monotonic()
    periods = max(2, round(60 * minutes / _PERIOD_S))
    for period in range(periods):
        answer = await load.ask(
            {**to, "sessions": _TALKING, "turns": 1, "only": "http", "spread_s": 10}, within_s=120
        )
        turns += len(answer["turns"])  # type: ignore[arg-type]
        await load.ask({**to, "comings": _READING}, within_s=120)
        _note(found, gateway, server, at_s=time.monotonic() - began, is_printed=period % 2 == 0)
        await _rest(began + (period + 1) * _PERIOD_S)
    return _grown(found, turns=turns, read=periods * _READING, minutes=minutes)


def _note(
    found: dict[str, list[float]], gateway: Child, server: Child, *, at_s: float, is_printed: bool
) -> None:
    found["gateway"].append(gateway.memory_bytes() / _MB)
    found["executor"].append(server.memory_bytes() / _MB)
    if is_printed:
        now = ", ".join(f"{name} {each[-1]:.1f} MB" for name, each in found.items())
        print(f"{at_s / 60:5.1f} min: {now}", flush=True)


async def _rest(until: float) -> None:
    await asyncio.sleep(max(0.0, until - time.monotonic()))


def _grown(
    found: dict[str, list[float]], *, turns: int, read: int, minutes: float
) -> dict[str, object]:
    """Return the memories, and how far the last tenth's middle lies above the second tenth's."""
    grown = {}
    for name, each in found.items():
        tenth = max(1, len(each) // 10)
        early, late = sorted(each[tenth : 2 * tenth]), sorted(each[-tenth:])
        grown[name] = late[len(late) // 2] - early[len(early) // 2]
        print(f"{name}: {early[len(early) // 2]:.1f} MB, then {grown[name]:+.2f} MB")
    print(f"{turns:,} answers streamed and {read:,} streams of events in {minutes:g} minutes")
    return {"machine": machine(), "minutes": minutes, "turns": turns, "streams": read,
            "memory_mb": found, "grown_mb": grown}  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    chosen = parser.parse_args(arguments)
    found = run(measure(chosen.minutes))
    if chosen.json is not None:
        text = json.dumps(found, ensure_ascii=False, indent=2)
        chosen.json.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
