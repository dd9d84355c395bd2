"""A step may claim the analysis it asks for; what is to be done then equals what a claim reads."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from heartrule.domain.action_result import ActionMetrics
from heartrule.domain.exits import ExitDecision
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import AnalysisOutcome
from session_store.ports import Store
from session_store.records import MonitorWork, TurnSnapshot
from tests.support.clock import A_MOMENT, ManualClock
from tests.support.store_builders import (
    LONG,
    analysed,
    at_round,
    judged,
    last_step,
    opened,
    said,
    ticket,
    user_input,
)

MINUTE = timedelta(minutes=1)
GOES_ON = ExitDecision(should_exit=False)


async def judged_turn(
    store: Store, key: SessionKey, number: int, *, owner: str = "me", ttl: timedelta = MINUTE
) -> MonitorWork | None:
    """Run a turn that asks for its analysis; return what was claimed with it."""
    sent = user_input(f"m{number}", f"word {number}")
    _, snapshot = await store.accept_and_begin(key, sent, owner="me", ttl=LONG)
    assert isinstance(snapshot, TurnSnapshot)
    words = ActionMetrics(user_engagement=f"as in {number}")
    step = last_step(
        snapshot,
        said(f"question {number + 1}"),
        position=at_round(number + 1),
        result=judged(number, metrics=words, exit_decision=GOES_ON),
        monitor_requested=True,
        traceparent=f"t{number}",
        monitor_owner=owner,
        monitor_ttl=ttl,
    )
    return (await store.commit_step(snapshot.lease, step)).monitor_work


async def test_a_claimed_analysis_holds_what_a_claim_reads(store: Store) -> None:
    """Rounds of one action in a row: trend, replies and dialogue are those of the rows."""
    key, other = await opened(store), await opened(store, "s2")
    for number in range(1, 7):
        work = await judged_turn(store, key, number)
        unclaimed = await judged_turn(store, other, number, owner="")
        asked = ticket(number, "s2")
        read = await store.claim_monitor_request(asked, owner="me", ttl=MINUTE)
        assert unclaimed is None
        assert work is not None
        assert read is not None
        same = replace(read, ticket=work.ticket, turn_id=work.turn_id)
        assert work == same, number


async def test_nobody_else_takes_up_what_a_step_has_claimed(store: Store) -> None:
    """Until the claim runs out; the analysis then ends as any other does."""
    key = await opened(store)
    work = await judged_turn(store, key, 1)
    assert work is not None
    assert await store.claim_monitor_request(ticket(), owner="other", ttl=MINUTE) is None
    assert await store.due_monitor_requests(10) == ()
    ended = analysed(work.ticket, outcome=AnalysisOutcome.NO_ADVICE)
    assert await store.finish_analysis(ended)
    assert await store.due_monitor_requests(10) == ()


async def test_a_claim_that_runs_out_leaves_one_attempt(store: Store) -> None:
    """What a dead process had claimed is taken up once more."""
    key = await opened(store)
    await judged_turn(store, key, 1, ttl=timedelta(0))
    assert await store.due_monitor_requests(10) == (ticket(),)
    again = await store.claim_monitor_request(ticket(), owner="other", ttl=MINUTE)
    assert again is not None
    assert again.attempt == 2


async def test_a_claim_is_prolonged(clocked: Store, clock: ManualClock) -> None:
    """A renewed claim lasts from then on, also one that ran out and was not taken."""
    key = await opened(clocked)
    await judged_turn(clocked, key, 1)
    for _ in range(2):
        clock.move(MINUTE + A_MOMENT)
        assert await clocked.renew_claim(ticket(1), owner="me", ttl=MINUTE)
        assert await clocked.due_monitor_requests(10) == ()


async def test_only_a_claim_that_is_held_is_prolonged(store: Store) -> None:
    """Not another's, and none of work that is done."""
    await judged_turn(store, await opened(store), 1)
    assert not await store.renew_claim(ticket(1), owner="you", ttl=MINUTE)
    await store.finish_analysis(analysed(ticket(1)))
    assert not await store.renew_claim(ticket(1), owner="me", ttl=MINUTE)
