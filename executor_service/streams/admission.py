"""What a session and this process take at one time; what is more is refused, to be sent again.

Inputs are checked behind the screen, so the refusal of one that needs a card carries it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from typing import Protocol

from executor_service.settings import AdmissionSettings
from heartrule.chassis import telemetry_metrics
from heartrule.chassis.rate_limit import RateLimit
from heartrule.domain.conversation import UserInput
from heartrule.domain.errors import QuotaSpent, TooManyTurns
from heartrule.domain.keys import SessionKey

REFUSED = "heartrule.refusals"
_DAY = timedelta(days=1)
# Somewhere in the day tokens become free again; a client need not ask more often than this.
_TOKENS_AGAIN = timedelta(minutes=10)


class Turns(Protocol):
    """The turns of this process."""

    @property
    def running(self) -> int:
        """How many sessions have one."""


class Ledger(Protocol):
    """What sessions have used."""

    async def tokens_since(self, key: SessionKey, age: timedelta) -> int:
        """Return the tokens of a session's model calls that are no older than `age`."""


class Admission:
    """Counts what runs, waits and was sent, and refuses what is too much."""

    def __init__(
        self,
        limits: AdmissionSettings,
        turns: Turns,
        ledger: Ledger,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create it with nothing counted."""
        self._limits = limits
        self._turns = turns
        self._ledger = ledger
        self._inputs = RateLimit(limits.inputs_per_minute, 60.0, clock=clock)
        self._waiting: Counter[SessionKey] = Counter()
        self._streams = 0

    @contextmanager
    def stream(self) -> Iterator[None]:
        """Count an open stream for the length of a block.

        Raises:
            QuotaSpent: There are too many.
        """
        if self._streams >= self._limits.max_streams:
            raise _refused("TOO_MANY_STREAMS", "this server has as many streams as it may")
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    @asynccontextmanager
    async def input(
        self, key: SessionKey, sent: UserInput, *, has_card: bool
    ) -> AsyncIterator[None]:
        """Count an input for the length of a block, in which it is stored and its turn begins.

        One that is answered by a card needs neither a model's tokens nor its time, so it is bound
        by its rate and size alone.

        Raises:
            QuotaSpent, TooManyTurns: It is too much for the session, or for this process.
        """
        self._check_rate(key)
        if not has_card:
            await self._check_turn(key)
        size = sum(len(part.plain_text().encode()) for part in sent.parts)
        if self._waiting[key] + size > self._limits.max_waiting_bytes and self._waiting[key]:
            raise _refused("TOO_MANY_BYTES_WAITING", "too many bytes of this session wait already")
        self._waiting[key] += size
        try:
            yield
        finally:
            self._waiting[key] -= size
            if not self._waiting[key]:
                del self._waiting[key]

    def _check_rate(self, key: SessionKey) -> None:
        wait = self._inputs.take(key)
        if wait:
            most = self._limits.inputs_per_minute
            raise _refused(
                "TOO_MANY_INPUTS",
                f"a session takes {most} inputs a minute",
                again=timedelta(seconds=wait),
            )

    async def _check_turn(self, key: SessionKey) -> None:
        if self._turns.running >= self._limits.max_turns:
            telemetry_metrics.count(REFUSED, reason="TOO_MANY_TURNS")
            raise TooManyTurns("this server runs as many turns as it may", reason="TOO_MANY_TURNS")
        most = self._limits.session_tokens_per_day
        if most and await self._ledger.tokens_since(key, _DAY) >= most:
            raise _refused(
                "TOKENS_SPENT",
                f"this session has used the {most} tokens of a day",
                again=_TOKENS_AGAIN,
            )


def _refused(reason: str, sentence: str, again: timedelta | None = None) -> QuotaSpent:
    telemetry_metrics.count(REFUSED, reason=reason)
    return QuotaSpent(sentence, reason=reason, metadata={"subject": reason}, retry_after=again)
