"""The life of an advice (RESOLUTIONS C10 to C12)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from heartrule.domain.events import AdviceChanged, AnalysisEnded, TurnStarted
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import (
    Advice,
    AdviceState,
    InterventionLevel,
    MonitorAnalysis,
    StrategySuggestion,
)
from session_store.ports import Store
from session_store.records import InstanceState
from tests.support.store_builders import (
    AT_ONCE,
    accept,
    advice,
    advised,
    analysed,
    at_round,
    begun,
    claimed,
    ended,
    failure,
    instance,
    judged_turn,
    last_step,
    opened,
    step,
    ticket,
)
from tests.support.told import advice_changes, kinds

PENDING, CONSUMED = AdviceState.PENDING, AdviceState.CONSUMED
EXPIRED, SUPERSEDED = AdviceState.EXPIRED, AdviceState.SUPERSEDED


async def next_advice(store: Store, key: SessionKey) -> Advice | None:
    """Begin a turn, end it at once, and return the advice it was given."""
    sequence = (await store.get_session(key)).last_sequence
    await accept(store, key, f"m{sequence}")
    snapshot = await begun(store, key)
    await ended(store, snapshot)
    return snapshot.advice


async def test_an_advice_waits_for_the_next_turn(store: Store) -> None:
    """A new advice is told as pending, and the next turn of its action is given it whole."""
    key = await opened(store)
    await judged_turn(store, key)
    await claimed(store)
    given = advice(
        analysis=MonitorAnalysis(
            intervention_needed=True,
            intervention_reason="回避",
            intervention_level=InterventionLevel.ACTION_FEEDBACK,
            strategy_suggestion=StrategySuggestion.COMFORT,
            suggested_orchestration={"a": [1, None]},
            metadata={"warnings": ["w"]},
        ),
        traceparent="00-analysis",
    )
    events = await store.finish_analysis(analysed(ticket(), given))
    assert kinds(events) == [AdviceChanged, AnalysisEnded]
    assert advice_changes(events) == [("adv_1", PENDING)]
    taken = await next_advice(store, key)
    assert taken is not None
    assert (replace(taken, made_at=None), taken.made_at is not None) == (given, True)


async def test_an_advice_keeps_the_time_it_was_made(store: Store) -> None:
    """The store stamps only an advice that does not say when it was made."""
    key = await opened(store)
    await judged_turn(store, key)
    made = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    await advised(store, made_at=made)
    taken = await next_advice(store, key)
    assert taken is not None
    assert taken.made_at == made


async def test_an_advice_is_taken_only_about_an_earlier_round(store: Store) -> None:
    """An advice about the round that the client answers now does not serve its own answer."""
    key = await opened(store)
    await judged_turn(store, key, position=at_round(1))
    await advised(store)
    assert await next_advice(store, key) is None


async def test_an_ai_say_takes_the_advice_about_the_utterance_that_is_answered(
    store: Store,
) -> None:
    """Its next round is the utterance after the client's reply."""
    key = await opened(store)
    speaking = (instance(action_type="ai_say"),)
    await judged_turn(store, key, position=at_round(1), instances=speaking)
    await advised(store)
    assert await next_advice(store, key) is not None


async def test_an_advice_is_taken_only_by_its_own_action(store: Store) -> None:
    """Where the session stands in another action, the advice is not given."""
    key = await opened(store)
    elsewhere = at_round(2, action_instance_id="ai_2")
    await judged_turn(store, key, position=elsewhere)
    await advised(store)
    assert await next_advice(store, key) is None


async def test_a_consumed_advice_is_consumed_once(store: Store) -> None:
    """The step whose prompt held the advice consumes it; later turns do not get it."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    done = last_step(snapshot, advice_consumed="adv_1", position=at_round(3))
    events = (await store.commit_step(snapshot.lease, done)).events
    assert advice_changes(events) == [("adv_1", CONSUMED)]
    assert await next_advice(store, key) is None


async def test_a_consumed_advice_does_not_age(store: Store) -> None:
    """A consumed advice is told of no more, however many turns follow."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    await judged_turn(store, key, 2, advice_consumed="adv_1")
    told = []
    for _ in range(3):
        sequence = (await store.get_session(key)).last_sequence
        await next_advice(store, key)
        told += advice_changes(await store.read_events(key, sequence))
    assert told == []


async def test_an_advice_that_no_step_consumed_stays(store: Store) -> None:
    """A failed and a lost attempt leave the advice for the next."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    await accept(store, key)
    first = await begun(store, key)
    await store.fail_turn(first.lease, failure(first))
    await accept(store, key)
    second = await begun(store, key, ttl=AT_ONCE)
    third = await begun(store, key)
    ids = [each.advice.advice_id for each in (first, second, third) if each.advice]
    assert ids == ["adv_1"] * 3


@pytest.mark.parametrize("advice_id", ["adv_1", "adv_none"])
async def test_only_an_unused_advice_can_be_consumed(store: Store, advice_id: str) -> None:
    """A step that names an advice consumed before, or none that exists, tells of no advice."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    await judged_turn(store, key, 2, advice_consumed="adv_1")
    await accept(store, key)
    snapshot = await begun(store, key)
    done = last_step(snapshot, advice_consumed=advice_id)
    assert advice_changes((await store.commit_step(snapshot.lease, done)).events) == []


async def test_an_advice_superseded_while_it_was_used_is_consumed(store: Store) -> None:
    """The prompt held it, so it is consumed, whatever became of it meanwhile."""
    key = await opened(store)
    await judged_turn(store, key)
    await judged_turn(store, key, 2)
    await advised(store, 1)
    await accept(store, key)
    snapshot = await begun(store, key)
    await advised(store, 2)
    done = last_step(snapshot, advice_consumed="adv_1")
    events = (await store.commit_step(snapshot.lease, done)).events
    assert advice_changes(events) == [("adv_1", CONSUMED)]


async def test_a_newer_advice_supersedes_the_older(store: Store) -> None:
    """Of two pending ones the advice about the higher round stays, and names the other."""
    key = await opened(store)
    await judged_turn(store, key)
    await judged_turn(store, key, 2)
    await advised(store, 1)
    events = await advised(store, 2)
    assert advice_changes(events) == [("adv_1", SUPERSEDED), ("adv_2", PENDING)]
    body = events[1].body
    assert isinstance(body, AdviceChanged)
    assert body.advice.supersedes == "adv_1"
    taken = await next_advice(store, key)
    assert taken == body.advice


@pytest.mark.parametrize("used", [False, True])
async def test_an_advice_that_comes_behind_a_newer_is_superseded(
    store: Store, *, used: bool
) -> None:
    """The highest round wins, though the newer advice was given first, or even used."""
    key = await opened(store)
    await judged_turn(store, key)
    await judged_turn(store, key, 2)
    await advised(store, 2)
    if used:
        await accept(store, key)
        snapshot = await begun(store, key)
        await store.commit_step(snapshot.lease, last_step(snapshot, advice_consumed="adv_2"))
    assert advice_changes(await advised(store, 1)) == [("adv_1", SUPERSEDED)]
    taken = await next_advice(store, key)
    assert (taken.advice_id if taken else None) == (None if used else "adv_2")


async def test_advice_of_two_actions_lives_side_by_side(store: Store) -> None:
    """An advice supersedes only those of its own action instance."""
    key = await opened(store)
    await judged_turn(store, key)
    await judged_turn(store, key, 2)
    await advised(store, 1, action_instance_id="ai_2")
    assert advice_changes(await advised(store, 2)) == [("adv_2", PENDING)]
    await accept(store, key)
    snapshot = await begun(store, key)
    assert advice_changes((await ended(store, snapshot)).events) == []


@pytest.mark.parametrize("state", [InstanceState.COMPLETED, InstanceState.SKIPPED])
async def test_an_advice_expires_with_its_action(store: Store, state: InstanceState) -> None:
    """When its action instance ends, a pending advice expires in the same step."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    over = step(snapshot, instances=(instance(state=state),))
    events = (await store.commit_step(snapshot.lease, over)).events
    assert advice_changes(events) == [("adv_1", EXPIRED)]


async def test_a_consumed_advice_does_not_expire(store: Store) -> None:
    """A step that consumes an advice and ends the action leaves it consumed."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    over = instance(state=InstanceState.COMPLETED)
    done = last_step(snapshot, advice_consumed="adv_1", instances=(over,))
    events = (await store.commit_step(snapshot.lease, done)).events
    assert advice_changes(events) == [("adv_1", CONSUMED)]


async def test_an_advice_for_an_ended_action_is_stored_expired(store: Store) -> None:
    """An analysis that comes after its action's end gives an advice that nobody will use."""
    key = await opened(store)
    await judged_turn(store, key, instances=(instance(state=InstanceState.COMPLETED),))
    events = await advised(store)
    assert advice_changes(events) == [("adv_1", EXPIRED)]
    assert await next_advice(store, key) is None


async def test_an_advice_outlives_two_turns(store: Store) -> None:
    """An unused advice is given to the two turns after the judged one, then it expires."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    assert await next_advice(store, key) is not None
    assert await next_advice(store, key) is not None
    await accept(store, key)
    third = await begun(store, key)
    assert third.advice is None
    assert kinds(third.events) == [AdviceChanged, TurnStarted]
    assert advice_changes(third.events) == [("adv_1", EXPIRED)]
    assert third.events[0].turn_id == third.turn_id


async def test_an_advice_may_live_longer(store: Store) -> None:
    """An advice names its own number of turns."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store, ttl_turns=3)
    given = [await next_advice(store, key) for _ in range(4)]
    assert [each is not None for each in given] == [True, True, True, False]
