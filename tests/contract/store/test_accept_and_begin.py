"""An input stored and its turn begun in one transaction (ADR 19)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from heartrule.domain.conversation import IfBusy
from heartrule.domain.errors import InvalidRequest, NotFound, SessionBusy, SessionFinished
from heartrule.domain.events import InputAccepted, Outcome, TurnStarted
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import (
    AcceptedInput,
    NoTurn,
    Page,
    TurnKind,
    TurnLater,
    TurnSnapshot,
)
from tests.support.store_builders import (
    AT_ONCE,
    LONG,
    accept,
    begun,
    created,
    ended,
    failure,
    last_step,
    opened,
    said,
    user_input,
)
from tests.support.told import kinds, texts

Began = TurnSnapshot | TurnLater | NoTurn


async def both(
    store: Store, key: SessionKey, name: str = "m1", text: str = "hello", **more: Any
) -> tuple[AcceptedInput, Began]:
    """Send an input and begin."""
    sent = user_input(name, text, **more)
    return await store.accept_and_begin(key, sent, owner="me", ttl=LONG)


async def turn_of(store: Store, key: SessionKey, name: str = "m1", **more: Any) -> TurnSnapshot:
    """Send an input that must begin a turn."""
    snapshot = (await both(store, key, name, **more))[1]
    assert isinstance(snapshot, TurnSnapshot), snapshot
    return snapshot


async def test_the_input_is_told_before_its_turn(store: Store) -> None:
    """One call stores the input outside any turn, and begins the turn behind it."""
    key = await opened(store)
    before = (await store.get_session(key)).last_sequence
    taken, snapshot = await both(store, key, text="你好")
    assert isinstance(snapshot, TurnSnapshot)
    assert kinds(taken.events + snapshot.events) == [InputAccepted, TurnStarted]
    assert await store.read_events(key, before) == taken.events + snapshot.events
    assert (taken.duplicate, taken.turn_id, taken.message.turn_id) == (False, "", "")


async def test_the_turn_is_as_if_begun_alone(store: Store) -> None:
    """Its snapshot holds what accept_input and begin_turn together would give."""
    one, two = await opened(store, "s1"), await opened(store, "s2")
    sent: dict[str, Any] = {"traceparent": "00-1", "turn_timeout": timedelta(seconds=7)}
    together = await turn_of(store, one, **sent)
    await accept(store, two, **sent)
    apart = await begun(store, two)
    alike = ["turn_no", "attempt", "kind", "window", "inputs_consumed", "position", "plan"]
    alike += ["traceparents", "turn_timeout", "last_ai_message", "steps", "variables", "advice"]
    assert [getattr(together, name) for name in alike] == [getattr(apart, name) for name in alike]
    (message,) = together.inputs
    assert (message.turn_id, message.plain_text()) == (together.turn_id, "hello")
    assert [each.sequence for each in together.inputs] == [each.sequence for each in apart.inputs]


async def test_the_input_waits_no_more(store: Store) -> None:
    """The stored message belongs to the turn, and the turn's end is the conversation's next."""
    key = await opened(store)
    snapshot = await turn_of(store, key)
    assert (await store.get_session(key)).pending_client_message_ids == ()
    done = await ended(store, snapshot, said("question 2"))
    assert not done.inputs_waiting
    listed, _ = await store.list_messages(key, Page())
    assert [each.turn_id for each in listed][1:] == [snapshot.turn_id] * 2
    assert texts((await turn_of(store, key, "m2")).window) == ["question 1", "hello", "question 2"]


async def test_a_turn_that_runs_is_not_disturbed(store: Store) -> None:
    """HELD: the input waits, and the running turn's end says so."""
    key = await opened(store)
    running = await turn_of(store, key)
    taken, held = await both(store, key, "m2")
    assert (held, taken.duplicate) == (NoTurn.HELD, False)
    assert (await store.get_session(key)).pending_client_message_ids == ("m2",)
    assert (await ended(store, running)).inputs_waiting
    assert texts((await begun(store, key)).inputs) == ["hello"]


async def test_an_unopened_session_is_opened_first(store: Store) -> None:
    """The opening turn begins, and the input waits behind it."""
    key = await created(store)
    snapshot = await turn_of(store, key)
    assert (snapshot.kind, snapshot.inputs, snapshot.window) == (TurnKind.OPENING, (), ())
    assert (await store.get_session(key)).pending_client_message_ids == ("m1",)
    assert (await ended(store, snapshot, said("question 1"))).inputs_waiting


async def test_an_open_merge_window_is_waited_for(store: Store) -> None:
    """Nothing begins yet; the input waits."""
    key = await opened(store, merge_window=LONG)
    _, later = await both(store, key)
    assert isinstance(later, TurnLater)
    assert timedelta(0) < later.delay <= LONG
    assert (await store.get_session(key)).pending_client_message_ids == ("m1",)


async def test_what_waited_before_is_taken_along(store: Store) -> None:
    """Inputs that nobody has run yet merge with the new one, in order."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    await accept(store, key, "m2", "two")
    snapshot = await turn_of(store, key, "m3", text="three")
    assert texts(snapshot.inputs) == ["one", "two", "three"]
    assert {each.turn_id for each in snapshot.inputs} == {snapshot.turn_id}


async def test_what_is_queued_goes_first(store: Store) -> None:
    """A QUEUE input that waits is a turn of its own; the new one stays behind it."""
    key = await opened(store)
    await accept(store, key, "m1", "one", if_busy=IfBusy.QUEUE)
    snapshot = await turn_of(store, key, "m2", text="two")
    assert texts(snapshot.inputs) == ["one"]
    assert (await store.get_session(key)).pending_client_message_ids == ("m2",)


async def test_a_failed_turn_is_joined(store: Store) -> None:
    """A new input is what a failed turn without steps waits for; both are judged together."""
    key = await opened(store)
    failed = await turn_of(store, key, "m1", text="one")
    await store.fail_turn(failed.lease, failure(failed))
    again = await turn_of(store, key, "m2", text="two")
    assert (again.turn_id, again.attempt) == (failed.turn_id, 2)
    assert texts(again.inputs) == ["one", "two"]


async def test_a_repeat_runs_a_failed_turn_again(store: Store) -> None:
    """The repeat stores nothing; its turn begins anew."""
    key = await opened(store)
    failed = await turn_of(store, key)
    await store.fail_turn(failed.lease, failure(failed))
    taken, again = await both(store, key)
    assert (taken.duplicate, taken.turn_id, taken.events) == (True, failed.turn_id, ())
    assert isinstance(again, TurnSnapshot)
    assert (again.turn_id, again.attempt) == (failed.turn_id, 2)


async def test_a_repeat_of_an_answered_input_begins_nothing(store: Store) -> None:
    """It says which turn answered it."""
    key = await opened(store)
    snapshot = await turn_of(store, key)
    await ended(store, snapshot)
    taken, idle = await both(store, key)
    assert (taken.duplicate, taken.turn_id, idle) == (True, snapshot.turn_id, NoTurn.IDLE)


async def test_a_lost_turn_is_taken_up_first(store: Store) -> None:
    """The attempt of a dead holder is begun again; the new input waits behind it."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    lost = await begun(store, key, ttl=AT_ONCE)
    again = await turn_of(store, key, "m2", text="two")
    assert (again.turn_id, again.attempt, texts(again.inputs)) == (lost.turn_id, 2, ["one"])
    assert (await store.get_session(key)).pending_client_message_ids == ("m2",)


async def test_what_is_refused_begins_nothing(store: Store) -> None:
    """Other content under one id, REJECT behind a waiting input, an unknown or an ended session."""
    key = await opened(store, merge_window=LONG)
    await accept(store, key)
    before = await store.get_session(key)
    with pytest.raises(InvalidRequest):
        await both(store, key, text="other")
    with pytest.raises(SessionBusy):
        await both(store, key, "m2", if_busy=IfBusy.REJECT)
    with pytest.raises(NotFound):
        await both(store, replace(key, session_id="none"))
    assert await store.get_session(key) == before


async def test_an_ended_session_takes_no_input(store: Store) -> None:
    """SessionFinished, as accept_input says."""
    key = await opened(store)
    over = await turn_of(store, key)
    await store.commit_step(over.lease, last_step(over, outcome=Outcome.SESSION_COMPLETED))
    with pytest.raises(SessionFinished):
        await both(store, key, "m2")


async def test_of_eight_at_once_one_begins(store: Store) -> None:
    """Every input is stored with a number of its own; one turn begins, the others are held off."""
    key = await opened(store)
    got = await asyncio.gather(*(both(store, key, f"m{number}") for number in range(8)))
    assert sum(isinstance(each, TurnSnapshot) for _, each in got) == 1
    assert sum(each is NoTurn.HELD for _, each in got) == 7
    numbers = sorted(taken.sequence for taken, _ in got)
    events = await store.read_events(key, numbers[0] - 1)
    assert [each.sequence for each in events] == list(range(numbers[0], numbers[0] + 9))
    assert len((await store.get_session(key)).pending_client_message_ids) == 7
