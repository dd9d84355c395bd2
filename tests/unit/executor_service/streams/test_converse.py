"""One Converse stream: inputs in, events out, and an end once all that was accepted is answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from executor_service.streams.converse import ConverseStream
from executor_service.streams.relay import View
from heartrule.domain.conversation import Audience, UserInput
from heartrule.domain.errors import InvalidRequest, NotFound, OutOfRange
from heartrule.domain.events import (
    InputAccepted,
    InputRejected,
    Opened,
    Outcome,
    SessionEvent,
    TurnEnded,
)
from tests.support.store_builders import begun, ended, user_input
from tests.support.turn_builders import (
    KEY,
    House,
    answers,
    bodies,
    house,
    idle,
    read_all,
    read_until,
    screened,
    session,
)

FAILED, WAITING = Outcome.FAILED, Outcome.WAITING


class Conversing:
    """A stream that the test reads."""

    def __init__(self, home: House, after: int | None = None) -> None:
        self.home = home
        self.stream = ConverseStream(home.streams, KEY, View(audiences=frozenset(Audience)))
        self.events: AsyncIterator[SessionEvent] = self.stream.events(after)

    async def opened(self) -> list[SessionEvent]:
        """Read to the end of the opening turn."""
        return await read_until(self.events, answers_opening)

    async def submit(self, user_input: UserInput) -> None:
        """Submit an input."""
        await self.stream.submit(screened(self.home, user_input))

    async def turn(self, client_message_id: str, text: str = "嗯") -> list[SessionEvent]:
        """Say something and read to the end of its turn."""
        await self.submit(user_input(client_message_id, text))
        return await read_until(self.events, answers(client_message_id))


def answers_opening(event: SessionEvent) -> bool:
    """Recognise the end of the opening turn."""
    return isinstance(event.body, TurnEnded) and not event.body.client_message_ids


async def talking(*outcomes: Outcome) -> tuple[House, Conversing]:
    """Return a process and a stream whose opening turn has been told."""
    home = house(WAITING, *outcomes)
    await session(home)
    talk = Conversing(home)
    await talk.opened()
    return home, talk


async def test_a_stream_begins_with_the_state_and_runs_the_opening() -> None:
    """Opened is the first event; the opening turn follows without a word of the client (C28)."""
    home = house()
    await session(home)
    told = await Conversing(home).opened()
    assert isinstance(told[0].body, Opened)
    assert len(home.attempts.run) == 1


async def test_half_close_ends_the_stream_when_nothing_is_unanswered() -> None:
    """With the opening told and no input given, the stream ends."""
    _, talk = await talking()
    talk.stream.end_input()
    assert await read_all(talk.events) == []


async def test_half_close_waits_for_the_opening() -> None:
    """A client that only listens still hears the first question."""
    home = house()
    await session(home)
    talk = Conversing(home)
    talk.stream.end_input()
    assert any(map(answers_opening, await read_all(talk.events)))


async def test_half_close_waits_for_what_was_accepted() -> None:
    """The last input's turn is told to its end, and then the stream ends."""
    _, talk = await talking()
    await talk.submit(user_input("m1"))
    talk.stream.end_input()
    assert answers("m1")((await read_all(talk.events))[-1])


async def test_an_input_that_is_refused_waits_for_nothing() -> None:
    """It is told in-band, and the stream may end."""
    _, talk = await talking()
    await talk.submit(user_input("m1", input_request_id="req_0"))
    talk.stream.end_input()
    (rejected,) = bodies(await read_all(talk.events), InputRejected)
    assert (rejected.client_message_id, rejected.problem.reason) == (
        "m1",
        "INPUT_REQUEST_NOT_OPEN",
    )


async def test_the_end_of_the_script_answers_everything() -> None:
    """What still waits will not be judged: it is refused, and the stream ends."""
    home, talk = await talking(Outcome.SESSION_COMPLETED)
    home.attempts.gate = asyncio.Event()
    home.attempts.begun.clear()
    await talk.submit(user_input("m1"))
    await home.attempts.begun.wait()
    await talk.submit(user_input("m2"))
    talk.stream.end_input()
    home.attempts.gate.set()
    *_, ended, refused = await read_all(talk.events)
    assert answers("m1")(ended)
    assert isinstance(refused.body, InputRejected)
    assert refused.body.client_message_id == "m2"


async def test_a_broken_protocol_ends_the_stream_after_what_was_told() -> None:
    """The status comes behind the events that were queued before it."""
    _, talk = await talking()
    talk.stream.reject("m1", InvalidRequest("empty", reason="EMPTY"))
    talk.stream.break_off(InvalidRequest("twice", reason="OPENED_TWICE"))
    assert isinstance((await anext(talk.events)).body, InputRejected)
    with pytest.raises(InvalidRequest):
        await anext(talk.events)


async def test_a_repeat_of_an_answered_input_is_told_again() -> None:
    """The turn's own events with their own numbers, and no further attempt."""
    home, talk = await talking()
    first = await talk.turn("m1")
    again = await talk.turn("m1")
    assert [e.sequence for e in again] == [e.sequence for e in first]
    assert len(home.attempts.run) == 2


async def test_a_repeat_of_an_answered_input_waits_for_nothing() -> None:
    """Half-close after a repeat ends the stream behind the replay."""
    _, talk = await talking()
    await talk.turn("m1")
    await talk.submit(user_input("m1", "嗯"))
    talk.stream.end_input()
    assert answers("m1")((await read_all(talk.events))[-1])


async def test_a_repeat_finds_an_end_that_nobody_has_published_yet() -> None:
    """The turn is committed, its news is on the way: the store tells it to this stream."""
    home, talk = await talking()
    await home.store.accept_input(KEY, user_input("m1"))
    await idle(home)
    snapshot = await begun(home.store, KEY)
    await ended(home.store, snapshot)
    await talk.submit(user_input("m1"))
    talk.stream.end_input()
    assert any(map(answers("m1"), await read_all(talk.events)))


async def test_a_repeat_of_a_waiting_input_is_acknowledged_again() -> None:
    """The client hears that its message is safe, though its turn has not begun."""
    home, talk = await talking()
    home.attempts.gate = asyncio.Event()
    home.attempts.begun.clear()
    await talk.submit(user_input("m1"))
    await home.attempts.begun.wait()
    for _ in range(2):
        await talk.submit(user_input("m2"))
    home.attempts.gate.set()
    told = await read_until(talk.events, answers("m2"))
    ids = [m.client_message_id for body in bodies(told, InputAccepted) for m in body.messages]
    assert ids == ["m1", "m2", "m2"]


async def test_the_same_id_with_other_words_keeps_the_first_waiting() -> None:
    """The refusal of the second does not answer the first."""
    home, talk = await talking()
    home.attempts.gate = asyncio.Event()
    await talk.submit(user_input("m1", "小明"))
    await talk.submit(user_input("m1", "小红"))
    talk.stream.end_input()
    home.attempts.gate.set()
    told = await read_all(talk.events)
    assert bodies(told, InputRejected)[0].problem.reason == "CLIENT_MESSAGE_ID_REUSED"
    assert answers("m1")(told[-1])


async def test_a_repeat_of_a_failed_input_waits_for_its_rerun() -> None:
    """The old failure is told again and answers nothing; the stream ends behind the rerun."""
    home, talk = await talking(FAILED)
    await talk.turn("m1")
    talk.stream.close()
    fresh = Conversing(home)
    await anext(fresh.events)
    await fresh.submit(user_input("m1", "嗯"))
    fresh.stream.end_input()
    ends = bodies(await read_all(fresh.events), TurnEnded)
    assert [end.outcome for end in ends] == [FAILED, WAITING]


async def test_history_answers_nothing() -> None:
    """A stream that resumes from the start hears the old failure and still waits for the rerun."""
    home, talk = await talking(FAILED)
    await talk.turn("m1")
    talk.stream.close()
    fresh = Conversing(home, after=0)
    await anext(fresh.events)
    await fresh.submit(user_input("m1", "嗯"))
    fresh.stream.end_input()
    ends = bodies(await read_all(fresh.events), TurnEnded)
    assert ends[-1].outcome is WAITING


async def test_an_opening_that_failed_before_is_waited_for() -> None:
    """Its old end is history: a stream from the start ends behind the new attempt."""
    home = house(FAILED)
    await session(home)
    await Conversing(home).opened()
    fresh = Conversing(home, after=0)
    fresh.stream.end_input()
    ends = bodies(await read_all(fresh.events), TurnEnded)
    assert [end.outcome for end in ends] == [FAILED, WAITING]


async def test_a_failure_answers_the_input_it_is_about() -> None:
    """A turn that fails on this stream is told, and the stream may end."""
    _, talk = await talking(FAILED)
    await talk.submit(user_input("m1"))
    talk.stream.end_input()
    ends = bodies(await read_all(talk.events), TurnEnded)
    assert [end.outcome for end in ends] == [FAILED]


async def test_inputs_merged_into_one_turn_are_answered_together() -> None:
    """One end strikes off every input of its turn."""
    home, talk = await talking()
    home.attempts.gate = asyncio.Event()
    home.attempts.begun.clear()
    await talk.submit(user_input("m1"))
    await home.attempts.begun.wait()
    for name in ("m2", "m3"):
        await talk.submit(user_input(name))
    talk.stream.end_input()
    home.attempts.gate.set()
    ends = bodies(await read_all(talk.events), TurnEnded)
    assert [end.client_message_ids for end in ends] == [("m1",), ("m2", "m3")]


async def test_an_unknown_session_is_not_found() -> None:
    """There is nothing to open."""
    with pytest.raises(NotFound):
        await anext(Conversing(house()).events)


async def test_a_number_beyond_the_session_is_out_of_range() -> None:
    """A stream cannot begin where nothing is yet."""
    home = house()
    await session(home)
    with pytest.raises(OutOfRange):
        await anext(Conversing(home, after=9).events)


async def test_leaving_takes_the_watcher_away_and_leaves_the_turn() -> None:
    """A client that vanishes loses nothing: its turn runs to its end."""
    home, talk = await talking()
    await talk.submit(user_input("m1"))
    talk.stream.close()
    await idle(home)
    assert home.hub.watched() == 0
    assert home.attempts.merged() == [[], ["m1"]]
