"""The front of turns: an input is stored, told and run."""

from __future__ import annotations

import pytest

from executor_service.failpoints import Failpoint, Failpoints
from executor_service.hub import SessionHub
from heartrule.domain.errors import NotFound
from heartrule.domain.events import InputAccepted, SessionEvent
from session_store.open import open_in_memory
from session_store.records import TurnSnapshot
from tests.support.store_builders import user_input
from tests.support.turn_builders import KEY, house, idle, session
from tests.support.worker_builders import workers_of


async def test_an_accepted_input_is_told_and_run() -> None:
    """Watchers hear that it is durable, and its turn begins."""
    home = house()
    await session(home)
    watcher = home.hub.subscribe(KEY)
    accepted = await home.turns.accept(KEY, user_input("m1"))
    event = watcher.take()
    assert isinstance(event, SessionEvent)
    assert isinstance(event.body, InputAccepted)
    assert accepted.sequence == event.sequence
    await idle(home)
    assert home.attempts.merged() == [[], ["m1"]]


async def test_an_input_for_an_unknown_session_is_refused() -> None:
    """There is nobody to answer it."""
    with pytest.raises(NotFound):
        await house().turns.accept(KEY, user_input("m1"))


async def test_opening_runs_the_opening_turn_once() -> None:
    """Asking again changes nothing."""
    home = house()
    await session(home)
    for _ in range(2):
        home.turns.wake(KEY, opening=True)
        await idle(home)
    assert home.attempts.merged() == [[]]


async def test_looking_after_a_session_opens_nothing() -> None:
    """It takes up what a dead process left, and where nothing was left, nothing happens."""
    home = house()
    await session(home)
    home.turns.wake(KEY)
    await idle(home)
    assert home.attempts.run == []


async def test_the_sweep_finds_inputs_nobody_answers() -> None:
    """An input stored by a process that died is run by the next sweep."""
    home = house()
    await session(home)
    await home.store.accept_input(KEY, user_input("m1"))
    await home.turns.sweep()
    await idle(home)
    assert home.attempts.merged() == [[], ["m1"]]


async def test_after_a_drain_inputs_are_stored_and_left() -> None:
    """They are durable; another process answers them."""
    home = house()
    await session(home)
    await home.turns.drain(1)
    await home.turns.accept(KEY, user_input("m1"))
    assert (home.attempts.run, home.turns.running) == ([], 0)
    assert (await home.store.get_session(KEY)).pending_client_message_ids == ("m1",)


async def test_the_first_failpoint_lies_between_storing_and_telling() -> None:
    """A process that dies there has a durable input nobody was told of."""
    store, hub, visited = open_in_memory(), SessionHub(), []
    watcher = hub.subscribe(KEY)

    class Noted(Failpoints):
        def hit(self, place: Failpoint) -> None:
            visited.append((place, watcher.take()))

    async def nothing(snapshot: TurnSnapshot) -> bool:
        return False

    turns = workers_of(store, nothing, hub=hub, failpoints=Noted())
    await session(house(store=store))
    await turns.accept(KEY, user_input("m1"))
    assert visited[0] == (Failpoint.AFTER_ACCEPT, None)
    await turns.drain(1)
