"""Runs hypothesis outside of a test: so many examples, a seed, and what was found."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, seed, settings


class Found(Exception):
    """An example that broke a rule; the text names it."""


@dataclass(slots=True)
class Tally:
    """What a run came to."""

    ran: int = 0
    found: list[str] = field(default_factory=list)
    until: float = float("inf")
    """When it must stop, on the monotonic clock."""

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self.until


def explore(run: Callable[[], None], examples: int, *, seed: int, tally: Tally) -> None:
    """Run a property of hypothesis; what breaks it is noted in its shortest form."""
    bounded = settings(
        max_examples=examples, deadline=None, database=None, derandomize=False,
        phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False, print_blob=False,
    )  # fmt: skip
    try:
        bounded(_seeded(seed)(run))()
    except Found as found:
        tally.found.append(str(found))
    except Exception as error:  # noqa: BLE001  whatever left the code under test is the finding
        tally.found.append(f"{type(error).__name__}: {error}"[:600])


def _seeded(number: int) -> Callable[[Callable[[], None]], Callable[[], None]]:
    return seed(number)
