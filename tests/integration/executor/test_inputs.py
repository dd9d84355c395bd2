"""Inputs: refused in-band, merged, queued, rejected."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest
from grpc import aio

from heartrule.domain.events import InputAccepted, InputRejected, TurnEnded, TurnStarted
from heartrule.v1 import conversation_pb2, fork_and_retry_pb2
from tests.support.conversing import Client, Told
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, Reply, ask_reply, whole
from tests.support.scripts import ask_script

QUESTION = ask_reply("怎么称呼你？")
MORE = ask_reply("慢慢说。")


def slow_second() -> tuple[Neighbours, Reply, asyncio.Event]:
    """Return a model whose second reply, given too, waits for the event."""
    gate = asyncio.Event()
    held = Reply(pieces=(MORE[:30], MORE[30:]), gate=gate)
    return Neighbours(model=FakeModel([whole(QUESTION), held, *[whole(MORE)] * 20])), held, gate


async def test_three_fragments_sent_while_a_turn_runs_are_one_turn_and_one_round() -> None:
    """Inputs that wait merge into the next turn and are judged together."""
    around, held, gate = slow_second()
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say("m1", "嗯")
            await held.started.wait()
            for number in (2, 3, 4):
                await stream.say(f"m{number}", f"片段{number}")
            for _ in range(3):
                await stream.until_body(InputAccepted)
            gate.set()
            await stream.until_body(TurnEnded)
            merged = await stream.until_body(TurnEnded)
        assert merged.client_message_ids == ("m2", "m3", "m4")
        assert merged.state is not None
        assert merged.state.position.current_round == 3
        assert "> 片段2\n> 片段3\n> 片段4\n" in around.model.last_prompt()


async def test_a_merge_window_joins_fragments_sent_to_an_idle_session() -> None:
    """With a window of one second three fragments sent at once are one turn."""
    around = Neighbours(model=FakeModel([QUESTION, MORE, MORE, MORE]))
    script = ask_script(9).replace(
        "  session_id: asking\n", "  session_id: asking\n  input: {merge_window_ms: 1000}\n"
    )
    async with running_executor(around) as running:
        session_id = await running.client.start(script)
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            for number in (1, 2, 3):
                await stream.say(f"m{number}", f"片段{number}")
            ended = await stream.until_body(TurnEnded)
        assert ended.client_message_ids == ("m1", "m2", "m3")


async def test_queue_makes_each_waiting_input_a_turn_of_its_own() -> None:
    """if_busy QUEUE keeps messages apart."""
    around, held, gate = slow_second()
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say("m1", "嗯")
            await held.started.wait()
            for number in (2, 3):
                await stream.say(f"m{number}", "好", if_busy="IF_BUSY_QUEUE")
                await stream.until_body(InputAccepted)
            gate.set()
            ends = [await stream.until_body(TurnEnded) for _ in range(3)]
        assert [end.client_message_ids for end in ends] == [("m1",), ("m2",), ("m3",)]


async def test_reject_refuses_an_input_while_a_turn_runs() -> None:
    """if_busy REJECT answers RESOURCE_EXHAUSTED with a time to wait, and the stream lives on."""
    around, held, gate = slow_second()
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say("m1", "嗯")
            await held.started.wait()
            await stream.say("m2", "好", if_busy="IF_BUSY_REJECT")
            rejected = await stream.until_body(InputRejected)
            gate.set()
            await stream.until_body(TurnEnded)
        assert rejected.problem.code == 8
        assert rejected.problem.retry_after is not None


async def test_the_seventeenth_waiting_input_is_refused() -> None:
    """Sixteen may wait; the next is told when to come again."""
    around, held, gate = slow_second()
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say("m0", "嗯")
            await held.started.wait()
            for number in range(1, 18):
                await stream.say(f"m{number}", "好")
            rejected = await stream.until_body(InputRejected)
            gate.set()
        assert rejected.client_message_id == "m17"
        assert rejected.problem.code == 8


async def test_the_same_id_with_other_words_is_refused() -> None:
    """A client_message_id names one content for ever."""
    async with running_executor(Neighbours(model=FakeModel([QUESTION, MORE]))) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "小明")
            await stream.say("m1", "小红")
            rejected = await stream.until_body(InputRejected)
        assert rejected.problem.code == 3
        assert rejected.problem.reason == "CLIENT_MESSAGE_ID_REUSED"


@pytest.mark.parametrize(("message_id", "text"), [("", "好"), ("m1", "好" * 400_000)])
async def test_a_bad_input_is_told_in_band_and_the_stream_lives_on(
    message_id: str, text: str
) -> None:
    """An empty id or too many bytes: INVALID_ARGUMENT, and the next input is served."""
    async with running_executor(Neighbours(model=FakeModel([QUESTION, MORE]))) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say(message_id, text)
            rejected = await stream.until_body(InputRejected)
            ended = await stream.turn("m2", "好")
        assert rejected.problem.code == 3
        assert ended.client_message_ids == ("m2",)


async def test_input_after_the_end_is_a_failed_precondition() -> None:
    """A finished script answers with a status of its own, not with an echo."""
    replies = [QUESTION, ask_reply("好", exit_="YES"), ask_reply("再见")]
    async with running_executor(Neighbours(model=FakeModel(replies))) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "小明")
            await stream.say("m2", "还在吗")
            rejected = await stream.until_body(InputRejected)
        assert rejected.problem.code == 9
        assert len(stream.told.of(TurnStarted)) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("一" * 41, "这条消息有 41 个字，一条消息最多 40 个字。请把它分成几条，一条一条发送。"),
        (" \n\u3164", "must not be blank"),
    ],
)
async def test_a_text_too_long_or_blank_is_refused_at_every_door(text: str, told: str) -> None:
    """Converse, SendMessage, SubmitInput and RetryTurn say why; the session goes on."""
    model = FakeModel([QUESTION, MORE])
    limit = "  session_id: asking\n  input: {max_input_chars: 40}\n"
    script = ask_script(9).replace("  session_id: asking\n", limit)
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(script)
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say("m1", text)
            problem = (await stream.until_body(InputRejected)).problem
            await stream.turn("m2", "一" * 40)
        refused = [problem.message, *await refused_elsewhere(running.client, session_id, text)]
    assert [told in each for each in refused] == [True] * 4
    assert len(model.requests) == 2


async def refused_elsewhere(client: Client, session_id: str, text: str) -> list[str]:
    """Return what SendMessage, SubmitInput and RetryTurn say of a text."""
    conversation = client.stubs.conversation
    sent = conversation_pb2.UserInput(client_message_id="m3", parts=[{"text": text}])
    submit = conversation_pb2.SubmitInputRequest(session_id=session_id, input=sent)
    retry = fork_and_retry_pb2.RetryTurnRequest(session_id=session_id, text=text)
    calls = conversation.SubmitInput(submit), client.stubs.session.RetryTurn(retry)
    said = [await refused_by(client.send(session_id, "m3", text))]
    return said + [await refused_by(call) for call in calls]


async def refused_by(call: Awaitable[object]) -> str:
    """Return why a call refuses its input, by its status or in-band."""
    try:
        told = await call
    except aio.AioRpcError as error:
        return f"{error.code().name}: {error.details()}"
    assert isinstance(told, Told)
    (rejected,) = told.of(InputRejected)
    return rejected.problem.message
