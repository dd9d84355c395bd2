"""A circuit breaker: a model that keeps failing is not called for a while.

One breaker for each model of each provider: the model of the strategy engine may be in trouble
while the one that talks is well.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from heartrule.domain.errors import ModelRateLimited, ModelUnavailable
from heartrule.domain.model_failure import ModelFailureDetails
from heartrule.model import model_failures as failures
from heartrule.model.providers import BreakerLimits

LOG = logging.getLogger(__name__)
_ITS_FAULT = frozenset({
    failures.TIMEOUT, failures.CONNECTION, failures.SERVER_ERROR, failures.STREAM_ERROR,
    failures.STREAM_CUT, failures.RATE_LIMITED,
})  # fmt: skip


class Breaker:
    """Counts failures in a row; from a number of them on nothing passes but, at times, a trial."""

    def __init__(self, limits: BreakerLimits, clock: Callable[[], float]) -> None:
        """Closed: everything passes."""
        self._limits = limits
        self._clock = clock
        self._failures = 0
        self._until = 0.0
        self._trial = False

    @property
    def opened(self) -> bool:
        """Whether calls are held back, but for a trial."""
        return self._failures >= self._limits.failures

    def wait_s(self) -> float:
        """Return 0.0 where a call may pass now, else how long to wait; a trial counts as passed.

        A caller that passes must call `succeeded`, `failed` or `left`.
        """
        if not self.opened:
            return 0.0
        left = self._until - self._clock()
        if left > 0:
            return left
        if self._trial:
            return self._limits.pause_s
        self._trial = True
        return 0.0

    def succeeded(self) -> None:
        """Let everything pass again."""
        self._failures, self._trial = 0, False

    def failed(self, asked_s: float = 0.0) -> None:
        """Count it; with the last one of the row the pause begins, or the one asked for."""
        self._failures, self._trial = self._failures + 1, False
        if self.opened:
            self._until = self._clock() + max(self._limits.pause_s, asked_s)

    def left(self) -> None:
        """Note that the caller went away before it was known how the call would end."""
        self._trial = False


class Breakers:
    """The breakers of one provider, one for each of its models."""

    def __init__(self, name: str, limits: BreakerLimits, clock: Callable[[], float]) -> None:
        """`name` is the provider's; `clock` never goes back."""
        self._name = name
        self._limits = limits
        self._clock = clock
        self._breakers: dict[str, Breaker] = {}
        self._last: dict[str, ModelFailureDetails | None] = {}
        """By model, why its last call failed."""

    @contextmanager
    def guard(self, model: str) -> Iterator[None]:
        """Let the call in the block pass, and count how it ends.

        Raises:
            ModelUnavailable: With `MODEL_PAUSED`, without any call, while the model is left alone.
        """
        breaker = self._breakers.setdefault(model, Breaker(self._limits, self._clock))
        if wait_s := breaker.wait_s():
            raise failures.paused(provider=self._name, wait_s=wait_s, last=self._last.get(model))
        is_trial = breaker.opened
        try:
            yield
            breaker.succeeded()
        except (ModelUnavailable, ModelRateLimited) as error:
            self._judge(breaker, model, error)
            raise
        finally:
            if is_trial:
                breaker.left()

    def _judge(
        self, breaker: Breaker, model: str, error: ModelUnavailable | ModelRateLimited
    ) -> None:
        """Count a failure of the model; one that refuses, or stops early, is well."""
        self._last[model] = error.details
        if error.reason not in _ITS_FAULT:
            breaker.succeeded()
            return
        asked = error.retry_after or timedelta(0)
        breaker.failed(asked.total_seconds())
        if breaker.opened:
            LOG.warning(
                "model is left alone for a while",
                extra={"provider": self._name, "model": model, "reason": error.reason},
            )
