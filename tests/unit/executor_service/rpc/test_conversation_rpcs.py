"""The rpcs that tell events, over a call without a network."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
from grpc import aio

from executor_service.rpc import conversation_rpcs as module
from executor_service.rpc.conversation_rpcs import ConversationRpcs
from heartrule.domain.errors import DeadlinePassed, InvalidRequest, NotSupported
from heartrule.domain.events import InputRejected, Opened, SessionEvent, TurnEnded
from heartrule.v1 import conversation_pb2, session_pb2
from heartrule.wire.event_messages import event_from_message
from tests.support.turn_builders import KEY, House, house, idle, session

OPEN = conversation_pb2.ConverseRequest(
    open=conversation_pb2.OpenConversation(session_id=KEY.session_id)
)


@dataclass
class Call:
    """One stream: what the client sends in order, then half-close; what it was told."""

    requests: deque[Any] = field(default_factory=deque)
    told: list[SessionEvent] = field(default_factory=list)
    reads_slowly: bool = False

    async def read(self) -> Any:
        """Give the next request; an error stands for bytes that are none."""
        request = self.requests.popleft() if self.requests else aio.EOF
        if isinstance(request, InvalidRequest):
            raise request
        return request

    async def write(self, response: Any) -> None:
        """Keep what is told; a reader that is stuck never returns."""
        if self.reads_slowly:
            await asyncio.Event().wait()
        event = event_from_message(response.event)
        assert event is not None
        self.told.append(event)

    def kinds(self) -> list[type]:
        """Return the kinds of what was told."""
        return [type(event.body) for event in self.told]


def say(client_message_id: str, text: str = "嗯") -> conversation_pb2.ConverseRequest:
    """Return the request of an input."""
    request = conversation_pb2.ConverseRequest(
        input=conversation_pb2.UserInput(client_message_id=client_message_id)
    )
    request.input.parts.add(text=text)
    return request


async def converse(requests: Iterable[Any], call: Call | None = None) -> tuple[Call, House]:
    """Hold one conversation to its end."""
    home = house()
    await session(home)
    one = call or Call()
    one.requests.extend(requests)
    async with asyncio.timeout(5):
        await ConversationRpcs(home.streams).Converse(None, one)  # type: ignore[arg-type]
    return one, home


async def test_a_conversation_is_told_to_the_answer_of_its_last_input() -> None:
    """Opened first, then the opening, then the input's turn."""
    call, home = await converse([OPEN, say("m1")])
    assert call.kinds()[0] is Opened
    ends = [e.body.client_message_ids for e in call.told if isinstance(e.body, TurnEnded)]
    assert ends == [(), ("m1",)]
    assert home.hub.watched() == 0


async def test_an_input_that_breaks_the_rules_is_told_in_band() -> None:
    """The stream lives on, and the next input is served."""
    call, _ = await converse([OPEN, say(""), say("m1")])
    rejected = [e.body for e in call.told if isinstance(e.body, InputRejected)]
    assert [body.problem.code for body in rejected] == [3]
    assert isinstance(call.told[-1].body, TurnEnded)


@pytest.mark.parametrize("first", [[], [say("m1")]], ids=["nothing", "an input"])
async def test_a_stream_must_begin_with_open(first: list[Any]) -> None:
    """Anything else is a protocol error, before any event."""
    call = Call()
    with pytest.raises(InvalidRequest) as caught:
        await converse(first, call)
    assert (caught.value.reason, call.told) == ("OPEN_REQUIRED", [])


@pytest.mark.parametrize(
    ("second", "error"),
    [(OPEN, InvalidRequest), (conversation_pb2.ConverseRequest(), NotSupported)],
    ids=["open twice", "unknown"],
)
async def test_a_broken_protocol_ends_the_stream(second: Any, error: type[Exception]) -> None:
    """With a status, and no watcher stays behind."""
    call = Call()
    with pytest.raises(error):
        await converse([OPEN, second], call)
    assert call.kinds()[0] is Opened


async def test_bytes_that_are_no_request_end_the_stream() -> None:
    """The client learns it at once; what the bytes meant is unknown, so nothing is skipped."""
    undecodable = InvalidRequest("9 bytes", reason="UNDECODABLE_REQUEST")
    with pytest.raises(InvalidRequest, match="9 bytes"):
        await converse([OPEN, undecodable, say("m1")])


async def test_a_reader_that_is_stuck_loses_its_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its turn goes on; it resumes by sequence."""
    monkeypatch.setattr(module, "WRITE_TIMEOUT_S", 0)
    with pytest.raises(DeadlinePassed) as caught:
        await converse([OPEN], Call(reads_slowly=True))
    assert caught.value.reason == "SLOW_READER"


async def test_a_flood_of_a_client_that_reads_nothing_is_left_unread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What answers it is bounded; the rest stays in the network's buffers."""
    monkeypatch.setattr(module, "WRITE_TIMEOUT_S", 0.05)
    call = Call(reads_slowly=True)
    with pytest.raises(DeadlinePassed):
        await converse([OPEN, *[say("")] * 1000], call)
    assert len(call.requests) > 900


async def test_submitting_answers_with_the_inputs_place() -> None:
    """Its turn is told elsewhere; the same input again is a duplicate."""
    home = house()
    await session(home)
    rpcs = ConversationRpcs(home.streams)
    request = conversation_pb2.SubmitInputRequest(session_id=KEY.session_id, input=say("m1").input)
    first = await rpcs.SubmitInput(request, None)  # type: ignore[arg-type]
    await idle(home)
    again = await rpcs.SubmitInput(request, None)  # type: ignore[arg-type]
    assert (first.duplicate, again.duplicate) == (False, True)
    assert (first.sequence, bool(again.turn_id)) == (again.sequence, True)


async def test_one_message_is_told_and_the_call_ends() -> None:
    """SendMessage is Converse for one input."""
    home, call = house(), Call()
    await session(home)
    request = conversation_pb2.SendMessageRequest(session_id=KEY.session_id, input=say("m1").input)
    await ConversationRpcs(home.streams).SendMessage(request, call)  # type: ignore[arg-type]
    assert isinstance(call.told[-1].body, TurnEnded)


async def test_initializing_tells_the_opening() -> None:
    """And ends with it."""
    home, call = house(), Call()
    await session(home)
    request = session_pb2.InitializeSessionRequest(session_id=KEY.session_id)
    await ConversationRpcs(home.streams).InitializeSession(request, call)  # type: ignore[arg-type]
    assert isinstance(call.told[-1].body, TurnEnded)
