"""A model that keeps failing is left alone, then tried once, then asked again."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta

import pytest

from heartrule.domain.errors import HeartRuleError, ModelRateLimited, ModelUnavailable
from heartrule.model import model_failures as failures
from heartrule.model.breaker import Breakers
from heartrule.model.providers import BreakerLimits

BROKEN = failures.unavailable(failures.STREAM_CUT, provider="p")
REJECTED = failures.status_failure(401, {}, provider="p", now=datetime.now(UTC))
LIMITED = ModelRateLimited("wait", reason=failures.RATE_LIMITED, retry_after=timedelta(seconds=60))


class Fixture:
    """A call behind breakers on a manual clock."""

    def __init__(self) -> None:
        self.now = 100.0
        self.fails: HeartRuleError | None = BROKEN
        self.asked = 0
        self.breakers = Breakers("p", BreakerLimits(failures=5, pause_s=5), clock=lambda: self.now)

    async def call(self, model: str = "big") -> AsyncGenerator[str, None]:
        with self.breakers.guard(model):
            self.asked += 1
            yield "你"
            if self.fails is not None:
                raise self.fails

    async def ask(self, model: str = "big") -> str:
        """Return what came of it: the text, or the reason there is none."""
        try:
            return "".join([piece async for piece in self.call(model)])
        except HeartRuleError as error:
            return error.reason

    async def opened(self) -> Fixture:
        for _ in range(5):
            await self.ask()
        return self


async def test_after_five_failures_nobody_asks() -> None:
    """The sixth call is refused unasked, and says when to come again."""
    fixture = await Fixture().opened()
    with pytest.raises(ModelUnavailable) as caught:
        await anext(fixture.call())
    assert (caught.value.reason, fixture.asked) == (failures.PAUSED, 5)
    assert caught.value.retry_after == timedelta(seconds=5)


async def test_a_success_ends_the_row() -> None:
    """Only failures in a row count."""
    fixture = Fixture()
    for number in range(12):
        fixture.fails = None if number % 4 == 3 else BROKEN
        await fixture.ask()
    assert fixture.asked == 12


async def test_one_call_tries_after_the_pause() -> None:
    """While it tries the others are refused; where it succeeds all are asked again."""
    fixture = await Fixture().opened()
    fixture.now += 5
    fixture.fails = None
    trial = fixture.call()
    await anext(trial)
    assert await fixture.ask() == failures.PAUSED
    assert [piece async for piece in trial] == []
    assert await fixture.ask() == "你"


async def test_a_failed_trial_begins_the_pause_again() -> None:
    """One call in each pause, no more."""
    fixture = await Fixture().opened()
    fixture.now += 5
    assert [await fixture.ask() for _ in range(3)] == [failures.STREAM_CUT] + [failures.PAUSED] * 2


async def test_a_trial_that_was_given_up_lets_the_next_one_try() -> None:
    """A client that goes away says nothing about the model."""
    fixture = await Fixture().opened()
    fixture.now += 5
    fixture.fails = None
    trial = fixture.call()
    await anext(trial)
    await trial.aclose()
    assert await fixture.ask() == "你"


async def test_a_longer_pause_that_was_asked_for_counts() -> None:
    """A provider that says when to come again is believed."""
    fixture = Fixture()
    fixture.fails = LIMITED
    await fixture.opened()
    fixture.now += 59
    assert await fixture.ask() == failures.PAUSED
    fixture.now += 1
    assert await fixture.ask() == failures.RATE_LIMITED


async def test_a_model_that_refuses_is_well() -> None:
    """A wrong request says nothing about the model's health."""
    fixture = Fixture()
    fixture.fails = REJECTED
    for _ in range(9):
        await fixture.ask()
    assert fixture.asked == 9


async def test_models_are_judged_one_by_one() -> None:
    """The monitor's model may fail, and the one that talks is called all the same."""
    fixture = Fixture()
    for _ in range(6):
        await fixture.ask("small")
    fixture.fails = None
    assert await fixture.ask("small") == failures.PAUSED
    assert await fixture.ask("big") == "你"
