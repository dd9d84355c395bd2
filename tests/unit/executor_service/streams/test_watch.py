"""WatchSession: everything that happens, for as long as somebody looks."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import pytest

from executor_service.streams.relay import View
from executor_service.streams.watch import watch
from heartrule.domain.conversation import Audience
from heartrule.domain.errors import NotFound, OutOfRange
from heartrule.domain.events import InputAccepted, Opened, SessionEvent
from tests.support.store_builders import user_input
from tests.support.turn_builders import KEY, House, answers, house, read_until, session


def watching(home: House, after: int | None = None) -> AsyncGenerator[SessionEvent, None]:
    """Return a watcher's stream."""
    events = watch(home.streams, KEY, View(audiences=frozenset(Audience)), after)
    return cast("AsyncGenerator[SessionEvent, None]", events)


async def test_a_watcher_hears_what_others_say() -> None:
    """Opened first, then live events of inputs that came on other streams."""
    home = house()
    await session(home)
    async with aclosing(watching(home)) as events:
        assert isinstance((await anext(events)).body, Opened)
        await home.turns.accept(KEY, user_input("m1"))
        told = await read_until(events, answers("m1"))
    assert isinstance(told[0].body, InputAccepted)


async def test_a_watcher_takes_up_what_nobody_runs() -> None:
    """Looking at a session is a request for it: a stored input is answered."""
    home = house()
    await session(home)
    await home.store.accept_input(KEY, user_input("m1"))
    async with aclosing(watching(home)) as events:
        await read_until(events, answers("m1"))


async def test_a_watcher_opens_nothing() -> None:
    """Only Converse, InitializeSession and a message begin a session (C28)."""
    home = house()
    await session(home)
    async with aclosing(watching(home)) as events:
        await anext(events)
    assert home.attempts.run == []


async def test_leaving_ends_the_subscription() -> None:
    """A closed stream watches no more."""
    home = house()
    await session(home)
    async with aclosing(watching(home)) as events:
        await anext(events)
        assert home.hub.watched() == 1
    assert home.hub.watched() == 0


@pytest.mark.parametrize("after", [-1, 1])
async def test_a_number_outside_the_session_is_refused(after: int) -> None:
    """The error names the bounds, and no watcher stays behind."""
    home = house()
    await session(home)
    with pytest.raises(OutOfRange) as caught:
        await anext(watching(home, after))
    assert caught.value.metadata == {"first_sequence": "0", "last_sequence": "0"}
    assert home.hub.watched() == 0


async def test_an_unknown_session_is_not_found() -> None:
    """There is nothing to watch."""
    with pytest.raises(NotFound):
        await anext(watching(house()))
