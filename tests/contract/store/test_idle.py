"""Sessions nobody came back to: they end by time (RESOLUTIONS C31)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from heartrule.domain.errors import SessionFinished
from heartrule.domain.events import ScopeLeft, StateChanged
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import EndReason, ExecutionStatus
from heartrule.domain.variables import VariableOperationKind, VariableScope
from session_store.ports import Store
from session_store.records import ForkOrder, Page, RetryOrder
from tests.support.clock import A_MOMENT, ManualClock
from tests.support.session_rows import propose
from tests.support.store_builders import (
    accept,
    begun,
    created,
    failure,
    judged_turn,
    last_step,
    opened,
    variable,
)

NOW, LONG = timedelta(0), timedelta(days=1)
TOPIC, PHASE = VariableScope.TOPIC, VariableScope.PHASE


async def resting(store: Store, **changes: Any) -> SessionKey:
    """Return a session that waits for its client and holds a variable of each scope."""
    key = await opened(store, **changes)
    await accept(store, key)
    snapshot = await begun(store, key)
    held = (
        variable("t", 1, TOPIC, snapshot.position.topic_id),
        variable("p", 2, PHASE, snapshot.position.phase_id),
        variable("s", 3),
        variable("g", 4, VariableScope.GLOBAL),
    )
    await store.commit_step(snapshot.lease, replace(last_step(snapshot), variables=held))
    return key


async def test_an_idle_session_is_found_and_ended(store: Store) -> None:
    """It is completed, says why, and keeps its position."""
    key = await resting(store)
    before = await store.get_session(key)
    assert await store.find_idle(NOW, 10) == (key,)
    assert await store.end_idle(key, NOW)
    after = await store.get_session(key)
    assert (after.status, after.end_reason) == (
        ExecutionStatus.COMPLETED,
        EndReason.IDLE_TIMEOUT,
    )
    assert after.position == before.position
    assert await store.find_idle(NOW, 10) == ()


async def test_every_scope_is_left_and_globals_survive(store: Store) -> None:
    """Topic, phase and session are snapshots; only the archive answers for what they held."""
    key = await resting(store)
    await store.end_idle(key, NOW)
    shots, _ = await store.list_snapshots(key, Page())
    held = [(each.scope.value, dict(each.variables)) for each in shots]
    assert held == [("topic", {"t": 1}), ("phase", {"p": 2}), ("session", {"s": 3})]
    live = {each.name: not each.archived for each in await store.list_variables(key)}
    assert live == {"t": False, "p": False, "s": False, "g": True}
    done, _ = await store.list_operations(key, Page())
    assert [each.operation for each in done] == [VariableOperationKind.DELETE] * 3


async def test_the_end_is_told_live_and_replayed_alike(store: Store) -> None:
    """Scopes left, then the state with the reason; a later reader gets the same events."""
    key = await resting(store)
    last = (await store.get_session(key)).last_sequence
    told = await store.end_idle(key, NOW)
    assert await store.read_events(key, last) == told
    bodies = [each.body for each in told]
    assert [body.scope for body in bodies if isinstance(body, ScopeLeft)] == [
        TOPIC,
        PHASE,
        VariableScope.SESSION,
    ]
    assert isinstance(bodies[-1], StateChanged)
    assert bodies[-1].state.end_reason is EndReason.IDLE_TIMEOUT


async def test_further_input_is_refused(store: Store) -> None:
    """As after a script's end; the refusal says that time ended it."""
    key = await resting(store)
    await store.end_idle(key, NOW)
    with pytest.raises(SessionFinished) as refused:
        await accept(store, key, "late")
    assert refused.value.metadata == {"end_reason": "idle_timeout"}


async def test_what_is_not_idle_stays(store: Store) -> None:
    """A session spoken to lately, one never opened and one with an input waiting go on."""
    recent = await resting(store)
    unopened = await created(store, "s2")
    waiting = await opened(store, "s3")
    await accept(store, waiting)
    assert await store.find_idle(LONG, 10) == ()
    assert await store.end_idle(recent, LONG) == ()
    assert [await store.end_idle(key, NOW) for key in (unopened, waiting)] == [(), ()]


async def test_a_running_turn_is_left_alone(store: Store) -> None:
    """While somebody holds the lease nothing ends."""
    key = await resting(store)
    await accept(store, key, "m2")
    await begun(store, key)
    assert await store.end_idle(key, NOW) == ()


async def test_a_failed_turn_does_not_keep_a_session(store: Store) -> None:
    """Nobody asked for the turn again: the session ends, and a repeat of its input is refused."""
    key = await resting(store)
    await accept(store, key, "m2")
    snapshot = await begun(store, key)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    assert await store.end_idle(key, NOW)
    with pytest.raises(SessionFinished):
        await accept(store, key, "m2")


async def test_time_counts_from_the_last_event(clocked: Store, clock: ManualClock) -> None:
    """A session becomes idle when nothing happened for as long as is asked."""
    key = await resting(clocked)
    clock.move(timedelta(seconds=59))
    assert await clocked.find_idle(timedelta(seconds=60), 10) == ()
    clock.move(timedelta(seconds=1) + A_MOMENT)
    assert await clocked.find_idle(timedelta(seconds=60), 10) == (key,)


async def test_a_session_that_was_taken_back_after_its_end_ends_again(store: Store) -> None:
    """The end by time is undone like any other; its rows stand in nobody's way."""
    key = await resting(store)
    assert await store.end_idle(key, NOW)
    await store.retry_turn(RetryOrder(key=key))
    record = await store.get_session(key)
    assert (record.status, record.end_reason) == (ExecutionStatus.WAITING_INPUT, None)
    assert await store.list_snapshots(key, Page()) == ([], "")
    again = await begun(store, key)
    await store.commit_step(again.lease, last_step(again))
    assert await store.end_idle(key, NOW)
    assert len(await store.read_events(key, 0)) == (await store.get_session(key)).last_sequence
    assert (await store.list_snapshots(key, Page()))[0] != []


async def test_a_fork_has_no_edit_that_the_clock_let_expire(store: Store) -> None:
    """It begins where the last turn ended, and no turn had decided the edit by then."""
    key = await opened(store)
    await propose(store, await judged_turn(store, key))
    assert await store.end_idle(key, NOW)
    fork = await store.fork_session(ForkOrder(source=key, session_id="f1"))
    assert await store.list_plan_edits(fork.session.key, Page()) == ([], "")
