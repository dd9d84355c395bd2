"""Telling again: repeats, resumption, concurrent sends."""

from __future__ import annotations

import asyncio

import pytest
from grpc import StatusCode, aio

from heartrule.domain.events import Opened, TurnEnded
from heartrule.v1 import conversation_pb2, session_pb2
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script


def replies(count: int = 3) -> Neighbours:
    """Return a model with enough to say."""
    return Neighbours(
        model=FakeModel([ask_reply("怎么称呼你？"), *[ask_reply("慢慢说。")] * count])
    )


async def test_ten_concurrent_sends_of_one_id_are_one_turn_told_ten_times() -> None:
    """As many model calls as one send makes, ten equal sequences of durable events."""
    around = replies()
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        sends = (running.client.send(session_id, "m1", "小明") for _ in range(10))
        told = await asyncio.gather(*sends)
        first = told[0].durable()
        assert [first] * 10 == [one.durable() for one in told]
        assert len(around.model.requests) == 2


async def test_a_repeat_after_the_end_gives_the_whole_turn_again() -> None:
    """The same durable events with their own sequence numbers, and no model call."""
    around = replies()
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        first = await running.client.send(session_id, "m1", "小明")
        again = await running.client.send(session_id, "m1", "小明")
        assert first.durable() == again.durable()
        assert len(around.model.requests) == 2


async def test_a_repeat_on_converse_is_told_on_the_same_stream() -> None:
    """The turn comes again between other events; its numbers do not change."""
    async with running_executor(replies()) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "小明")
            seen = len(stream.told.events)
            await stream.turn("m1", "小明")
        again = [event.sequence for event in stream.told.events[seen:] if event.turn_id]
        assert again == sorted(again)
        assert set(again) <= {event.sequence for event in stream.told.events[:seen]}


async def test_a_broken_stream_resumes_by_sequence() -> None:
    """Events after the given number come first, without a gap, and then the live ones."""
    async with running_executor(replies()) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
        async with running.client.converse(session_id, after=2) as resumed:
            await resumed.turn("m1", "小明")
        numbers = [event.sequence for event in resumed.told.durable()]
        assert numbers == list(range(3, 3 + len(numbers)))


async def test_a_lost_stream_cancels_no_turn() -> None:
    """The turn of a client that vanished is in the history all the same."""
    async with running_executor(replies()) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say("m1", "小明")
        again = await running.client.send(session_id, "m1", "小明")
        assert again.texts() == ["慢慢说。"]


async def test_initialize_is_idempotent() -> None:
    """A second call gives the same messages and asks no model (RESOLUTIONS C28)."""
    around = replies()
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script())
        first = await running.client.initialize(session_id)
        second = await running.client.initialize(session_id)
        assert first.durable() == second.durable()
        assert len(around.model.requests) == 1


async def test_a_message_to_an_unopened_session_opens_it_first() -> None:
    """The opening turn runs, and the message is judged as the next turn (RESOLUTIONS C28)."""
    around = replies()
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        told = await running.client.send(session_id, "m1", "小明")
        assert told.texts() == ["慢慢说。"]
        assert len(around.model.requests) == 2


async def test_submit_and_watch_carry_a_conversation_without_bidi() -> None:
    """What Converse tells, WatchSession tells too."""
    async with running_executor(replies()) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        watching = running.client.stubs.conversation.WatchSession(
            conversation_pb2.WatchSessionRequest(session_id=session_id, after_sequence=0)
        )
        user_input = conversation_pb2.UserInput(client_message_id="m1")
        user_input.parts.add(text="小明")
        answer = await running.client.stubs.conversation.SubmitInput(
            conversation_pb2.SubmitInputRequest(session_id=session_id, input=user_input)
        )
        ends = 0
        async for response in watching:
            ends += response.event.HasField("turn_ended")
            if ends == 2:
                break
        watching.cancel()
        assert answer.sequence > 0


@pytest.mark.parametrize("after", [-1, 10_000])
async def test_a_sequence_beyond_the_session_is_out_of_range(after: int) -> None:
    """A watch above the last sequence tells the bounds; a negative one is no number at all."""
    async with running_executor(replies()) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id, after=after) as stream:
            code = await stream.code()
        wanted = StatusCode.INVALID_ARGUMENT if after < 0 else StatusCode.OUT_OF_RANGE
        assert code is wanted


async def test_an_unknown_session_ends_the_stream() -> None:
    """NOT_FOUND is a status: there is no stream to speak of."""
    async with running_executor(replies()) as running:
        async with running.client.converse("nobody") as stream:
            assert await stream.code() is StatusCode.NOT_FOUND


async def test_a_stream_must_begin_with_open() -> None:
    """An input before `open` is a protocol error."""
    async with running_executor(replies()) as running:
        call = running.client.stubs.conversation.Converse()
        await call.write(conversation_pb2.ConverseRequest(input=conversation_pb2.UserInput()))
        assert await call.code() is StatusCode.INVALID_ARGUMENT


async def test_a_deleted_session_ends_every_stream() -> None:
    """Watchers get NOT_FOUND, and so does every later call."""
    from heartrule.v1 import erasure_pb2

    async with running_executor(replies()) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id) as stream:
            await stream.until_body(Opened)
            await stream.until_body(TurnEnded)
            await running.client.stubs.session.DeleteSession(
                erasure_pb2.DeleteSessionRequest(session_id=session_id)
            )
            assert await stream.code() is StatusCode.NOT_FOUND
        with pytest.raises(aio.AioRpcError) as refused:
            await running.client.stubs.session.GetSession(
                session_pb2.GetSessionRequest(session_id=session_id)
            )
        assert refused.value.code() is StatusCode.NOT_FOUND
