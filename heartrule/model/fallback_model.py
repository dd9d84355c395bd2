"""When a model call is made again, and by whom: the one place that decides it.

A call is repeated only while nothing of it was shown to the client. A stream that broke off before
that is replaced by a fresh one, and `ModelRestarted` makes the reader drop its pieces.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Protocol

from heartrule.domain.errors import ModelRateLimited, ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model import model_failures as failures
from heartrule.model.ports import ChatRequest, ModelRestarted
from heartrule.model.providers import RetryLimits
from heartrule.model.timing import Timing

# After these a repeat at the same provider would fail in the same way.
_FINAL = frozenset({
    failures.REJECTED, failures.PAUSED, failures.CONTEXT_EXCEEDED, failures.STOPPED_EARLY,
})  # fmt: skip


class SingleAttempt(Protocol):
    """A chat model that tries once and then raises."""

    def stream(
        self,
        request: ChatRequest,
        *,
        calls: list[LLMDebugInfo],
        visible: Callable[[], bool],
    ) -> AsyncGenerator[str, None]:
        """Yield the pieces of one attempt; see `ChatModel.stream`."""
        ...

    async def prepare(self) -> None:
        """Load what makes a first call slow."""
        ...

    async def aclose(self) -> None:
        """Free the connections."""
        ...


class FallbackChatModel:
    """Several providers as one `ChatModel`: retries each, then asks the next."""

    def __init__(self, models: Sequence[SingleAttempt], retry: RetryLimits, timing: Timing) -> None:
        """`models` are asked in this order; there is at least one."""
        self._models = tuple(models)
        self._retry = retry
        self._timing = timing

    async def stream(
        self,
        request: ChatRequest,
        *,
        calls: list[LLMDebugInfo],
        visible: Callable[[], bool],
    ) -> AsyncGenerator[str | ModelRestarted, None]:
        """Yield the reply of the first attempt that gives one; see `ChatModel.stream`."""
        failure: ModelUnavailable | ModelRateLimited = ModelUnavailable(
            "no model provider is configured", reason=failures.REJECTED
        )
        lasting: ModelUnavailable | ModelRateLimited | None = None
        stale = False
        for model in self._models:
            for number in range(self._retry.attempts):
                if number:
                    await self._timing.sleep(self._backoff_s(number, failure))
                if stale:
                    yield ModelRestarted()
                    stale = False
                attempt = model.stream(request, calls=calls, visible=visible)
                try:
                    async with aclosing(attempt) as pieces:
                        async for piece in pieces:
                            stale = True
                            yield piece
                        return
                except (ModelUnavailable, ModelRateLimited) as error:
                    if visible():
                        raise
                    failure = error
                if failure.reason in _FINAL or _asked_s(failure) > self._retry.max_delay_s:
                    break
            # Where one provider may take the prompt later, a repeat is not in vain.
            lasting = failure if failure.retryable or lasting is None else lasting
        raise lasting or failure

    async def prepare(self) -> None:
        """Load what makes a first call slow (1 s of imports), without a call."""
        for model in self._models:
            await model.prepare()

    async def aclose(self) -> None:
        """Free the connections of every provider."""
        for model in self._models:
            await model.aclose()

    def _backoff_s(self, number: int, failure: ModelUnavailable | ModelRateLimited) -> float:
        """Return the seconds before attempt `number`, counted from 0, at the same provider."""
        doubled = self._retry.base_delay_s * 2.0 ** (number - 1)
        spread = min(doubled, self._retry.max_delay_s) * (0.5 + self._timing.chance() / 2)
        return max(_asked_s(failure), spread)


def _asked_s(failure: ModelUnavailable | ModelRateLimited) -> float:
    """Return the seconds that the provider asked to wait."""
    return failure.retry_after.total_seconds() if failure.retry_after else 0.0
