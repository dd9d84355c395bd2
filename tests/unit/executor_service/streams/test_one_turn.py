"""Streams that follow one turn to its end: SendMessage and InitializeSession."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from executor_service.streams.one_turn import OneTurn
from executor_service.streams.refusal_cards import rejected_event, store_late
from executor_service.streams.relay import View
from heartrule.domain.conversation import Audience
from heartrule.domain.errors import NotFound
from heartrule.domain.events import (
    InputAccepted,
    InputRejected,
    MessageCommitted,
    Opened,
    Outcome,
    SessionEvent,
    TurnEnded,
    TurnStarted,
)
from tests.support.store_builders import user_input
from tests.support.turn_builders import (
    KEY,
    House,
    answers,
    bodies,
    house,
    is_accepted,
    read_all,
    read_until,
    screened,
    session,
)

FAILED, WAITING = Outcome.FAILED, Outcome.WAITING
EVERYTHING = View(audiences=frozenset(Audience))


def send(home: House, client_message_id: str = "m1", **changes: Any) -> AsyncIterator[SessionEvent]:
    """Return the stream of one message."""
    message = user_input(client_message_id, **changes)
    return OneTurn(home.streams, KEY, EVERYTHING).send(screened(home, message))


def initialize(home: House) -> AsyncIterator[SessionEvent]:
    """Return the stream of the opening turn."""
    return OneTurn(home.streams, KEY, EVERYTHING).initialize()


async def opened(*outcomes: Outcome) -> House:
    """Return a process whose session has been opened."""
    home = house(WAITING, *outcomes)
    await session(home)
    await read_all(initialize(home))
    return home


def kinds(events: list[SessionEvent]) -> list[type]:
    """Return the kinds of the durable events."""
    return [type(event.body) for event in events if event.sequence]


def texts(events: list[SessionEvent]) -> list[str]:
    """Return what was said."""
    return [body.message.plain_text() for body in bodies(events, MessageCommitted)]


async def test_a_message_is_told_from_its_acceptance_to_its_end() -> None:
    """Opened first, then exactly the turn of this input."""
    home = await opened()
    told = await read_all(send(home))
    assert isinstance(told[0].body, Opened)
    assert kinds(told) == [InputAccepted, TurnStarted, MessageCommitted, TurnEnded]
    assert home.hub.watched() == 0


async def test_the_card_of_another_message_ends_no_stream() -> None:
    """A refusal is published to all who follow the session; only its own message ends with it."""
    home = await opened()
    home.attempts.gate = asyncio.Event()
    home.attempts.begun.clear()
    told = asyncio.ensure_future(read_all(send(home, "m1")))
    await home.attempts.begun.wait()
    home.hub.publish(KEY, [rejected_event(KEY, "m2", store_late(1.0))])
    home.attempts.gate.set()
    assert isinstance((await told)[-1].body, TurnEnded)


async def test_other_turns_are_not_told() -> None:
    """A message that waits behind another tells its own turn alone."""
    home = await opened()
    home.attempts.gate = asyncio.Event()
    home.attempts.begun.clear()
    first = asyncio.ensure_future(read_all(send(home, "m1")))
    await home.attempts.begun.wait()
    second = send(home, "m2")
    told = await read_until(second, is_accepted)
    home.attempts.gate.set()
    told += await read_all(second)
    assert (texts(await first), texts(told)) == (["re: hello"], ["re: hello"])
    assert [body.client_message_ids for body in bodies(told, TurnStarted)] == [("m2",)]


async def test_a_message_to_an_unopened_session_hears_its_own_turn() -> None:
    """The opening runs first and is not this turn (C28)."""
    home = house()
    await session(home)
    told = await read_all(send(home))
    assert texts(told) == ["re: hello"]
    assert home.attempts.merged() == [[], ["m1"]]


async def test_a_repeat_tells_the_whole_turn_again() -> None:
    """The same durable events with their own numbers, and no further attempt."""
    home = await opened()
    first, again = await read_all(send(home)), await read_all(send(home))
    assert [e for e in again if e.sequence] == [e for e in first if e.sequence]
    assert len(home.attempts.run) == 2


async def test_a_repeat_of_a_failed_turn_tells_what_was_and_what_comes() -> None:
    """The failed attempt is history; the stream ends with the attempt it caused."""
    home = await opened(FAILED)
    failed = await read_all(send(home))
    again = await read_all(send(home))
    assert [body.outcome for body in bodies(failed, TurnEnded)] == [FAILED]
    assert [body.outcome for body in bodies(again, TurnEnded)] == [FAILED, WAITING]
    assert texts(again) == ["re: hello"]


async def test_a_second_failure_ends_the_stream() -> None:
    """A rerun that fails too is an answer."""
    home = await opened(FAILED, FAILED)
    await read_all(send(home))
    again = await read_all(send(home))
    assert [body.outcome for body in bodies(again, TurnEnded)] == [FAILED, FAILED]


async def test_a_refused_input_is_told_and_nothing_more() -> None:
    """Nothing was stored, so there is no turn to follow."""
    home = await opened()
    await read_all(send(home))
    told = await read_all(send(home, text="other words"))
    assert [type(event.body) for event in told] == [Opened, InputRejected]


async def test_a_script_that_ends_before_the_answer_refuses_it() -> None:
    """A stored message whose turn will never come is told so, instead of silence."""
    home = await opened(Outcome.SESSION_COMPLETED)
    home.attempts.gate = asyncio.Event()
    home.attempts.begun.clear()
    first = asyncio.ensure_future(read_all(send(home, "m1")))
    await home.attempts.begun.wait()
    second = send(home, "m2")
    told = await read_until(second, is_accepted)
    home.attempts.gate.set()
    assert answers("m1")((await first)[-1])
    (rejected,) = bodies([*told, *await read_all(second)], InputRejected)
    assert (rejected.client_message_id, rejected.problem.reason) == ("m2", "SESSION_COMPLETED")


async def test_the_end_is_found_whatever_the_view_shows() -> None:
    """A stream of another audience still ends with the turn."""
    home = await opened()
    view = View(audiences=frozenset({Audience.OPERATOR}))
    told = await read_all(OneTurn(home.streams, KEY, view).send(screened(home, user_input("m1"))))
    assert [type(event.body) for event in told] == [Opened]


async def test_initialize_runs_the_opening() -> None:
    """Opened, and the opening turn to its end."""
    home = house()
    await session(home)
    told = await read_all(initialize(home))
    assert kinds(told) == [TurnStarted, MessageCommitted, TurnEnded]


async def test_initialize_again_tells_the_same_messages() -> None:
    """A second call runs nothing (C28)."""
    home = await opened()
    assert texts(await read_all(initialize(home))) == ["re: opening"]
    assert len(home.attempts.run) == 1


async def test_initialize_repeats_an_opening_that_failed() -> None:
    """The failed attempt is history: the call ends with the attempt it caused."""
    home = house(FAILED)
    await session(home)
    await read_all(initialize(home))
    again = await read_all(initialize(home))
    assert [body.outcome for body in bodies(again, TurnEnded)] == [FAILED, WAITING]


async def test_initialize_tells_the_messages_of_an_opening_that_once_failed() -> None:
    """Once it has run, every call ends with the attempt that spoke."""
    home = house(FAILED)
    await session(home)
    for _ in range(2):
        await read_all(initialize(home))
    assert texts(await read_all(initialize(home))) == ["re: opening"]


async def test_two_calls_of_initialize_run_one_opening() -> None:
    """Both tell the same."""
    home = house()
    await session(home)
    both = await asyncio.gather(read_all(initialize(home)), read_all(initialize(home)))
    assert [texts(told) for told in both] == [["re: opening"]] * 2
    assert len(home.attempts.run) == 1


@pytest.mark.parametrize("call", [send, initialize])
async def test_an_unknown_session_is_not_found(
    call: Callable[[House], AsyncIterator[SessionEvent]],
) -> None:
    """There is nothing to follow, and no watcher stays behind."""
    home = house()
    with pytest.raises(NotFound):
        await read_all(call(home))
    assert home.hub.watched() == 0
