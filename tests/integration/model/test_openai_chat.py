"""The real client against the scripted server: streams, failures, both readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from heartrule.domain.errors import (
    ModelRateLimited,
    ModelStreamCut,
    ModelUnavailable,
    PromptTooLong,
)
from heartrule.model import model_failures as failures
from heartrule.model.response_format import ResponseFormat
from tests.support.model_client import ModelClient
from tests.support.scripted_model import Pause, Reply, delta, event

REPLY = '{"EXIT":"NO","content":"你好，😀！","BRIEF":"问候"}'
DONE = b"data: [DONE]\n\n"
STOP = event({"choices": [{"delta": {}, "finish_reason": "stop"}]})


async def whole(stream: AsyncGenerator[str, None]) -> str:
    return "".join([piece async for piece in stream])


async def test_whole_reply(client: ModelClient) -> None:
    """A reply arrives whole, with its tokens and its end in the record."""
    client.server.say(REPLY)
    assert await client.ask() == REPLY
    (call,) = client.calls
    assert (call.output, call.finish_reason, call.error) == (REPLY, "stop", "")
    assert (call.prompt_tokens, call.completion_tokens) == (11, 7)
    assert call.first_token_ms > 0


async def test_thoughts_beside_the_text(client: ModelClient) -> None:
    """Thoughts that a server sends beside the text are counted, and nobody reads them."""
    thought = event({"choices": [{"delta": {"reasoning_content": "先想想"}, "index": 0}]})
    client.server.say(Reply(raw=(thought, delta(REPLY), STOP, DONE)))
    assert await client.ask() == REPLY
    assert (client.calls[0].output, client.calls[0].reasoning_chars) == (REPLY, 3)


async def test_request(client: ModelClient) -> None:
    """The messages, the model and the parameters reach the server as they were meant."""
    client.server.say(REPLY)
    await client.ask(client.model(ResponseFormat.JSON_OBJECT))
    (request,) = client.server.requests
    assert request.messages == [
        {"role": "system", "content": "规"},
        {"role": "user", "content": "问"},
    ]
    assert (request.model, request.body["stream"]) == ("big", True)
    assert request.body["temperature"] == 0.5
    assert request.body["response_format"] == {"type": "json_object"}
    assert request.body["stream_options"] == {"include_usage": True}
    assert request.headers["Authorization"] == "Bearer sk-test"
    assert request.headers["User-Agent"].startswith("AsyncOpenAI/Python")
    assert request.headers["Content-Type"] == "application/json"


async def test_moved_address(client: ModelClient) -> None:
    """A server that sends the request elsewhere is followed, and gets the same request there."""
    moved = {"location": f"{client.server.base_url}/chat/completions"}
    client.server.say(Reply(status=307, headers=moved), REPLY)
    assert await client.ask() == REPLY
    first, second = client.server.requests
    assert first.body == second.body


async def test_first_piece_before_the_end(client: ModelClient) -> None:
    """Text comes while the model is still writing."""
    pause = Pause()
    client.server.say(Reply(REPLY, size=8, pauses={4: pause}))
    stream = client.stream()
    begun = ""
    while len(begun) < 32:
        begun += await anext(stream)
    pause.go.set()
    assert begun == REPLY[:32]
    assert await whole(stream) == REPLY[32:]


async def test_first_calls_share_one_client(client: ModelClient) -> None:
    """Calls that come together before the client is made use the same one, and all succeed."""
    client.server.say(REPLY, REPLY, REPLY)
    model = client.model()
    streams = [client.stream(model) for _ in range(3)]
    texts = await asyncio.gather(*map(whole, streams))
    assert texts == [REPLY] * 3


async def test_rate_limit(client: ModelClient) -> None:
    """429 is a pause of the asked length, and no retry of the SDK's own."""
    client.server.say(Reply("慢", status=429, headers={"retry-after": "7"}))
    with pytest.raises(ModelRateLimited) as caught:
        await client.ask()
    assert caught.value.retry_after is not None
    assert caught.value.retry_after.total_seconds() == 7
    assert len(client.server.requests) == len(client.calls) == 1


@pytest.mark.parametrize(
    ("status", "reason"), [(500, failures.SERVER_ERROR), (401, failures.REJECTED)]
)
async def test_status(client: ModelClient, status: int, reason: str) -> None:
    """Other statuses are typed, and the record names them."""
    client.server.say(Reply("不行", status=status))
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask()
    assert caught.value.reason == reason
    assert client.calls[0].error == f"{reason} provider=p status={status}"


async def test_no_server(client: ModelClient) -> None:
    """A refused connection is unavailable."""
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask(client.model(base_url="http://127.0.0.1:9/v1"))
    assert caught.value.reason in {failures.CONNECTION, failures.TIMEOUT}


async def test_dropped_connection(client: ModelClient) -> None:
    """A connection lost in mid-stream is unavailable before text was shown, cut after."""
    for visible, kind in ((False, ModelUnavailable), (True, ModelStreamCut)):
        client.server.say(Reply(REPLY, drop_after=3))
        with pytest.raises(ModelUnavailable) as caught:
            await client.ask(visible=visible)
        assert type(caught.value) is kind
    assert client.calls[0].output == REPLY[:12]


async def test_half_stream(client: ModelClient) -> None:
    """A stream that ends without a finish reason is no whole reply."""
    client.server.say(Reply(REPLY[:20], finish_reason=""))
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask()
    assert caught.value.reason == failures.STREAM_CUT


async def test_length(client: ModelClient) -> None:
    """A reply that hit the token limit is cut."""
    client.server.say(Reply(REPLY[:20], finish_reason="length"))
    with pytest.raises(ModelStreamCut) as caught:
        await client.ask()
    assert caught.value.metadata["finish_reason"] == "length"


async def test_ten_megabytes(client: ModelClient) -> None:
    """A reply of ten megabytes ends as cut after the first."""
    client.server.say(Reply("长" * 3_500_000, size=20_000))
    with pytest.raises(ModelStreamCut):
        await client.ask()
    assert len("".join(client.got).encode()) <= 1024 * 1024


async def test_cancelled_call(client: ModelClient) -> None:
    """A cancelled caller leaves at once, and the record says so."""
    pause = Pause()
    client.server.say(Reply(REPLY, pauses={2: pause}))
    asking = asyncio.create_task(client.ask())
    await pause.reached.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert client.calls[0].error == "CANCELLED"


async def test_connection_is_reused(client: ModelClient) -> None:
    """After a whole reply the same connection serves the next call."""
    client.server.say(REPLY, REPLY)
    model = client.model()
    await client.ask(model)
    await client.ask(model)
    assert len(client.server.peers) == 1


@pytest.mark.parametrize(
    ("asked_for", "then"), [(ResponseFormat.JSON_SCHEMA, True), (ResponseFormat.JSON_OBJECT, False)]
)
async def test_format_refused_once(
    client: ModelClient, asked_for: ResponseFormat, *, then: bool
) -> None:
    """A server that does not know a response_format is asked for the next plainer from then on."""
    client.server.say(Reply("?", status=400), REPLY, REPLY)
    model = client.model(asked_for)
    await client.ask(model)
    await client.ask(model)
    asked = ["response_format" in request.body for request in client.server.requests]
    assert asked == [True, then, then]
    assert [bool(call.error) for call in client.calls] == [True, False, False]


TOO_LONG = "This model's maximum context length is 4096 tokens."


@pytest.mark.parametrize(
    "refusal",
    [
        Reply(TOO_LONG, status=400),
        Reply(TOO_LONG, status=500),
        Reply(status=413),
        Reply(raw=[event({"error": {"message": TOO_LONG}}), DONE]),
        Reply(raw=[b"event: error\n", event({"error": {"message": TOO_LONG}}), DONE]),
    ],
)
async def test_a_prompt_that_is_too_long(client: ModelClient, refusal: Reply) -> None:
    """However a server says it, the call is made once more, and then fails for good."""
    client.server.say(refusal, refusal)
    with pytest.raises(PromptTooLong) as caught:
        await client.ask()
    assert caught.value.reason == failures.CONTEXT_EXCEEDED
    assert caught.value.metadata.get("limit_tokens", "4096") == "4096"
    assert len(client.server.requests) == len(client.calls) == 2


async def test_error_in_the_stream(client: ModelClient) -> None:
    """An error inside the stream is a failure."""
    client.server.say(Reply(raw=[delta("你"), event({"error": {"message": "x"}}), STOP, DONE]))
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask()
    assert caught.value.reason == failures.STREAM_ERROR
