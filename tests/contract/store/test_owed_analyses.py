"""An analysis that failed stays owed until it has an answer or can serve nothing any more."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from heartrule.domain.exits import ExitReason
from heartrule.domain.monitoring import AnalysisOutcome
from session_store.ports import Store
from session_store.records import AnalysisRecord, InstanceState, Page
from tests.support.clock import ManualClock
from tests.support.store_builders import (
    AT_ONCE,
    analysed,
    at_round,
    call,
    claimed,
    instance,
    judged,
    judged_turn,
    opened,
    ticket,
)


async def test_a_failed_attempt_stays_owed(clocked: Store, clock: ManualClock) -> None:
    """It has no event, keeps its calls, and is due again after the pause it asks for."""
    key = await opened(clocked)
    await judged_turn(clocked, key)
    await claimed(clocked)
    record = owed(timedelta(seconds=20), calls=(call("c1"),))
    assert await clocked.finish_analysis(record) == ()
    clock.move(timedelta(seconds=19))
    assert await clocked.due_monitor_requests(10) == ()
    clock.move(timedelta(seconds=2))
    assert await clocked.due_monitor_requests(10) == (ticket(),)
    assert [each.call_id for each in (await clocked.list_calls(key, Page()))[0]] == ["c1"]
    assert (await claimed(clocked)).attempt == 2


async def test_failures_in_any_number_leave_it_owed(store: Store) -> None:
    """Only claims that die without a result are counted against it."""
    await judged_turn(store, await opened(store))
    attempts = []
    for _ in range(5):
        attempts.append((await claimed(store)).attempt)
        assert await store.finish_analysis(owed(AT_ONCE)) == ()
    assert attempts == [1, 2, 3, 4, 5]
    assert await store.due_monitor_requests(10) == (ticket(),)


async def test_a_turn_does_not_wait_for_an_analysis_that_pauses(store: Store) -> None:
    """While it pauses no advice is to be expected; claimed again, one is."""
    await judged_turn(store, await opened(store))
    await claimed(store)
    await store.finish_analysis(owed(AT_ONCE))
    assert not (await store.look_for_advice(ticket())).open
    await claimed(store)
    assert (await store.look_for_advice(ticket())).open


@pytest.mark.parametrize(
    ("exit_reason", "topic", "usable"),
    [
        (None, "t1", False),
        (ExitReason.EXIT_CRITERIA_MET, "t1", False),
        (ExitReason.USER_BLOCKED, "t1", True),
        (ExitReason.USER_BLOCKED, "t2", False),
    ],
)
async def test_a_repeat_is_usable_while_a_plan_edit_may_come_of_it(
    store: Store, exit_reason: ExitReason | None, topic: str, *, usable: bool
) -> None:
    """After the action's end only what C13 names is asked for again; the first attempt always."""
    key = await opened(store)
    result = judged(1, completed=True, exit_reason=exit_reason)
    gone = at_round(0, topic_id=topic, action_instance_id="ai_9", max_rounds=1)
    over = instance(state=InstanceState.COMPLETED)
    await judged_turn(store, key, result=result, position=gone, instances=(over,))
    assert (await claimed(store)).usable
    await store.finish_analysis(owed(AT_ONCE))
    assert (await claimed(store)).usable is usable


async def test_an_action_that_goes_on_can_use_a_repeat(store: Store) -> None:
    """Its advice may still be injected."""
    await judged_turn(store, await opened(store), instances=(instance(),))
    await claimed(store)
    await store.finish_analysis(owed(AT_ONCE))
    assert (await claimed(store)).usable


def owed(pause: timedelta, **changes: Any) -> AnalysisRecord:
    """Return the record of an attempt that failed and may be repeated."""
    return analysed(ticket(), outcome=AnalysisOutcome.FAILED, retry_after=pause, **changes)
