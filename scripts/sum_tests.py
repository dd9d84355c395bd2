#!/usr/bin/env python3
"""Print the sum of pytest's closing lines: `sum_tests.py LOG…`; 1 where a log has none."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

CLOSING = re.compile(r"(?:no tests ran|\d+ \w+)(?:, \d+ \w+)* in (?P<seconds>[\d.]+)s")
COUNTED = ("failed", "passed", "skipped", "xfailed", "xpassed", "error", "warning")
"""Not `deselected`: what one run leaves out, the other one runs."""


def closing_line(log: str) -> re.Match[str] | None:
    """Return the last closing line of a log."""
    return next(reversed(list(CLOSING.finditer(log))), None)


def total(logs: Sequence[str]) -> tuple[str, bool]:
    """Return the closing line of all runs together, and whether each log had one."""
    counts: Counter[str] = Counter()
    seconds = 0.0
    complete = True
    for log in logs:
        line = closing_line(log)
        if line is None:
            complete = False
            counts["error"] += 1  # a run without an end is no success
            continue
        seconds += float(line["seconds"])
        for number, word in re.findall(r"(\d+) ([a-z]+)", line[0].partition(" in ")[0]):
            counts[word.removesuffix("s") if word in {"errors", "warnings"} else word] += int(
                number
            )
    parts = [_words(counts[word], word) for word in COUNTED if counts[word]]
    return f"{', '.join(parts) or 'no tests ran'} in {seconds:.2f}s", complete


def _words(number: int, word: str) -> str:
    """Return a count as pytest writes it: errors and warnings have a plural."""
    return f"{number} {word}{'s' if word in {'error', 'warning'} and number > 1 else ''}"


def main(paths: Sequence[str]) -> int:
    """Print the sum; return 1 where a run has no closing line."""
    line, complete = total([Path(path).read_text(errors="replace") for path in paths])
    print(f"==== {line} ====")
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
