"""How much of each thing a script may hold: checking takes time for each, and others wait for it.

The bytes of a bundle alone do not bound that time: a megabyte holds 350,000 placeholders.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from executor_service.scripts.model.findings import Findings, Spot
from heartrule.words.words import say

MAX_ACTIONS = 5_000
"""Most actions of a script, those of its techniques included."""
MAX_PLACEHOLDERS = 200
"""Most variables that one text reads."""


class Counted(StrEnum):
    """What is counted over all files of a bundle; the value is the code of its name."""

    READS = "counted.reads"
    OUTPUTS = "counted.outputs"
    CONDITIONS = "counted.conditions"
    DECLARATIONS = "counted.declarations"


MOST = {
    Counted.READS: 20_000,
    Counted.OUTPUTS: 5_000,  # a session that begins writes a row for each, and for each declaration
    Counted.CONDITIONS: 5_000,
    Counted.DECLARATIONS: 1_000,
}
"""Most of each in a bundle; all of them together are checked in about two seconds."""


class ReadingStopped(Exception):
    """There is more of something than there may be; that was reported."""


class Amounts:
    """What the files of one bundle held so far."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self._taken: Counter[Counted] = Counter()

    def take(self, what: Counted, spot: Spot, findings: Findings, count: int = 1) -> None:
        """Count what stands at a spot.

        Raises:
            ReadingStopped: That is more than there may be; the first time it is reported.
        """
        before = self._taken[what]
        self._taken[what] += count
        if self._taken[what] <= MOST[what]:
            return
        if before <= MOST[what]:
            findings.report("too_many_in_all", spot, most=MOST[what], what=say(what.value))
        raise ReadingStopped
