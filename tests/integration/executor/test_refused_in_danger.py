"""An input that is refused is answered by a card where it calls for one, at every way in."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from grpc import aio

from heartrule.domain.events import InputRejected, TurnEnded
from heartrule.domain.keys import SessionKey
from heartrule.v1 import conversation_pb2, fork_and_retry_pb2
from heartrule.v1 import safety_request_pb2 as pb
from session_store.ports import Store
from session_store.records import SafetyStep, SessionRecord
from tests.support.busy_threads import busy_threads
from tests.support.doors import (
    DOORS,
    Door,
    by_converse,
    by_retry_turn,
    by_send_message,
    by_submit_input,
    card_of,
    typed,
)
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel, ask_reply, whole
from tests.support.scripts import ask_script
from tests.support.stopped_stores import StoppableStore, Stopped

CRISIS = "我想自杀"


class FaultyStore:
    """A store with a bug."""

    async def get_session(self, key: SessionKey) -> SessionRecord:
        """Fail as no store should."""
        raise ZeroDivisionError

    async def record_refused(
        self, key: SessionKey, client_message_id: str, step: SafetyStep
    ) -> bool:
        """Fail likewise."""
        raise ZeroDivisionError


async def ended_session(running: Running) -> str:
    """Return a session whose script is at its end."""
    session_id = await running.client.start(ask_script(9))
    await running.client.initialize(session_id)
    await running.client.send(session_id, "m0", "叫我小明")
    return session_id


def to_the_end() -> Neighbours:
    """Return a model that ends the script with the first answer."""
    return Neighbours(
        model=FakeModel(
            [ask_reply("怎么称呼你？"), ask_reply("好的", exit_="YES"), ask_reply("再见")]
        )
    )


@pytest.mark.parametrize("door", DOORS)
async def test_after_the_end_of_the_script_the_refusal_has_the_card(door: Door) -> None:
    """The session takes no input any more, and still says where help is."""
    async with running_executor(to_the_end()) as running:
        session_id = await ended_session(running)
        assert "12356" in await door(running.client, session_id, typed(CRISIS))


@pytest.mark.parametrize("door", DOORS)
async def test_an_unknown_session_has_the_card(door: Door) -> None:
    """Whoever writes to an erased session is told in the language of the text."""
    async with running_executor() as running:
        shown = await door(running.client, "ses_gone", typed("I want to kill myself"))
    assert "killing yourself" in shown


@pytest.mark.parametrize("door", DOORS)
async def test_an_input_that_breaks_the_contract_has_the_card(door: Door) -> None:
    """What may not be stored is read nevertheless."""
    too_many = typed(CRISIS)
    for _ in range(16):
        too_many.parts.add(text="嗯")
    async with running_executor() as running:
        session_id = await running.client.start(ask_script(9))
        assert "12356" in await door(running.client, session_id, too_many)


async def test_no_other_work_delays_the_card_of_a_refusal() -> None:
    """It is read and screened while the threads of the process are busy with other work."""
    too_many = typed("今天天气很好。" * 50 + CRISIS)
    for _ in range(16):
        too_many.parts.add(text="嗯")
    async with running_executor() as running:
        session_id = await running.client.start(ask_script(9))
        async with busy_threads(), asyncio.timeout(10):
            assert "12356" in await by_submit_input(running.client, session_id, too_many)


@pytest.mark.parametrize("door", [*DOORS, by_retry_turn])
async def test_a_text_that_is_too_long_has_the_card(door: Door) -> None:
    """It is screened to its end before its length is looked at."""
    around = Neighbours(model=FakeModel([ask_reply("怎么称呼你？"), ask_reply("慢慢说。")]))
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m0", "叫我小明")
        shown = await door(running.client, session_id, typed("今天天气很好。" * 3_000 + CRISIS))
    assert "12356" in shown


@pytest.mark.parametrize("stopped", Stopped)
@pytest.mark.parametrize("door", DOORS)
async def test_without_a_store_the_refusal_has_the_card(door: Door, stopped: Stopped) -> None:
    """The screen stands before the store, and a store that is silent is not waited for."""
    store = StoppableStore()
    around = Neighbours(model=FakeModel([ask_reply("你好")]), store=store.as_store())
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        running.executor.sessions.inputs.deadline_s = 0.05
        store.stop(stopped)
        assert "12356" in await door(running.client, session_id, typed(CRISIS))
        store.resume()


async def test_the_hit_of_a_refused_input_is_recorded_once() -> None:
    """Sent again it is the same hit, with one alert."""
    async with running_executor(to_the_end()) as running:
        session_id = await ended_session(running)
        for _ in range(2):
            await by_submit_input(running.client, session_id, typed(CRISIS, "m7"))
        request = pb.ListSafetyEventsRequest(session_id=session_id)
        (event,) = (await running.client.stubs.safety.ListSafetyEvents(request)).events
    assert (event.refused, list(event.client_message_ids)) == (True, ["m7"])
    assert event.alert


async def test_a_hit_that_cannot_be_recorded_has_its_card() -> None:
    """Whatever goes wrong beside it, the refusal says where help is."""
    around = to_the_end()
    async with running_executor(around) as running:
        session_id = await ended_session(running)
        running.executor.sessions.inputs.store = cast("Store", FaultyStore())
        assert "12356" in await by_submit_input(running.client, session_id, typed(CRISIS))


async def test_an_ordinary_input_is_refused_without_a_card() -> None:
    """Nothing in it calls for one."""
    async with running_executor(to_the_end()) as running:
        session_id = await ended_session(running)
        assert await by_submit_input(running.client, session_id, typed("还在吗")) == ""


@pytest.mark.parametrize("stopped", Stopped)
async def test_an_open_stream_says_where_help_is_when_the_store_stops(stopped: Stopped) -> None:
    """The refusal comes in-band, in the middle of a conversation."""
    store = StoppableStore()
    around = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]), store=store.as_store())
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        running.executor.sessions.inputs.deadline_s = 0.05
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            store.stop(stopped)
            await stream.say("m1", CRISIS)
            rejected = await stream.until_body(InputRejected)
            store.resume()
    assert rejected.fallback is not None
    assert "12356" in rejected.fallback.card.text


async def test_a_retry_that_is_refused_has_the_card() -> None:
    """The new text of RetryTurn is read as any other."""
    async with running_executor() as running:
        request = fork_and_retry_pb2.RetryTurnRequest(session_id="ses_gone", text=CRISIS)
        with pytest.raises(aio.AioRpcError) as caught:
            await running.client.stubs.session.RetryTurn(request)
    assert "12356" in card_of(caught.value)


@pytest.mark.parametrize("door", DOORS)
async def test_a_session_in_crisis_is_answered_by_a_card_whatever_is_said(door: Door) -> None:
    """Its client may be in danger still, though the store is gone."""
    store = StoppableStore()
    around = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]), store=store.as_store())
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        await door(running.client, session_id, typed(CRISIS))
        store.stop(Stopped.FAILS)
        assert "12356" in await door(running.client, session_id, typed("嗯", "m2"))
        store.resume()


async def test_what_is_written_into_a_form_is_read() -> None:
    """A form that answers no open request is refused, with the card for its text."""
    async with running_executor(to_the_end()) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        filled = conversation_pb2.UserInput(client_message_id="m1", input_request_id="req_0")
        filled.parts.add(fallback_text="（填好的表单）").form.values.update({"note": CRISIS})
        assert "12356" in await by_submit_input(running.client, session_id, filled)


class StopsAtCommit(StoppableStore):
    """Stops in the way named by `then`, before it commits the next step."""

    then: Stopped | None = None

    def __getattr__(self, name: str) -> Any:
        """Stop before a commit is begun."""
        if name == "commit_step" and self.then:
            self.stop(self.then)
        return super().__getattr__(name)


@pytest.mark.parametrize("how", list(Stopped))
@pytest.mark.parametrize("door", [by_converse, by_send_message])
async def test_a_store_that_goes_behind_an_accepted_input_keeps_no_card_back(
    door: Door, how: Stopped
) -> None:
    """The input is stored, its turn commits nothing, and the client is shown the card."""
    store = StopsAtCommit()
    neighbours = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]), store=store.as_store())
    async with running_executor(neighbours) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        store.then = how
        try:
            shown = await door(running.client, session_id, typed(CRISIS))
        finally:
            store.then = None
            store.resume()
    assert "12356" in shown


async def test_a_slow_model_is_no_silent_store() -> None:
    """A concern is asked about once in five turns; afterwards the script answers a hit."""
    slow = whole(ask_reply("慢慢说。"))
    slow.gate = asyncio.Event()
    around = Neighbours(model=FakeModel([ask_reply("怎么称呼你？"), slow]))
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m1", "大学时想过自杀")
        inputs = running.executor.sessions.inputs
        inputs.turn_deadline_s = 0.3
        async with running.client.converse(session_id) as stream:
            await stream.say("m2", "大学时想过自杀")
            await slow.started.wait()
            await inputs.background.idle()
            slow.gate.set()
            await stream.until_body(TurnEnded)
    assert (stream.told.texts(), stream.told.of(InputRejected)) == (["慢慢说。"], [])


async def test_an_answered_hit_that_is_sent_again_is_answered_from_the_store() -> None:
    """Its turn has ended, so no further card is owed."""
    around = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]))
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m1", CRISIS)
        inputs = running.executor.sessions.inputs
        inputs.turn_deadline_s = 0.05
        async with running.client.converse(session_id) as stream:
            await stream.say("m1", CRISIS)
            await stream.until_body(TurnEnded)
            await inputs.background.idle()
            await stream.finish()
    assert not stream.told.of(InputRejected)
