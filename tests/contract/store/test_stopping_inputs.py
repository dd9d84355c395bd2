"""Inputs that stop the turn that runs (CONTRACT: IfBusy INTERRUPT and RESTART)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from heartrule.domain.conversation import IfBusy
from heartrule.domain.errors import LeaseLost
from heartrule.domain.events import DraftVoided, Outcome, TurnStarted
from heartrule.domain.safety import SafetyLevel, SafetySource, SafetyState
from session_store.ports import Store
from session_store.records import (
    ForkOrder,
    InterruptOrder,
    NoTurn,
    Page,
    RetryOrder,
    SafetyStep,
    StopKind,
    TurnKind,
    TurnSnapshot,
)
from tests.support.store_builders import (
    AT_ONCE,
    LONG,
    accept,
    begun,
    call,
    created,
    ended,
    failure,
    last_step,
    opened,
    said,
    step,
    user_input,
)
from tests.support.store_stopping import left, running, stop_request


async def test_an_interrupting_input_stops_the_turn_that_runs(store: Store) -> None:
    """It waits for its turn, and tells what it asks of the running one."""
    key, turn = await running(store)
    taken = await accept(store, key, "m2", if_busy=IfBusy.INTERRUPT)
    assert (taken.stop, taken.turn_id) == (stop_request(turn, keeps_shown=True), "")
    assert await store.find_stop(key) == stop_request(turn, keeps_shown=True)
    assert (await accept(store, key, "m2", if_busy=IfBusy.INTERRUPT)).stop is None


@pytest.mark.parametrize("mode", [IfBusy.INTERRUPT, IfBusy.RESTART])
async def test_in_an_idle_session_they_merge(store: Store, mode: IfBusy) -> None:
    """Where no turn runs they ask nothing and form the next turn with what waits."""
    key = await opened(store)
    await accept(store, key, "m1")
    assert (await accept(store, key, "m2", if_busy=mode)).stop is None
    assert len((await begun(store, key)).inputs) == 2
    assert await store.find_stop(key) is None


async def test_the_sessions_own_rule_may_interrupt(store: Store) -> None:
    """An input without `if_busy` interrupts where the session was created so."""
    key = await opened(store, if_busy=IfBusy.INTERRUPT)
    await accept(store, key)
    turn = await begun(store, key)
    assert (await accept(store, key, "m2")).stop == stop_request(turn, keeps_shown=True)


async def test_an_interrupting_input_takes_up_an_orphan_first(store: Store) -> None:
    """Accepted and begun at once, it finds the turn of a dead holder, already interrupted."""
    key, turn = await running(store, ttl=AT_ONCE)
    taken, resumed = await store.accept_and_begin(
        key, sent("m2", IfBusy.INTERRUPT), owner="you", ttl=LONG
    )
    assert isinstance(resumed, TurnSnapshot)
    assert (resumed.turn_id, resumed.attempt, resumed.stop) == (turn.turn_id, 2, taken.stop)
    assert await store.find_stop(key) == taken.stop
    assert (await store.get_session(key)).pending_client_message_ids == ("m2",)


def sent(name: str, mode: IfBusy) -> Any:
    """Return an input."""
    return user_input(name, if_busy=mode)


async def test_a_restart_joins_the_turn_it_voids(store: Store) -> None:
    """Left by its holder, the turn begins anew with both inputs; what was shown is void."""
    key, turn = await running(store)
    taken = await accept(store, key, "m2", "more", if_busy=IfBusy.RESTART)
    assert taken.stop == stop_request(turn, StopKind.RESTART)
    await store.leave_turn(turn.lease, left(turn, calls=(call("call_1"),)))
    again = await begun(store, key)
    assert (again.turn_id, again.attempt) == (turn.turn_id, 2)
    assert [message.client_message_id for message in again.inputs] == ["m1", "m2"]
    assert [event.body for event in again.events] == [
        DraftVoided(up_to_attempt=1, reason="RESTARTED"),
        TurnStarted(client_message_ids=("m1", "m2")),
    ]
    assert len((await store.list_calls(key, Page()))[0]) == 1


async def test_a_restart_survives_its_holder(store: Store) -> None:
    """Whoever takes up a turn that was to begin anew begins it with both inputs."""
    key, _ = await running(store, ttl=AT_ONCE)
    await accept(store, key, "m2", if_busy=IfBusy.RESTART)
    assert len((await begun(store, key)).inputs) == 2


async def test_a_restart_concerns_one_attempt(store: Store) -> None:
    """An orphan of the attempt after it takes up no more than it had."""
    key, turn = await running(store)
    await accept(store, key, "m2", if_busy=IfBusy.RESTART)
    await store.leave_turn(turn.lease, left(turn))
    await begun(store, key, ttl=AT_ONCE)
    await accept(store, key, "m3")
    assert len((await begun(store, key)).inputs) == 2


async def test_a_restart_after_a_step_merges(store: Store) -> None:
    """Once a step is committed the input waits for the next turn."""
    key, turn = await running(store)
    await store.commit_step(turn.lease, step(turn, said("one"), inputs_consumed=True))
    assert (await accept(store, key, "m2", if_busy=IfBusy.RESTART)).stop is None


async def test_a_restart_behind_a_queued_input_merges(store: Store) -> None:
    """An input that has a turn of its own is neither joined nor overtaken."""
    key, _ = await running(store)
    await accept(store, key, "m2", if_busy=IfBusy.QUEUE)
    assert (await accept(store, key, "m3", if_busy=IfBusy.RESTART)).stop is None
    assert await store.find_stop(key) is None


async def test_an_interrupt_counts_before_a_restart(store: Store) -> None:
    """A turn that is to end does not begin anew; a restart asked before is overruled."""
    key, turn = await running(store)
    await accept(store, key, "m2", if_busy=IfBusy.RESTART)
    await accept(store, key, "m3", if_busy=IfBusy.INTERRUPT)
    assert await store.find_stop(key) == stop_request(turn, keeps_shown=True)
    await accept(store, key, "m4", if_busy=IfBusy.RESTART)
    assert await store.find_stop(key) == stop_request(turn, keeps_shown=True)


async def test_who_lost_the_lease_cannot_leave(store: Store) -> None:
    """Leaving is fenced like a commit, and changes nothing."""
    key, turn = await running(store, ttl=AT_ONCE)
    await begun(store, key)
    with pytest.raises(LeaseLost):
        await store.leave_turn(turn.lease, left(turn, calls=(call("call_1"),)))
    assert await store.list_calls(key, Page()) == ([], "")
    assert await store.begin_turn(key, owner="me", ttl=LONG) is NoTurn.HELD


async def test_what_was_left_is_work(store: Store) -> None:
    """A turn nobody holds is found by the sweep."""
    key, turn = await running(store)
    await store.leave_turn(turn.lease, left(turn))
    assert await store.find_work(10) == (key,)
    await ended(store, await begun(store, key))


async def test_a_fork_is_asked_nothing(store: Store) -> None:
    """What was asked of a turn of the source stops no turn of the fork."""
    key, turn = await running(store)
    await store.interrupt_turn(InterruptOrder(key=key, turn_id=turn.turn_id))
    await store.commit_step(turn.lease, last_step(turn, outcome=Outcome.INTERRUPTED))
    forked = await store.fork_session(ForkOrder(source=key, session_id="s2"))
    assert await store.find_stop(forked.session.key) is None
    await accept(store, forked.session.key, "m9")
    assert (await begun(store, forked.session.key)).stop is None


async def test_an_urgent_input_interrupts_whatever_it_says(store: Store) -> None:
    """The turn that runs is to end; a REJECT is no reason to refuse it."""
    key, turn = await running(store)
    said = user_input("m2", if_busy=IfBusy.REJECT)
    taken = await store.accept_input(key, said, urgent=True)
    assert taken.stop == stop_request(turn, keeps_shown=True, urgent="m2")


async def test_an_urgent_input_stays_noted_when_its_turn_fails(store: Store) -> None:
    """The failed turn takes it up with what waits before it."""
    key, turn = await running(store)
    await accept(store, key, "m2", if_busy=IfBusy.QUEUE)
    await store.accept_input(key, user_input("m3"), urgent=True)
    await store.fail_turn(turn.lease, failure(turn))
    resumed = await begun(store, key)
    assert [each.client_message_id for each in resumed.new_inputs] == ["m1", "m2", "m3"]


async def test_the_opening_takes_up_an_urgent_input(store: Store) -> None:
    """As history: it answers no question of the script."""
    key = await created(store)
    _, first = await store.accept_and_begin(
        key, user_input("m1"), owner="me", ttl=LONG, urgent=True
    )
    assert isinstance(first, TurnSnapshot)
    assert (first.kind, first.inputs_consumed) == (TurnKind.OPENING, True)
    assert [each.client_message_id for each in first.new_inputs] == ["m1"]


async def test_no_input_is_urgent_where_the_script_opted_out(store: Store) -> None:
    """The crisis path is off in that session."""
    key, turn = await running(store)
    off = SafetyStep(
        state=SafetyState(opt_out="a language class"),
        level=SafetyLevel.NONE,
        source=SafetySource.RULE,
        raised=False,
        alert=False,
    )
    await store.commit_step(turn.lease, replace(step(turn), safety=off))
    taken = await store.accept_input(key, user_input("m2"), urgent=True)
    assert taken.stop is None


async def test_no_session_ends_before_an_urgent_input(store: Store) -> None:
    """It came too late to interrupt the last turn, and has a turn of its own all the same."""
    key, turn = await running(store)
    await store.accept_input(key, user_input("m2"), urgent=True)
    ending = last_step(turn, said("bye"), outcome=Outcome.SESSION_COMPLETED)
    done = await store.commit_step(turn.lease, ending)
    assert done.inputs_waiting
    assert [each.client_message_id for each in (await begun(store, key)).inputs] == ["m2"]


async def test_an_urgent_retry_waits_for_no_merge_window(store: Store) -> None:
    """Its new text means danger: the turn begins at once."""
    key = await opened(store, merge_window=LONG)
    await store.accept_input(key, user_input("m1"), urgent=True)
    turn = await begun(store, key)
    await store.commit_step(turn.lease, last_step(turn, said("hm")))
    await store.retry_turn(RetryOrder(key=key, text="help", urgent=True))
    assert len((await begun(store, key)).inputs) == 1
