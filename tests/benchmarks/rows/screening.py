"""What the safety screen adds to an input: texts people write, and the worst of one mebibyte."""

from __future__ import annotations

import random
import time
from pathlib import Path

from heartrule.safety.safety_files import load_screen
from heartrule.safety.screen import SafetyScreen, ScreenContext
from tests.benchmarks.bench_processes import BenchProcesses
from tests.benchmarks.figures import percentile
from tests.benchmarks.goals import Row, at_most
from tests.benchmarks.rows.row_parts import Progress, Size
from tests.support.safety_cases import cases
from tests.support.worst_texts import worst_texts

_FILES = Path(__file__).parents[3] / "_system" / "safety"
_SHORTEST, _LONGEST = 50, 500
_MEBIBYTE = 2**20


async def measure(_processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Screen both, by the process's own CPU time; nothing else runs in between."""
    progress("screening texts")
    screen = load_screen(_FILES)
    usual = [1000 * _cpu_s(screen, text) for text in _messages(size.of(5000, 1000))]
    worst = {name: 1000 * _cpu_s(screen, text) for name, text in worst_texts(_MEBIBYTE).items()}
    slowest = max(worst, key=lambda name: worst[name])
    return Row(
        title="the safety screen, one core",
        goals=[
            at_most("messages of 50 to 500 characters, p99", 5.0, percentile(usual, 99), "ms"),
            at_most(f"1 MiB of the worst text ({slowest})", 500.0, worst[slowest], "ms"),
        ],
        lines=[f"{name:<24}{ms:8.1f} ms" for name, ms in worst.items()],
        figures={"p50_ms": percentile(usual, 50), "worst_ms": worst},
    )


def _messages(number: int) -> list[str]:
    """Return messages made of sentences of the development set, of both languages apart."""
    chosen = random.Random(7)  # the same messages in each run
    made: list[str] = []
    for language in ("zh", "en"):
        known = [each.text for of in cases(language).values() for each in of]
        while len(made) < (number // 2 if language == "zh" else number):
            text = " ".join(chosen.choices(known, k=20))
            made.append(text[: chosen.randint(_SHORTEST, _LONGEST)])
    return made


def _cpu_s(screen: SafetyScreen, text: str) -> float:
    before = time.thread_time()
    screen.screen(text, ScreenContext())
    return time.thread_time() - before
