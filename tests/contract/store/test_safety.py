"""The crisis path in the store: state, events, operators' decisions, alerts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from heartrule.domain.errors import NotFound
from heartrule.domain.events import SafetyChanged, SafetyRaised
from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import (
    GUARD_TURNS,
    LEFT,
    AlertState,
    SafetyCount,
    SafetyEvent,
    SafetyLevel,
    SafetySource,
    SafetyState,
)
from session_store.ports import Store
from session_store.records import (
    ForkOrder,
    Page,
    RetryOrder,
    SafetyClosing,
    SafetyFilter,
    SafetyStep,
    TurnSnapshot,
)
from tests.support.store_builders import AT_ONCE, LONG, accept, begun, last_step, opened
from tests.support.store_safety import FROZEN, LONG_AGO, raised

QUIET = replace(FROZEN, level=SafetyLevel.NONE, step="", frozen=False)
ALL = SafetyFilter()


async def turn(store: Store, key: SessionKey, name: str, safety: SafetyStep | None) -> TurnSnapshot:
    """Run a turn of one step that changes this."""
    await accept(store, key, name)
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, safety=safety))
    return snapshot


async def in_crisis(store: Store, **changes: Any) -> SessionKey:
    """Return a session whose first message was a hit."""
    key = await opened(store, **changes)
    await turn(store, key, "m1", raised())
    return key


async def listed(store: Store, wanted: SafetyFilter = ALL) -> list[SafetyEvent]:
    """Return the safety events of the tenant."""
    return (await store.list_safety_events("t", Page(), wanted))[0]


async def levels(store: Store, key: SessionKey) -> list[tuple[SafetyLevel, str]]:
    """Return what watchers were told of the session's level and step."""
    bodies = [each.body for each in await store.read_events(key, 0)]
    return [(each.level, each.step) for each in bodies if isinstance(each, SafetyChanged)]


async def test_a_hit_is_part_of_its_turn(store: Store) -> None:
    """State, event, alert and what watchers are told are there once the step is."""
    key = await in_crisis(store)
    assert await store.get_safety(key) == (await store.get_session(key)).safety == FROZEN
    (event,) = await listed(store)
    assert (event.level, event.client_message_ids) == (SafetyLevel.CRISIS, ("m1",))
    assert (event.alert, event.acknowledge_time) == (AlertState.PENDING, None)
    told = [each.body for each in await store.read_events(key, 0)]
    assert SafetyRaised(category="crisis", rule="zh-crisis-1") in told
    assert await levels(store, key) == [(SafetyLevel.CRISIS, "ask")]


async def test_the_next_turn_begins_with_the_state(store: Store) -> None:
    """A turn is given where its session is; before any hit that is nowhere."""
    key = await opened(store)
    assert (await turn(store, key, "m1", raised())).safety == SafetyState()
    assert (await turn(store, key, "m2", None)).safety == FROZEN


async def test_what_no_client_notices_is_not_told(store: Store) -> None:
    """A count that changes is kept; level and step are told when they change."""
    key = await in_crisis(store)
    quiet = replace(FROZEN, quiet_turns=1)
    await turn(store, key, "m2", raised(state=quiet, raised=False, card=None))
    assert await store.get_safety(key) == quiet
    assert len(await levels(store, key)) == len(await listed(store)) == 1


async def test_a_refused_input_is_recorded_once(store: Store) -> None:
    """Its hit and alert are kept under its id; the session stays as it was."""
    key = await opened(store)
    assert await store.record_refused(key, "m9", raised())
    assert not await store.record_refused(key, "m9", raised())
    (event,) = await listed(store)
    assert (event.refused, event.client_message_ids, event.turn_id) == (True, ("m9",), "")
    assert await store.get_safety(key) == SafetyState()
    assert len(await store.claim_alerts("me", 9, LONG)) == 1


async def test_an_operator_takes_a_session_off_the_path(store: Store) -> None:
    """Watchers are told, the decision is listed with who made it, the guard reads on."""
    key = await in_crisis(store)
    state, events = await store.close_safety(key, SafetyClosing(operator="ann", note="called"))
    assert (state.level, state.frozen, state.guard_until_turn) == (0, False, 1 + GUARD_TURNS)
    assert [each.body for each in events] == [
        SafetyChanged(level=SafetyLevel.NONE, step=LEFT, source=SafetySource.OPERATOR)
    ]
    decided = (await listed(store))[0]
    assert (decided.source, decided.acknowledged_by, decided.note) == ("operator", "ann", "called")
    assert await store.close_safety(key, SafetyClosing(operator="bob")) == (state, ())


async def test_alerts_are_listed_apart(store: Store) -> None:
    """What asked for no alert is left out where only alerts are wanted."""
    key = await in_crisis(store)
    await turn(store, key, "m2", raised(SafetyLevel.CONCERN, alert=False))
    assert len(await listed(store)) == 2
    (alert,) = await listed(store, SafetyFilter(alerts=True))
    assert alert.level is SafetyLevel.CRISIS


async def test_the_first_acknowledgement_stays(store: Store) -> None:
    """An event leaves the list of those nobody has seen; who saw it first is kept."""
    await in_crisis(store)
    (event,) = await listed(store, SafetyFilter(unacknowledged=True))
    name = event.safety_event_id
    seen = await store.acknowledge_safety("t", name, operator="ann", note="")
    assert await store.acknowledge_safety("t", name, operator="bob", note="late") == seen
    assert seen.acknowledged_by == "ann"
    assert await listed(store, SafetyFilter(unacknowledged=True)) == []
    with pytest.raises(NotFound):
        await store.acknowledge_safety("t", "nobody", operator="ann", note="")


async def test_a_retry_is_no_way_off_the_path(store: Store) -> None:
    """The turn that raised the level is taken back, the level is not."""
    key = await in_crisis(store)
    await store.retry_turn(RetryOrder(key=key, text="never mind"))
    assert await store.get_safety(key) == FROZEN
    assert await levels(store, key) == [(SafetyLevel.CRISIS, "ask")] * 2
    assert len(await listed(store)) == 1


async def test_a_retry_puts_a_lower_level_back(store: Store) -> None:
    """Answers that led off the path and are taken back leave the session on it."""
    key = await in_crisis(store)
    await turn(store, key, "m2", raised(state=QUIET, raised=False, card=None))
    await store.retry_turn(RetryOrder(key=key))
    assert await store.get_safety(key) == FROZEN
    assert (await levels(store, key))[-2:] == [(SafetyLevel.NONE, ""), (SafetyLevel.CRISIS, "ask")]


async def test_an_operators_decision_outlives_a_retry(store: Store) -> None:
    """What was decided after the turn holds, whatever is taken back."""
    key = await in_crisis(store)
    closed, _ = await store.close_safety(key, SafetyClosing(operator="ann"))
    await store.retry_turn(RetryOrder(key=key))
    assert await store.get_safety(key) == closed


async def test_a_fork_is_no_way_off_the_path(store: Store) -> None:
    """Forked before the hit, a session has the level of its source, at the first step of it."""
    key = await in_crisis(store)
    opening = (await store.get_session(key)).opening_turn_id
    before = ForkOrder(source=key, session_id="f1", from_turn_id=opening)
    fork = (await store.fork_session(before)).session
    assert fork.safety == await store.get_safety(fork.key) == replace(FROZEN, step="")
    assert await levels(store, fork.key) == [(SafetyLevel.CRISIS, "")]
    assert fork.last_sequence == len(await store.read_events(fork.key, 0))
    again = await store.fork_session(replace(before, source=fork.key, session_id="f2"))
    assert again.session.safety == fork.safety
    assert len(await listed(store)) == 1


async def test_a_fork_of_a_session_that_left_the_path(store: Store) -> None:
    """What its last turn left counts where that is higher: a fork from the crisis is in it."""
    key = await opened(store)
    hit = await turn(store, key, "m1", raised())
    await turn(store, key, "m2", raised(state=QUIET, raised=False, card=None))
    order = ForkOrder(source=key, session_id="f1", from_turn_id=hit.turn_id)
    assert (await store.fork_session(order)).session.safety == FROZEN


async def test_a_fork_stands_where_its_last_turn_left_the_path(store: Store) -> None:
    """From the hit on it is at its level, and so is a fork of it."""
    key = await in_crisis(store)
    await turn(store, key, "m2", None)
    after = (await store.fork_session(ForkOrder(source=key, session_id="f2"))).session
    assert after.safety == FROZEN
    again = (await store.fork_session(ForkOrder(source=after.key, session_id="f3"))).session
    assert again.safety == FROZEN
    assert await levels(store, again.key) == [(SafetyLevel.CRISIS, "ask")]
    assert len(await listed(store)) == 1


async def test_a_fork_after_a_retry_keeps_the_level(store: Store) -> None:
    """The restated level is copied although its first event was of the turn that is gone."""
    key = await in_crisis(store)
    await store.retry_turn(RetryOrder(key=key, text="never mind"))
    again = await begun(store, key)
    await store.commit_step(again.lease, last_step(again))
    fork = (await store.fork_session(ForkOrder(source=key, session_id="f1"))).session
    assert fork.safety == FROZEN
    assert await levels(store, fork.key) == [(SafetyLevel.CRISIS, "ask")]


async def test_nobody_in_danger_is_sent_away_by_a_clock(store: Store) -> None:
    """A session whose position is frozen is not idle."""
    key = await in_crisis(store)
    assert await store.find_idle(AT_ONCE, 9) == ()
    assert await store.end_idle(key, AT_ONCE) == ()
    await store.close_safety(key, SafetyClosing(operator="ann"))
    assert await store.find_idle(AT_ONCE, 9) == (key,)


async def test_an_alert_is_claimed_by_one(store: Store) -> None:
    """A claim holds for its time; a failed delivery is counted and tried again."""
    await in_crisis(store)
    (alert,) = await store.claim_alerts("a", 9, LONG)
    assert await store.claim_alerts("b", 9, LONG) == ()
    name = alert.event.safety_event_id
    await store.alert_failed(alert.key, name, reason="STATUS_500", pause=AT_ONCE)
    (again,) = await store.claim_alerts("b", 9, LONG)
    assert (again.event, again.failures) == (alert.event, 1)


async def test_a_delivered_alert_is_never_claimed_again(store: Store) -> None:
    """Nor by a failure that comes late."""
    await in_crisis(store)
    (alert,) = await store.claim_alerts("a", 9, AT_ONCE)
    name = alert.event.safety_event_id
    await store.alert_delivered(alert.key, name)
    await store.alert_failed(alert.key, name, reason="LATE", pause=AT_ONCE)
    assert await store.claim_alerts("a", 9, LONG) == ()
    assert [each.alert for each in await listed(store)] == [AlertState.DELIVERED]


async def test_a_report_counts_without_content(store: Store) -> None:
    """By month, level, source and language; refused inputs are counted apart as well."""
    key = await in_crisis(store)
    await store.record_refused(key, "m9", raised())
    (event, _) = await listed(store)
    assert event.create_time is not None
    count = SafetyCount(
        month=f"{event.create_time:%Y-%m}",
        level=SafetyLevel.CRISIS,
        source=SafetySource.RULE,
        language="zh",
        count=2,
        refused=1,
    )
    assert await store.safety_report("t", LONG_AGO) == (count,)
    later = event.create_time + timedelta(days=40)
    assert await store.safety_report("t", later) == await store.safety_report("x", LONG_AGO) == ()


async def test_erasure_leaves_no_safety_event(store: Store) -> None:
    """Neither events nor alerts of an erased session are found."""
    key = await in_crisis(store)
    await store.delete_session(key)
    assert await listed(store) == []
    assert await store.claim_alerts("a", 9, LONG) == ()
    with pytest.raises(NotFound):
        await store.get_safety(key)


async def test_safety_events_come_in_pages(store: Store) -> None:
    """Newest first, of one session or of all."""
    key = await opened(store)
    for number in range(3):
        await store.record_refused(key, f"m{number}", raised())
    other = await opened(store, "s2")
    await store.record_refused(other, "m0", raised())
    first, token = await store.list_safety_events("t", Page(size=3), ALL)
    rest, _ = await store.list_safety_events("t", Page(size=3, token=token), ALL)
    names = [(each.session_id, each.client_message_ids[0]) for each in (*first, *rest)]
    assert names == [("s2", "m0"), ("s1", "m2"), ("s1", "m1"), ("s1", "m0")]
    assert len(await listed(store, SafetyFilter(session_id="s1"))) == 3
