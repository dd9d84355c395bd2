"""The closing line of CI is the sum of its runs."""

from __future__ import annotations

import pytest

from scripts.sum_tests import total

FIRST = "...\n===== 7966 passed, 48 deselected, 2 warnings in 290.10s (0:04:50) =====\n"
SECOND = (
    "x in 9s\n== 1 failed, 46 passed, 7966 deselected, 1 error in 400.00s (0:06:40) ==\nmake: ***\n"
)


@pytest.mark.parametrize(
    ("logs", "line", "complete"),
    [
        ([FIRST], "7966 passed, 2 warnings in 290.10s", True),
        ([FIRST, SECOND], "1 failed, 8012 passed, 1 error, 2 warnings in 690.10s", True),
        ([FIRST, "make: *** Killed"], "7966 passed, 1 error, 2 warnings in 290.10s", False),
        (["no tests ran in 0.02s"], "no tests ran in 0.02s", True),
    ],
)
def test_counts_and_seconds_are_added(logs: list[str], line: str, *, complete: bool) -> None:
    """What one run deselects the other one runs; a run without an end is an error."""
    assert total(logs) == (line, complete)
