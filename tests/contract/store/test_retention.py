"""What is deleted by age, and what is not (docs/operations/database.md)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from heartrule.domain.errors import NotFound, NotReady
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    InputAccepted,
    Outcome,
    TurnEnded,
    TurnStarted,
)
from heartrule.domain.keys import SessionKey
from session_store.past import Pruned
from session_store.ports import Store
from session_store.records import ForkOrder, Page, RetryOrder
from session_store.sql import retention
from session_store.sql.store import SqlStore
from tests.support.clock import ManualClock
from tests.support.session_rows import rows_by_session
from tests.support.store_builders import (
    accept,
    advised,
    begun,
    judged_turn,
    last_step,
    opened,
    said,
)
from tests.support.store_safety import raised

AT_ONCE = timedelta(0)
LATER = timedelta(days=1)


async def over(store: Store, session_id: str = "s1") -> SessionKey:
    """Return a session that has ended; of its two judged rounds the monitor answered one."""
    key = await opened(store, session_id)
    await judged_turn(store, key)
    await judged_turn(store, key, 2)
    await advised(store, 2)
    await accept(store, key, "m2")
    snapshot = await begun(store, key)
    last = last_step(snapshot, said("bye"), outcome=Outcome.SESSION_COMPLETED)
    await store.commit_step(snapshot.lease, last)
    return key


async def test_events_of_an_ended_session_go_and_its_messages_stay(store: Store) -> None:
    """A reader from the beginning finds nothing; the conversation can be read as before."""
    key = await over(store)
    before = await store.list_messages(key, Page())
    assert await store.delete_events(AT_ONCE) == 1
    assert (await store.read_events(key, 0), await store.list_messages(key, Page())) == ((), before)


async def test_observations_go_and_other_events_stay(store: Store) -> None:
    """Metrics, exits and analyses are deleted apart, and a fork of the session still works."""
    key = await over(store)
    before = await store.read_events(key, 0)
    await store.delete_observations(AT_ONCE)
    observed = (ActionResultRecorded, AdviceChanged, AnalysisEnded)
    kept = tuple(e for e in before if not isinstance(e.body, observed))
    assert await store.read_events(key, 0) == kept != before
    fork = await store.fork_session(ForkOrder(source=key, session_id="s2"))
    assert fork.session.key == SessionKey("t", "s2")


async def test_a_turn_whose_first_event_went_is_forked(store: Store) -> None:
    """A turn may begin with advice that is too old by then, which is an observation as well."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    turns = []
    for name in ("m2", "m3", "m4"):
        await accept(store, key, name)
        turns.append(await begun(store, key))
        await store.commit_step(turns[-1].lease, last_step(turns[-1]))
    assert await store.end_idle(key, AT_ONCE)
    assert await store.delete_observations(AT_ONCE) == 1
    fork = (await store.fork_session(ForkOrder(source=key, session_id="s2"))).session.key
    kinds = [type(each.body) for each in await store.read_turn(fork, turns[-1].turn_id)]
    assert kinds == [InputAccepted, TurnStarted, TurnEnded]


async def test_nothing_is_taken_back_or_forked_without_events(store: Store) -> None:
    """Both read the events; the refusal names why."""
    key = await over(store)
    await store.delete_events(AT_ONCE)
    for attempt in (
        store.retry_turn(RetryOrder(key=key)),
        store.fork_session(ForkOrder(source=key, session_id="s2")),
    ):
        with pytest.raises(NotReady) as refused:
            await attempt
        assert refused.value.reason == "EVENTS_DELETED"


async def test_a_session_that_goes_on_keeps_its_events(store: Store) -> None:
    """Its watchers would take a gap in the numbers for a lost event."""
    key = await opened(store)
    before = await store.read_events(key, 0)
    done = await store.delete_events(AT_ONCE), await store.delete_observations(AT_ONCE)
    assert (done, await store.read_events(key, 0)) == ((0, 0), before)


async def test_nothing_younger_is_deleted(store: Store) -> None:
    """The age counts from the last change."""
    await over(store)
    done = [await store.delete_events(LATER), await store.delete_observations(LATER)]
    assert [*done, await store.delete_untouched(LATER)] == [0, 0, 0]


async def test_what_was_deleted_is_not_found_again(store: Store) -> None:
    """A second sweep has nothing to do."""
    await over(store)
    await store.delete_observations(AT_ONCE)
    found = [await store.delete_observations(AT_ONCE), await store.delete_events(AT_ONCE)]
    assert [*found, await store.delete_events(AT_ONCE)] == [0, 1, 0]


async def test_an_untouched_session_is_erased(store: Store) -> None:
    """As by DeleteSession: nothing of it is read any more, and its id is not given again."""
    key = await over(store)
    assert await store.delete_untouched(AT_ONCE) == 1
    with pytest.raises(NotFound):
        await store.list_messages(key, Page())
    assert await store.delete_untouched(AT_ONCE) == 0


async def test_a_session_in_which_a_turn_runs_is_not_erased(store: Store) -> None:
    """Its lease is held."""
    key = await opened(store)
    await accept(store, key)
    await begun(store, key)
    await store.delete_untouched(AT_ONCE)
    assert await store.list_messages(key, Page())


async def test_no_row_has_what_an_analysis_found(store: SqlStore) -> None:
    """Analyses and advice are deleted with the events about them, and none is owed any more."""
    await over(store)
    await store.delete_observations(AT_ONCE)
    rows = await store._engine.read(rows_by_session)
    assert rows["monitor_requests"] == rows["advice"] == {}
    assert await store.due_monitor_requests(9) == ()


async def test_a_sweep_that_comes_second_changes_nothing(store: SqlStore) -> None:
    """Another process deleted the events after this one found the session: they are not missed."""
    key = await over(store)
    await store.delete_events(AT_ONCE)
    await store._engine.write(lambda db: retention.prune(db, key, Pruned.METRICS, AT_ONCE))
    with pytest.raises(NotReady):
        await store.fork_session(ForkOrder(source=key, session_id="s2"))


async def test_a_session_that_was_used_meanwhile_is_not_pruned(store: SqlStore) -> None:
    """It was old when it was found, and is not when its turn comes."""
    key = await over(store)
    before = await store.read_events(key, 0)
    await store._engine.write(lambda db: retention.prune(db, key, Pruned.EVENTS, LATER))
    assert await store.read_events(key, 0) == before


async def test_a_hit_that_nobody_saw_keeps_its_session(clocked: Store, clock: ManualClock) -> None:
    """Whoever writes to an old session in danger is refused, yet heard as long as any other."""
    key = await over(clocked)
    clock.move(LATER)
    await clocked.record_refused(key, "m9", raised())
    assert await clocked.delete_untouched(LATER / 2) == 0
    clock.move(LATER)
    assert await clocked.delete_untouched(LATER / 2) == 1
