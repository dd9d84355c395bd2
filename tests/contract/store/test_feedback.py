"""What the monitor made of rounds, with the advice as it stands now (document 000)."""

from __future__ import annotations

from datetime import timedelta

from heartrule.domain.monitoring import (
    AdviceState,
    AnalysisOutcome,
    MonitorAnalysis,
    MonitorFeedbackEntry,
    PlanningState,
)
from session_store.ports import Store
from session_store.records import ForkOrder, InstanceState, Page, RetryOrder
from tests.support.store_builders import (
    INSTANCE,
    accept,
    advice,
    advised,
    analysed,
    at_round,
    begun,
    claimed,
    ended,
    instance,
    judged,
    judged_turn,
    last_step,
    opened,
    ticket,
)

FAILED, SKIPPED = AnalysisOutcome.FAILED, AnalysisOutcome.SKIPPED


async def entries(store: Store, session_id: str = "s1") -> list[MonitorFeedbackEntry]:
    """Return all of them."""
    found, _ = await store.list_feedback(ticket(1, session_id).key, Page())
    return found


async def test_it_holds_the_analysis_and_how_it_ended(store: Store) -> None:
    """Each names its round and turn; one that failed or was skipped says why."""
    key = await opened(store)
    turns = [(await judged_turn(store, key, number)).turn_id for number in (1, 2, 3)]
    said = MonitorAnalysis(feedback_for_action="慢一点", suggested_orchestration={"action": "skip"})
    await store.finish_analysis(analysed(ticket(1), advice("adv_1"), analysis=said))
    for number, outcome in ((2, FAILED), (3, SKIPPED)):
        record = analysed(ticket(number), analysis=None, outcome=outcome, reason=f"R{number}")
        await store.finish_analysis(record)
    found = await entries(store)
    told = [(each.round, each.judged_turn_id, each.result, each.reason) for each in found]
    outcomes = (AnalysisOutcome.ADVICE, FAILED, SKIPPED)
    assert told == list(zip((1, 2, 3), turns, outcomes, ("", "R2", "R3"), strict=True))
    assert [each.analysis for each in found] == [said, None, None]
    assert {(each.action_id, each.action_instance_id, each.action_type) for each in found} == {
        ("a1", INSTANCE, "ai_ask")
    }
    assert all(each.timestamp for each in found)


async def test_the_advice_is_told_as_it_stands_now(store: Store) -> None:
    """Made, then used; superseded by that on a later round; expired with its action."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    await judged_turn(store, key, 2)
    await advised(store, 1)
    await advised(store, 2)
    assert await states(store) == [AdviceState.SUPERSEDED, AdviceState.PENDING]
    await accept(store, key, "m3")
    snapshot = await begun(store, key)
    used = last_step(snapshot, position=at_round(4), advice_consumed="adv_2")
    await store.commit_step(snapshot.lease, used)
    await judged_turn(store, key, 4)
    await advised(store, 4)
    await accept(store, key, "m5")
    snapshot = await begun(store, key)
    over = instance(state=InstanceState.COMPLETED)
    await store.commit_step(snapshot.lease, last_step(snapshot, instances=(over,)))
    assert await states(store) == [
        AdviceState.SUPERSEDED,
        AdviceState.CONSUMED,
        AdviceState.EXPIRED,
    ]


async def states(store: Store) -> list[AdviceState]:
    """Return the state of every advice that was given."""
    return [each.advice.state for each in await entries(store) if each.advice is not None]


async def test_it_comes_in_pages(store: Store) -> None:
    """In the order in which the analyses ended, whatever the order of their rounds."""
    key = await opened(store)
    for number in (1, 2, 3):
        await judged_turn(store, key, number)
    for number in (3, 1, 2):
        await store.finish_analysis(analysed(ticket(number)))
    first, token = await store.list_feedback(key, Page(size=2))
    rest, end = await store.list_feedback(key, Page(size=2, token=token))
    assert ([each.round for each in (*first, *rest)], end) == ([3, 1, 2], "")


async def test_what_is_not_analysed_yet_is_not_told(store: Store) -> None:
    """A failure that is tried again has not ended either."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    await claimed(store)
    await store.finish_analysis(analysed(ticket(1), outcome=FAILED, retry_after=timedelta(0)))
    assert await entries(store) == []


async def test_a_turn_that_was_taken_back_takes_its_analysis_along(store: Store) -> None:
    """The same round judged again has its own."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    await advised(store, 1)
    await store.retry_turn(RetryOrder(key=key))
    assert await entries(store) == []
    snapshot = await begun(store, key)
    done = last_step(snapshot, position=at_round(2), result=judged(1), monitor_requested=True)
    await store.commit_step(snapshot.lease, done)
    await store.finish_analysis(analysed(ticket(1)))
    assert [each.judged_turn_id for each in await entries(store)] == [snapshot.turn_id]


async def test_a_fork_has_what_was_known_at_its_turn(store: Store) -> None:
    """With the advice as it was; a plan that is owed stays owed to the first session alone."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    owed = analysed(ticket(1), advice("adv_1"), plan_owed=True)
    await store.finish_analysis(owed)
    await accept(store, key, "m2")
    last = await begun(store, key)
    await ended(store, last)
    await store.fork_session(ForkOrder(source=key, session_id="s9"))
    (own,) = await entries(store, "s9")
    assert own.advice is not None
    assert (own.advice.session_id, own.advice.state) == ("s9", AdviceState.PENDING)
    assert (own.planning, own.planning_reason) == (PlanningState.DROPPED, "SESSION_FORKED")
    (first,) = await entries(store)
    assert first.planning is PlanningState.OWED
