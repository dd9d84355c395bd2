"""Retries and further providers, only while nothing was shown."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from datetime import UTC, datetime, timedelta

import pytest

from heartrule.domain.errors import (
    HeartRuleError,
    ModelRateLimited,
    ModelStreamCut,
    ModelUnavailable,
)
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model import model_failures as failures
from heartrule.model.fallback_model import FallbackChatModel
from heartrule.model.ports import ChatRequest, ModelRestarted
from heartrule.model.providers import RetryLimits
from heartrule.model.timing import Timing

REQUEST = ChatRequest(purpose=Purpose.TALK, messages=(), prompt_type="t", template_hash="")
BROKEN = failures.unavailable(failures.CONNECTION, provider="p")
REJECTED = failures.status_failure(401, {}, provider="p", now=datetime.now(UTC))


def limited(seconds: float | None) -> ModelRateLimited:
    pause = None if seconds is None else timedelta(seconds=seconds)
    return ModelRateLimited("wait", reason=failures.RATE_LIMITED, retry_after=pause)


class FakeAttempts:
    """Each call plays the next script; the last one is repeated."""

    def __init__(self, *scripts: list[str | HeartRuleError]) -> None:
        self.scripts = list(scripts)
        self.calls = 0
        self.closed = False
        self.prepared = False

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncGenerator[str, None]:
        script = self.scripts[min(self.calls, len(self.scripts) - 1)]
        self.calls += 1
        for item in script:
            if isinstance(item, HeartRuleError):
                raise item
            yield item

    async def prepare(self) -> None:
        self.prepared = True

    async def aclose(self) -> None:
        self.closed = True


class Fixture:
    """A fallback model, what it yielded and how long it waited."""

    def __init__(self, *models: FakeAttempts, attempts: int = 3) -> None:
        self.waited: list[float] = []
        timing = Timing(sleep=self._sleep, chance=lambda: 1.0)
        retry = RetryLimits(attempts=attempts, base_delay_s=0.5, max_delay_s=4)
        self.model = FallbackChatModel(models, retry, timing)
        self.got: list[str | ModelRestarted] = []

    async def _sleep(self, seconds: float) -> None:
        self.waited.append(seconds)

    async def run(self, *, visible_after: int = 99) -> list[str | ModelRestarted]:
        stream = self.model.stream(
            REQUEST, calls=[], visible=lambda: len(self.got) >= visible_after
        )
        async for piece in stream:
            self.got.append(piece)
        return self.got


async def test_first_success() -> None:
    """A call that succeeds is made once."""
    first, second = FakeAttempts(["你", "好"]), FakeAttempts(["x"])
    assert await Fixture(first, second).run() == ["你", "好"]
    assert (first.calls, second.calls) == (1, 0)


async def test_retry_with_growing_pauses() -> None:
    """A failure is tried again after growing pauses, at most so often."""
    fixture = Fixture(FakeAttempts([BROKEN]), attempts=5)
    with pytest.raises(ModelUnavailable):
        await fixture.run()
    assert fixture.waited == [0.5, 1.0, 2.0, 4.0]


async def test_restart_is_announced() -> None:
    """Pieces of a call that broke off unseen are taken back before the fresh call's."""
    fixture = Fixture(FakeAttempts(["你", BROKEN], ["早", "安"]))
    assert await fixture.run() == ["你", ModelRestarted(), "早", "安"]


async def test_no_restart_without_pieces() -> None:
    """A call that broke off before its first piece needs no announcement."""
    assert await Fixture(FakeAttempts([BROKEN], ["早"])).run() == ["早"]


async def test_nothing_is_repeated_once_shown() -> None:
    """Once something was shown the failure is final."""
    model = FakeAttempts(["你", BROKEN], ["早"])
    with pytest.raises(ModelUnavailable):
        await Fixture(model).run(visible_after=1)
    assert model.calls == 1


STOPPED = failures.cut(failures.STOPPED_EARLY, provider="p")


async def test_a_model_that_stopped_early_is_not_asked_again() -> None:
    """It would stop again; the next provider may not."""
    first, second = FakeAttempts(["你", STOPPED]), FakeAttempts(["早"])
    assert await Fixture(first, second).run() == ["你", ModelRestarted(), "早"]
    assert first.calls == 1


async def test_a_reply_that_stopped_early_in_sight_is_kept() -> None:
    """No other provider goes on with what the client reads."""
    second = FakeAttempts(["早"])
    with pytest.raises(ModelStreamCut):
        await Fixture(FakeAttempts(["你", STOPPED]), second).run(visible_after=1)
    assert second.calls == 0


async def test_next_provider() -> None:
    """When one provider's attempts are used up, the next is asked without a pause."""
    first, second = FakeAttempts([BROKEN]), FakeAttempts(["早"])
    fixture = Fixture(first, second, attempts=2)
    assert await fixture.run() == ["早"]
    assert (first.calls, fixture.waited) == (2, [0.5])


async def test_rejected_goes_straight_on() -> None:
    """A provider that refuses the request is not asked twice."""
    first, second = FakeAttempts([REJECTED]), FakeAttempts(["早"])
    assert await Fixture(first, second).run() == ["早"]
    assert first.calls == 1


async def test_a_model_left_alone_is_passed_over() -> None:
    """A provider that is not asked for a while is not waited for either."""
    first, second = (
        FakeAttempts([failures.paused(provider="p", wait_s=1)]),
        FakeAttempts(["早"]),
    )
    fixture = Fixture(first, second)
    assert await fixture.run() == ["早"]
    assert (first.calls, fixture.waited) == (1, [])


async def test_asked_pause_is_kept() -> None:
    """A pause that a provider asks for is kept, when it is bearable."""
    fixture = Fixture(FakeAttempts([limited(3)], [limited(None)], ["早"]))
    assert await fixture.run() == ["早"]
    assert fixture.waited == [3.0, 1.0]


async def test_long_pause_is_passed_over() -> None:
    """A provider that asks for a longer pause is passed over; the last error is told."""
    first, second = FakeAttempts([limited(60)]), FakeAttempts([limited(90)])
    fixture = Fixture(first, second)
    with pytest.raises(ModelRateLimited) as caught:
        await fixture.run()
    assert caught.value.retry_after == timedelta(seconds=90)
    assert (first.calls, second.calls, fixture.waited) == (1, 1, [])


async def test_every_provider_is_prepared_and_closed() -> None:
    """Preparing and closing reach every provider, and ask nothing."""
    models = FakeAttempts([]), FakeAttempts([])
    fallback = Fixture(*models).model
    await fallback.prepare()
    await fallback.aclose()
    assert [(m.prepared, m.closed, m.calls) for m in models] == [(True, True, 0)] * 2
