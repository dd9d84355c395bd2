"""Many streams of one executor: two hundred that chat, ten thousand that are idle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.benchmarks import workload
from tests.benchmarks.bench_processes import BenchProcesses, Target
from tests.benchmarks.figures import percentile
from tests.benchmarks.goals import Goal, Row, at_most
from tests.benchmarks.rows.row_parts import Progress, Size
from tests.support.open_files import allow_files

CHATTING = Target(database="sqlite", traced=True, monitor=True, copy="streams")
IDLE = Target(database="sqlite", monitor=True, traced=True, copy="idle")
_GAP_S = 0.05
"""Twenty tokens a second."""
_WINDOW_MS = 50.0
"""Deltas are joined over that long; what is beyond it is ours to answer for."""
_MB = 1_000_000
_SPARE_FILES = 300


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Let the streams chat, then open the idle ones on an executor of their own."""
    chat = await _chat(processes, size, progress)
    idle = await _idle(processes, size, progress)
    return Row(
        title="streams of one executor process, tracing and monitor on, SQLite",
        goals=[*chat.pop("goals"), *idle.pop("goals")],
        lines=[*chat.pop("lines"), *idle.pop("lines")],
        figures={"chatting": chat, "idle": idle},
    )


async def _chat(processes: BenchProcesses, size: Size, progress: Progress) -> dict[str, Any]:
    number, turns = size.of(200, 50), size.of(4, 1)
    bench = await processes.bench(CHATTING)
    server = bench.servers[CHATTING.name]
    progress(f"opening {number} streams that chat")
    await bench.warm_up(number, turns=0)
    await bench.model.ask({"times": True})
    await bench.model.ask({"first_s": _GAP_S, "gap_s": _GAP_S})
    tokens = len(workload.tokens(workload.reply("0" * 8)))
    rate = number / (_GAP_S * (tokens + 4))
    command = {"target": server.target, "sessions": number, "turns": turns, "rate": rate,
               "deltas": True}  # fmt: skip
    children = {"server": server, "load": bench.load, "model": bench.model}
    before = {role: child.cpu_s() for role, child in children.items()}
    progress(f"{number} streams at {1 / _GAP_S:.0f} tokens a second, {turns} turn(s) each")
    answered: Any = await bench.load.ask(command, within_s=600)
    busy = {role: (child.cpu_s() - before[role]) / answered["seconds"]
            for role, child in children.items()}  # fmt: skip
    report: Any = await bench.model.ask({"report": True})
    memory = server.memory_bytes() / _MB
    await bench.model.ask({"times": False})
    await processes.end(CHATTING.name)
    delays = list(delays_ms(answered["turns"], report["answered"]))
    p50, p99 = percentile(delays, 50), percentile(delays, 99)
    line = f"{number} streams: a token waits {p50:.1f} ms at p50 and {p99:.1f} ms at p99, joining"
    return {
        "goals": [
            at_most(f"delay of a token beyond the joining interval, p99, {number} streams",
                    50, p99 - _WINDOW_MS, "ms"),
            at_most(f"memory with {number} streams that chat", 500, memory, "MB"),
        ],
        "lines": [f"{line} included; cores busy: {_cores(busy)}; {memory:,.0f} MB"],
        "streams": number, "deltas": len(delays), "p50_ms": p50, "p99_ms": p99, "cores": busy,
        "memory_mb": memory,
    }  # fmt: skip


def delays_ms(turns: list[Any], answered: list[Any]) -> Iterator[float]:
    """Yield, for each delta, how long its oldest token took from the model to the client."""
    written = {each["mark"]: each["written"] for each in answered}
    for turn in turns:
        ends = _ends(turn["mark"])
        at = 0
        for end, arrived in turn["deltas"]:
            if end <= at:
                continue
            oldest = next(index for index, known in enumerate(ends) if known > at)
            yield 1000 * (arrived - written[turn["mark"]][oldest])
            at = end


def _ends(mark: str) -> list[int]:
    """Return, for each token of a reply, how many characters the client may have seen after it."""
    text, content = workload.reply(mark), workload.reply_text(mark)
    begins, total, ends = text.index(content), 0, []
    for token in workload.tokens(text):
        total += len(token)
        ends.append(min(max(total - begins, 0), len(content)))
    return ends


async def _idle(processes: BenchProcesses, size: Size, progress: Progress) -> dict[str, Any]:
    wanted = size.of(10_000, 500)
    number = min(wanted, allow_files(wanted + _SPARE_FILES) - _SPARE_FILES)
    bench = await processes.bench(IDLE)
    server = bench.servers[IDLE.name]
    empty = server.memory_bytes() / _MB
    progress(f"opening {number:,} idle streams, a connection each")
    await bench.load.ask({"target": server.target, "idle": number}, within_s=600)
    memory = server.memory_bytes() / _MB
    await processes.end("load", IDLE.name)  # the clients go with their process
    goal = at_most(f"memory with {number:,} idle streams", 1000, memory, "MB")
    short = f"; only {number:,}: the limit of open files" if number < wanted else ""
    each = 1000 * (memory - empty) / number
    line = f"{number:,} idle streams: {memory:,.0f} MB, {each:.0f} kB a stream{short}"
    goals: list[Goal] = [goal]
    return {"goals": goals, "lines": [line], "streams": number, "memory_mb": memory,
            "kb_each": each}  # fmt: skip


def _cores(busy: dict[str, float]) -> str:
    return ", ".join(f"{role} {cores:.2f}" for role, cores in busy.items())
