"""What the gateway adds: to the first word, and in memory with five hundred readers."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.bench_processes import BenchProcesses, Target
from tests.benchmarks.children import Child
from tests.benchmarks.figures import percentile
from tests.benchmarks.goals import Row, at_most
from tests.benchmarks.rows.row_parts import Progress, Size
from tests.support.open_files import allow_files

BEHIND = Target(database="sqlite", copy="gateway")
STREAMS = 16
READERS = 500
_MB = 1_000_000
_SPARE_FILES = 300


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Talk over gRPC and HTTP in turn, then let five hundred read and talk."""
    allow_files(4 * READERS + _SPARE_FILES)
    server = await processes.target(BEHIND)
    model = await processes.model()
    gateway = await processes.child(
        "gateway", "-m", "gateway_service",
        HEARTRULE_GATEWAY_PORT="0", HEARTRULE_GATEWAY_EXECUTOR_ADDRESS=server.target,
        HEARTRULE_GATEWAY_MAX_CONNECTIONS_PER_ADDRESS="0",
        HEARTRULE_GATEWAY_INPUTS_PER_MINUTE="0", HEARTRULE_GATEWAY_SESSIONS_PER_MINUTE="0",
    )  # fmt: skip
    load = await processes.child("http_load", "-m", "tests.benchmarks.http_load")
    to = {"grpc": server.target, "http": gateway.target}
    first = await _first_word(load, model, to, size, progress)
    readers = await _readers(load, model, gateway, to, progress)
    comings = await _comings(load, gateway, to, size, progress)
    await processes.end("http_load", "gateway", BEHIND.name)
    goals = [*first.pop("goals"), *readers.pop("goals"), *comings.pop("goals")]
    return Row(
        title="gateway: HTTP and server-sent events before one executor, SQLite",
        goals=goals,
        lines=[first.pop("line"), readers.pop("line"), comings.pop("line")],
        figures={"first_word": first, "readers": readers, "comings": comings},
    )


async def _first_word(
    load: Child, model: Child, to: dict[str, str], size: Size, progress: Progress
) -> dict[str, Any]:
    turns = size.of(24, 8)
    await load.ask({**to, "sessions": STREAMS, "turns": 2}, within_s=120)
    await model.ask({"first_s": 0.05, "gap_s": 0.02})
    progress(f"{STREAMS} streams, {turns} turns each, gRPC and HTTP in turn")
    answer: Any = await load.ask(
        {**to, "sessions": STREAMS, "turns": turns, "spread_s": 2.5}, within_s=300
    )
    waits = {
        by: [1000 * (t["first"] - t["sent"]) for t in answer["turns"] if t["by"] == by]
        for by in ("grpc", "http")
    }
    p50 = {by: percentile(found, 50) for by, found in waits.items()}
    p95 = {by: percentile(found, 95) for by, found in waits.items()}
    added = p50["http"] - p50["grpc"]
    line = (f"first word at {STREAMS} streams, p50 / p95: gRPC {p50['grpc']:.1f} / "
            f"{p95['grpc']:.1f} ms, HTTP {p50['http']:.1f} / {p95['http']:.1f} ms")  # fmt: skip
    goal = at_most(f"time to first text the gateway adds, p50, {STREAMS} streams", 2, added, "ms")
    return {"goals": [goal], "line": line, "p50_ms": p50, "p95_ms": p95, "added_ms": added}


async def _readers(
    load: Child, model: Child, gateway: Child, to: dict[str, str], progress: Progress
) -> dict[str, Any]:
    empty = gateway.memory_bytes() / _MB
    progress(f"{READERS} readers of events, and as many who talk")
    await load.ask({**to, "watch": READERS}, within_s=120)
    watched = gateway.memory_bytes() / _MB
    await load.ask({**to, "hang_up": True}, within_s=60)
    await model.ask({"first_s": 0, "gap_s": 0})
    await load.ask({**to, "sessions": READERS, "turns": 0}, within_s=300)
    await model.ask({"first_s": 0.05, "gap_s": 0.05})
    before = gateway.cpu_s()
    answer: Any = await load.ask(
        {**to, "sessions": READERS, "turns": 1, "only": "http", "spread_s": 20}, within_s=300
    )
    ended = [turn["ended"] for turn in answer["turns"]]
    cpu = 1000 * (gateway.cpu_s() - before) / len(ended)
    waits = [1000 * (turn["first"] - turn["sent"]) for turn in answer["turns"]]
    line = (f"{READERS} readers: {watched:.0f} MB ({1000 * (watched - empty) / READERS:.0f} kB "
            f"each); {READERS} who talk: first word {percentile(waits, 50):.0f} / "
            f"{percentile(waits, 95):.0f} ms, {cpu:.1f} ms of its CPU a turn")  # fmt: skip
    goal = at_most(f"answers lost of {READERS} streams by HTTP", 0, READERS - len(ended))
    return {"goals": [goal], "line": line, "empty_mb": empty, "watched_mb": watched,
            "cpu_ms_a_turn": cpu, "p95_ms": percentile(waits, 95)}  # fmt: skip


async def _comings(
    load: Child, gateway: Child, to: dict[str, str], size: Size, progress: Progress
) -> dict[str, Any]:
    number = size.of(4_000, 500)
    progress(f"{number:,} streams coming and going")
    await load.ask({**to, "comings": number}, within_s=300)
    before = gateway.memory_bytes() / _MB
    await load.ask({**to, "comings": number}, within_s=300)
    grown = gateway.memory_bytes() / _MB - before
    line = f"{number:,} streams came and went: memory {before:.0f} MB, then {grown:+.1f} MB"
    goal = at_most(f"memory kept after {number:,} further streams came and went", 5, grown, "MB")
    return {"goals": [goal], "line": line, "before_mb": before, "grown_mb": grown}
