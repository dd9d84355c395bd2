"""Clocks, waiting and chance of the model package, in one place so that tests hold them."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """What the adapters know about time."""

    now: Callable[[], datetime] = _now
    """The time of day, aware."""
    monotonic: Callable[[], float] = time.monotonic
    """Seconds for measuring; never goes back."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Waits between attempts."""
    chance: Callable[[], float] = random.random  # noqa: S311 - spreads retries, no secret
    """A number from 0 to 1 that spreads retries."""
