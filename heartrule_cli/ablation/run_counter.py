"""Prints how far an ablation has come, while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from heartrule_cli.ablation.arm_runner import PlannedRun
from heartrule_cli.style import Style
from heartrule_cli.text import one_line

_START = "\r\x1b[K"
_TENTHS = 10
_MINUTES = 90
"""Seconds from which on minutes are told."""


class RunCounter:
    """One passing line on a terminal; elsewhere a line each tenth of the way."""

    def __init__(
        self,
        stream: TextIO,
        style: Style,
        *,
        total: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Tell it to a stream; nothing has begun."""
        self._stream = stream
        self._style = style
        self._total = total
        self._clock = clock
        self._begun = clock()
        self._count = 0

    def began(self, step: PlannedRun) -> None:
        """Tell that a run begins."""
        if self._style.colours:
            where = f"{step.arm.name} · {one_line(Path(step.conversation.file).name)}"
            line = f"run {self._count + 1} of {self._total}{self._left()} · {where}"
            self._write(_START + self._style.dim(line))
        elif self._count and self._tenth(self._count) > self._tenth(self._count - 1):
            self._write(f"{self._count} of {self._total} runs{self._left()}\n")
        self._count += 1

    def over(self) -> None:
        """Take the passing line back."""
        if self._style.colours:
            self._write(_START)

    def _tenth(self, count: int) -> int:
        return count * _TENTHS // self._total

    def _left(self) -> str:
        """Say how much time is left, once that can be guessed and is worth a word."""
        if not self._count:
            return ""
        seconds = (self._clock() - self._begun) / self._count * (self._total - self._count)
        if seconds < _TENTHS:
            return ""
        told = f"{seconds:.0f} s" if seconds < _MINUTES else f"{seconds / 60:.0f} min"
        return f", about {told} left"

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
