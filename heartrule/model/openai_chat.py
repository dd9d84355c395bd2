"""Chunks of a chat completion through the OpenAI SDK; the only importer of openai.

The SDK gives address, headers and the HTTP client. The request goes past its handling of
parameters and the events past its objects: both cost more than the rest of a turn (FACTS section
1, docs/reference/benchmarks.md). Its own retries are off: when a call is made again is decided in
one place, `FallbackChatModel`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

import orjson

from heartrule.domain.errors import HeartRuleError
from heartrule.domain.json_value import JsonValue
from heartrule.model import failures
from heartrule.model.chat_chunk import ChatChunk, MalformedChunk, read_chunk, read_events
from heartrule.model.providers import Provider
from heartrule.model.sse import MAX_EVENT_BYTES, EventSplitter, EventTooLarge
from heartrule.model.timing import Timing

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam

_DRAIN_S = 0.05

ResultT = TypeVar("ResultT")
Messages = list[dict[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class _Client:
    """The SDK's client, and what a request past it needs."""

    sdk: AsyncOpenAI
    http: httpx2.AsyncClient
    address: str
    headers: Mapping[str, str]


class OpenAIChunks:
    """One provider's completions as chunks; a `ChunkSource`."""

    def __init__(self, name: str, provider: Provider, *, api_key: str, timing: Timing) -> None:
        """Nothing is connected or imported before the first call."""
        self._name = name
        self._provider = provider
        self._api_key = api_key
        self._timing = timing
        self._client: _Client | None = None
        self._making = asyncio.Lock()

    async def chunks(
        self, parameters: Mapping[str, JsonValue], messages: Messages, *, timeout_s: float
    ) -> AsyncGenerator[ChatChunk, None]:
        """Send one request and yield its chunks to the end of the stream.

        Args:
            parameters: Everything in the request but messages and stream; `model` is one.
            messages: As the protocol spells them.
            timeout_s: For the whole of it.

        Raises:
            ModelRateLimited: The provider asks for a pause.
            ModelUnavailable: No answer, a broken one, or none in time.
        """
        deadline = asyncio.get_running_loop().time() + timeout_s
        source = self._sdk_chunks if self._provider.profile.sdk_objects else self._raw_chunks
        try:
            async with aclosing(source(parameters, messages, deadline)) as chunks:
                async for chunk in chunks:
                    yield chunk
        except HeartRuleError:
            raise
        except Exception as error:
            failure = self._failure(error)
            if failure is None:
                raise
            raise failure from error

    async def prepare(self) -> None:
        """Import the SDK and make its client, off the event loop; the first call does it too."""
        async with self._making:
            if self._client is None:
                self._client = await asyncio.to_thread(self._make_client)

    async def aclose(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.sdk.close()

    def _make_client(self) -> _Client:
        import openai

        timeouts = self._provider.timeouts
        timeout = openai.Timeout(timeouts.read_s, connect=timeouts.connect_s)
        http = openai.DefaultAioHttpClient(timeout=timeout)
        sdk = openai.AsyncOpenAI(
            api_key=self._api_key or "none",
            base_url=self._provider.base_url,
            http_client=http,
            max_retries=0,
            timeout=timeout,
        )
        _ = sdk.chat.completions  # imports most of the SDK, hence here
        headers = {**sdk.default_headers, **sdk.auth_headers}
        return _Client(
            sdk=sdk,
            http=http,
            address=f"{str(sdk.base_url).rstrip('/')}/chat/completions",
            headers={name: text for name, text in headers.items() if isinstance(text, str)},
        )

    async def _connected(self) -> _Client:
        if self._client is None:
            await self.prepare()
        assert self._client is not None, "prepare makes the client"
        return self._client

    async def _raw_chunks(
        self, parameters: Mapping[str, JsonValue], messages: Messages, deadline: float
    ) -> AsyncGenerator[ChatChunk, None]:
        """Send the request and split the events ourselves."""
        client = await self._connected()
        content = _json({**parameters, "messages": messages, "stream": True})
        request = client.http.build_request(
            "POST", client.address, content=content, headers=client.headers
        )
        response = await _until(deadline, client.http.send(request, stream=True))
        try:
            if not response.is_success:
                raise self._refused(response.status_code, response.headers)
            whole = response.headers.get("content-type", "").startswith("application/json")
            body = response.aiter_bytes()
            chunks = _whole_answer(body, deadline) if whole else _events(body, deadline)
            async with aclosing(chunks) as read:
                async for chunk in read:
                    yield chunk
                    if chunk.error:
                        raise failures.unavailable(failures.STREAM_ERROR, provider=self._name)
        finally:
            await response.aclose()

    async def _sdk_chunks(
        self, parameters: Mapping[str, JsonValue], messages: Messages, deadline: float
    ) -> AsyncGenerator[ChatChunk, None]:
        """Let the SDK read the stream."""
        params = cast("Iterable[ChatCompletionMessageParam]", messages)
        client = await self._connected()
        call = client.sdk.chat.completions.create(
            model=str(parameters["model"]), messages=params, stream=True, extra_body=parameters
        )
        stream = await _until(deadline, call)
        try:
            items = aiter(stream)
            while (item := await _next(items, deadline)) is not None:
                yield _from_sdk(item)
        finally:
            await stream.close()

    def _refused(self, status: int, headers: Mapping[str, str]) -> HeartRuleError:
        now = self._timing.now()
        return failures.status_failure(status, headers, provider=self._name, now=now)

    def _failure(self, error: Exception) -> HeartRuleError | None:
        """Return the domain's error for a foreign one; None for a fault of our own."""
        import aiohttp
        import httpx2
        import openai

        if isinstance(error, openai.APIStatusError):
            return self._refused(error.status_code, error.response.headers)
        timed_out = TimeoutError | openai.APITimeoutError | httpx2.TimeoutException
        if isinstance(error, timed_out) and not _was_refused(error):
            return failures.unavailable(failures.TIMEOUT, provider=self._name)
        broken = openai.APIConnectionError | httpx2.HTTPError | aiohttp.ClientError | OSError
        if isinstance(error, broken):
            return failures.unavailable(failures.CONNECTION, provider=self._name)
        if isinstance(error, MalformedChunk | EventTooLarge | openai.APIError):
            return failures.unavailable(failures.STREAM_ERROR, provider=self._name)
        return None


def _was_refused(error: BaseException) -> bool:
    """Say whether nobody listens there: the transport calls that a time-out too."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ConnectionError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


async def _events(body: AsyncIterator[bytes], deadline: float) -> AsyncGenerator[ChatChunk, None]:
    """Yield what each read brought, joined: nobody could be shown its parts any earlier."""
    splitter = EventSplitter()
    while (data := await _next(body, deadline)) is not None:
        chunk = read_events(splitter.feed(data))
        yield chunk
        if chunk.last:
            await _drain(body)
            return
    yield read_events(splitter.finish())


async def _whole_answer(
    body: AsyncIterator[bytes], deadline: float
) -> AsyncGenerator[ChatChunk, None]:
    """Read the answer of a server that does not stream."""
    answer = bytearray()
    while (data := await _next(body, deadline)) is not None:
        answer += data
        if len(answer) > MAX_EVENT_BYTES:
            raise EventTooLarge(f"an answer has more than {MAX_EVENT_BYTES} bytes")
    yield read_chunk(bytes(answer))


async def _drain(body: AsyncIterator[bytes]) -> None:
    """Read past [DONE], so that the connection can serve the next call."""
    try:
        async with asyncio.timeout(_DRAIN_S):
            async for _ in body:
                pass
    except (TimeoutError, OSError):
        return


def _from_sdk(item: ChatCompletionChunk) -> ChatChunk:
    choice = item.choices[0] if item.choices else None
    return ChatChunk(
        text=(choice.delta.content or "") if choice else "",
        finish_reason=(choice.finish_reason or "") if choice else "",
        prompt_tokens=item.usage.prompt_tokens if item.usage else 0,
        completion_tokens=item.usage.completion_tokens if item.usage else 0,
    )


def _json(body: Mapping[str, object]) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError:  # a lone surrogate, an integer above 64 bits
        return json.dumps(body).encode()


async def _until(deadline: float, work: Awaitable[ResultT]) -> ResultT:
    async with asyncio.timeout_at(deadline):
        return await work


async def _next(items: AsyncIterator[ResultT], deadline: float) -> ResultT | None:
    async with asyncio.timeout_at(deadline):
        return await anext(items, None)
