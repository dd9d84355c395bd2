"""Our own reader of events against a server that is careless with them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from heartrule.domain.errors import ModelUnavailable
from heartrule.model import model_failures as failures
from tests.support.model_client import ModelClient
from tests.support.scripted_model import Pause, Reply, ScriptedModel, delta, event

REPLY = '{"EXIT":"NO","content":"你好，😀！","BRIEF":"问候"}'
DONE = b"data: [DONE]\n\n"
STOP = event({"choices": [{"delta": {}, "finish_reason": "stop"}]})


@pytest.fixture
async def own() -> AsyncIterator[ModelClient]:
    """A client that splits the events itself."""
    async with ScriptedModel() as server:
        made = ModelClient(server, sdk_objects=False)
        yield made
        await made.aclose()


async def test_event_named_error(own: ModelClient) -> None:
    """So is an event of the name error, whatever it holds."""
    own.server.say(Reply(raw=[delta("你"), b"event: error\ndata: {}\n\n", STOP, DONE]))
    with pytest.raises(ModelUnavailable) as caught:
        await own.ask()
    assert caught.value.reason == failures.STREAM_ERROR


async def test_bytes_cut_anywhere(own: ModelClient) -> None:
    """Events written byte by byte, with CRLF and comments, give the same text."""
    stream = b": hi\n\n" + b"".join(map(delta, REPLY)) + STOP + b"data: [DONE]"
    data = stream.replace(b"\n", b"\r\n")
    own.server.say(Reply(raw=[data[i : i + 1] for i in range(len(data))]))
    assert await own.ask() == REPLY


async def test_not_json(own: ModelClient) -> None:
    """An event that is no JSON ends the call; what was read with it, before it, is told."""
    own.server.say(Reply(raw=[delta("你") + b"data: <html>\n\n" + STOP]))
    with pytest.raises(ModelUnavailable) as caught:
        await own.ask()
    assert (caught.value.reason, own.got) == (failures.STREAM_ERROR, ["你"])


async def test_server_that_does_not_stream(own: ModelClient) -> None:
    """A whole answer in one JSON body is taken too."""
    answer = {"choices": [{"message": {"content": REPLY}, "finish_reason": "stop"}]}
    raw = [json.dumps(answer).encode()]
    own.server.say(Reply(raw=raw, content_type="application/json"))
    assert await own.ask() == REPLY


async def test_error_instead_of_a_stream(own: ModelClient) -> None:
    """A body that is an error alone is a failure, whatever its status."""
    raw = [b'{"error":{"message":"overloaded"}}']
    own.server.say(Reply(raw=raw, content_type="application/json"))
    with pytest.raises(ModelUnavailable) as caught:
        await own.ask()
    assert caught.value.reason == failures.STREAM_ERROR


async def test_a_server_that_does_not_end_its_stream(own: ModelClient) -> None:
    """A reply whose model said that it is done is whole, also where the stream stays open."""
    own.server.say(Reply(raw=[delta(REPLY), STOP], pauses={2: Pause()}))
    assert await own.ask() == REPLY
    assert own.calls[0].error == ""
