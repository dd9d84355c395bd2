"""The real client against the scripted server: streams, failures, limits, both readers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator

import pytest

from heartrule.domain.errors import ModelRateLimited, ModelStreamCut, ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model import failures
from heartrule.model.openai_chat import OpenAIChunks
from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.model.provider_chat import ProviderChatModel
from heartrule.model.providers import Models, Profile, Provider, Timeouts
from heartrule.model.response_format import ResponseFormat
from heartrule.model.timing import Timing
from tests.support.scripted_model import Pause, Reply, ScriptedModel, delta, event

REPLY = '{"EXIT":"NO","content":"你好，😀！","BRIEF":"问候"}'
DONE = b"data: [DONE]\n\n"
STOP = event({"choices": [{"delta": {}, "finish_reason": "stop"}]})


class Client:
    """One provider at the scripted server, and the records of its calls."""

    def __init__(self, server: ScriptedModel, *, sdk_objects: bool) -> None:
        self.server = server
        self.calls: list[LLMDebugInfo] = []
        self.got: list[str] = []
        self._sdk_objects = sdk_objects
        self._models: list[ProviderChatModel] = []

    def model(
        self, form: ResponseFormat = ResponseFormat.NONE, *, base_url: str = ""
    ) -> ProviderChatModel:
        provider = Provider(
            base_url=base_url or self.server.base_url,
            models=Models(talk="big"),
            profile=Profile(response_format=form, sdk_objects=self._sdk_objects),
            timeouts=Timeouts(connect_s=2, read_s=5),
            parameters={"temperature": 0.5},
        )
        source = OpenAIChunks("p", provider, api_key="sk-test", timing=Timing())
        self._models.append(ProviderChatModel("p", provider, source, Timing()))
        return self._models[-1]

    def stream(
        self,
        model: ProviderChatModel | None = None,
        *,
        visible: bool = False,
        timeout_s: float = 10,
    ) -> AsyncGenerator[str, None]:
        request = ChatRequest(
            purpose=Purpose.TALK,
            messages=(
                ChatMessage(role="system", content="规"),
                ChatMessage(role="user", content="问"),
            ),
            prompt_type="ai_ask_v1",
            template_hash="h",
            reply_fields=("EXIT", "content"),
            timeout_s=timeout_s,
        )
        chosen = model or self.model()
        return chosen.stream(request, calls=self.calls, visible=lambda: visible)

    async def ask(
        self,
        model: ProviderChatModel | None = None,
        *,
        visible: bool = False,
        timeout_s: float = 10,
    ) -> str:
        async for piece in self.stream(model, visible=visible, timeout_s=timeout_s):
            self.got.append(piece)
        return "".join(self.got)

    async def aclose(self) -> None:
        for model in self._models:
            await model.aclose()


async def whole(stream: AsyncGenerator[str, None]) -> str:
    return "".join([piece async for piece in stream])


@pytest.fixture(params=[False, True], ids=["own_reader", "sdk_objects"])
async def client(request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    """A client that reads events itself, and one that lets the SDK do it."""
    async with ScriptedModel() as server:
        made = Client(server, sdk_objects=request.param)
        yield made
        await made.aclose()


@pytest.fixture
async def own() -> AsyncIterator[Client]:
    """Only the reader of our own."""
    async with ScriptedModel() as server:
        made = Client(server, sdk_objects=False)
        yield made
        await made.aclose()


async def test_whole_reply(client: Client) -> None:
    """A reply arrives piece by piece, with its tokens and its end in the record."""
    client.server.say(REPLY)
    assert await client.ask() == REPLY
    assert len(client.got) > 3
    (call,) = client.calls
    assert (call.output, call.finish_reason, call.error) == (REPLY, "stop", "")
    assert (call.prompt_tokens, call.completion_tokens) == (11, 7)
    assert call.first_token_ms > 0


async def test_request(client: Client) -> None:
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


async def test_first_piece_before_the_end(client: Client) -> None:
    """Text comes while the model is still writing."""
    pause = Pause()
    client.server.say(Reply(REPLY, size=8, pauses={4: pause}))
    stream = client.stream()
    begun = [await anext(stream) for _ in range(4)]
    pause.go.set()
    assert "".join(begun) == REPLY[:32]
    assert await whole(stream) == REPLY[32:]


async def test_first_calls_share_one_client(client: Client) -> None:
    """Calls that come together before the client is made use the same one, and all succeed."""
    client.server.say(REPLY, REPLY, REPLY)
    model = client.model()
    streams = [client.stream(model) for _ in range(3)]
    texts = await asyncio.gather(*map(whole, streams))
    assert texts == [REPLY] * 3


async def test_rate_limit(client: Client) -> None:
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
async def test_status(client: Client, status: int, reason: str) -> None:
    """Other statuses are typed, and the record names them."""
    client.server.say(Reply("不行", status=status))
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask()
    assert caught.value.reason == reason
    assert client.calls[0].error == f"{reason} provider=p status={status}"


async def test_no_server(client: Client) -> None:
    """A refused connection is unavailable."""
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask(client.model(base_url="http://127.0.0.1:9/v1"))
    assert caught.value.reason in {failures.CONNECTION, failures.TIMEOUT}


async def test_dropped_connection(client: Client) -> None:
    """A connection lost in mid-stream is unavailable before text was shown, cut after."""
    for visible, kind in ((False, ModelUnavailable), (True, ModelStreamCut)):
        client.server.say(Reply(REPLY, drop_after=3))
        with pytest.raises(ModelUnavailable) as caught:
            await client.ask(visible=visible)
        assert type(caught.value) is kind
    assert client.calls[0].output == REPLY[:12]


async def test_half_stream(client: Client) -> None:
    """A stream that ends without a finish reason is no whole reply."""
    client.server.say(Reply(REPLY[:20], finish_reason=""))
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask()
    assert caught.value.reason == failures.STREAM_CUT


async def test_length(client: Client) -> None:
    """A reply that hit the token limit is cut."""
    client.server.say(Reply(REPLY[:20], finish_reason="length"))
    with pytest.raises(ModelStreamCut) as caught:
        await client.ask()
    assert caught.value.metadata["finish_reason"] == "length"


async def test_ten_megabytes(client: Client) -> None:
    """A reply of ten megabytes ends as cut after the first."""
    client.server.say(Reply("长" * 3_500_000, size=20_000))
    with pytest.raises(ModelStreamCut):
        await client.ask()
    assert len("".join(client.got).encode()) <= 1024 * 1024


async def test_silent_server(client: Client) -> None:
    """A server that never begins is given up in time."""
    client.server.say(Reply(REPLY, pauses={0: Pause()}))
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask(timeout_s=0.1)
    assert caught.value.reason == failures.TIMEOUT


async def test_server_that_stalls(client: Client) -> None:
    """So is one that stops in the middle; what came is in the record."""
    client.server.say(Reply(REPLY, pauses={2: Pause()}))
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask(timeout_s=0.3)
    assert caught.value.reason == failures.TIMEOUT
    assert client.calls[0].output == REPLY[:8]


async def test_cancelled_call(client: Client) -> None:
    """A cancelled caller leaves at once, and the record says so."""
    pause = Pause()
    client.server.say(Reply(REPLY, pauses={2: pause}))
    asking = asyncio.create_task(client.ask())
    await pause.reached.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert client.calls[0].error == "CANCELLED"


async def test_connection_is_reused(client: Client) -> None:
    """After a whole reply the same connection serves the next call."""
    client.server.say(REPLY, REPLY)
    model = client.model()
    await client.ask(model)
    await client.ask(model)
    assert len(client.server.peers) == 1


async def test_format_refused_once(client: Client) -> None:
    """A server that does not know response_format is asked without it from then on."""
    client.server.say(Reply("?", status=400), REPLY, REPLY)
    model = client.model(ResponseFormat.JSON_SCHEMA)
    await client.ask(model)
    await client.ask(model)
    asked = ["response_format" in request.body for request in client.server.requests]
    assert asked == [True, False, False]
    assert [bool(call.error) for call in client.calls] == [True, False, False]


async def test_error_in_the_stream(client: Client) -> None:
    """An error inside the stream is a failure."""
    client.server.say(Reply(raw=[delta("你"), event({"error": {"message": "x"}}), STOP, DONE]))
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask()
    assert caught.value.reason == failures.STREAM_ERROR


async def test_event_named_error(own: Client) -> None:
    """So is an event of the name error, whatever it holds."""
    own.server.say(Reply(raw=[delta("你"), b"event: error\ndata: {}\n\n", STOP, DONE]))
    with pytest.raises(ModelUnavailable) as caught:
        await own.ask()
    assert caught.value.reason == failures.STREAM_ERROR


async def test_bytes_cut_anywhere(own: Client) -> None:
    """Events written byte by byte, with CRLF and comments, give the same text."""
    stream = b": hi\n\n" + b"".join(map(delta, REPLY)) + STOP + b"data: [DONE]"
    data = stream.replace(b"\n", b"\r\n")
    own.server.say(Reply(raw=[data[i : i + 1] for i in range(len(data))]))
    assert await own.ask() == REPLY


async def test_not_json(own: Client) -> None:
    """An event that is no JSON ends the call."""
    own.server.say(Reply(raw=[delta("你"), b"data: <html>\n\n", STOP]))
    with pytest.raises(ModelUnavailable) as caught:
        await own.ask()
    assert caught.value.reason == failures.STREAM_ERROR


async def test_server_that_does_not_stream(own: Client) -> None:
    """A whole answer in one JSON body is taken too."""
    answer = {"choices": [{"message": {"content": REPLY}, "finish_reason": "stop"}]}
    raw = [json.dumps(answer).encode()]
    own.server.say(Reply(raw=raw, content_type="application/json"))
    assert await own.ask() == REPLY
