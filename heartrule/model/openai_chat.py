"""Chunks of a chat completion over aiohttp, with the address and the headers of the OpenAI SDK.

Events are read here: the SDK's layers cost more than the rest of a turn (docs/benchmarks.md, ADR
41). The profile option `sdk_objects` uses the SDK from end to end. The SDK's own retries are off,
because `FallbackChatModel` alone decides when a call is repeated.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from heartrule.domain.json_value import JsonValue
from heartrule.model.call_failures import CallFailures
from heartrule.model.chat_events import ChatChunk, read_events, reasoning_chars
from heartrule.model.event_splitter import EventSplitter
from heartrule.model.openai_client import Client, ModelResponse, make_client
from heartrule.model.provider_words import is_page
from heartrule.model.providers import Provider
from heartrule.model.request_json import Messages, json_bytes
from heartrule.model.response_bodies import error_body, is_whole, whole_answer
from heartrule.model.timing import Timing

if TYPE_CHECKING:
    from openai import AsyncStream
    from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam

# Behind its finish reason a model sends the usage and `[DONE]`; some servers never do, and leave
# the stream open.
_AFTER_FINISH_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deadlines:
    """Times of the loop's clock."""

    first_token: float
    total: float


class OpenAIChunks:
    """One provider's completions as chunks; a `ChunkSource`."""

    def __init__(
        self, name: str, provider: Provider, *, api_key: str, timing: Timing, gather_s: float = 0.0
    ) -> None:
        """Nothing is connected or imported before the first call.

        Once a reply is shown, its stream is read every `gather_s` seconds, and at its end.
        """
        self._name = name
        self._gather_s = gather_s
        self._provider = provider
        self._api_key = api_key
        self._timing = timing
        self._client: Client | None = None
        self._making = asyncio.Lock()

    def chunks(
        self,
        parameters: Mapping[str, JsonValue],
        messages: Messages,
        *,
        visible: Callable[[], bool],
    ) -> AsyncGenerator[ChatChunk, None]:
        """Send one request and yield its chunks to the end of the stream.

        Args:
            parameters: Everything in the request but messages and stream; `model` is one.
            messages: As the protocol spells them.
            visible: Whether a client sees any of it yet.

        Raises:
            ModelRateLimited: The provider asks for a pause.
            ModelUnavailable: No answer, a broken one, or none in time.
        """
        if self._provider.profile.sdk_objects:
            return self._sdk_chunks(parameters, messages, self._deadlines())
        return self._raw_chunks(parameters, messages, self._deadlines(), visible)

    def _failures(self, parameters: Mapping[str, JsonValue], messages: Messages) -> CallFailures:
        return CallFailures(
            provider=self._name,
            base_url=self._provider.base_url,
            model=str(parameters["model"]),
            api_key=self._api_key,
            messages=messages,
            timing=self._timing,
        )

    async def prepare(self) -> None:
        """Import the SDK and make its client, off the event loop; the first call does it too."""
        async with self._making:
            if self._client is None:
                self._client = await make_client(self._provider, self._api_key)

    async def aclose(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def _deadlines(self) -> _Deadlines:
        timeouts, now = self._provider.timeouts, asyncio.get_running_loop().time()
        total = now + timeouts.total
        return _Deadlines(first_token=min(now + timeouts.first_token, total), total=total)

    async def _connected(self) -> Client:
        if self._client is None:
            await self.prepare()
        assert self._client is not None, "prepare makes the client"
        return self._client

    async def _raw_chunks(
        self,
        parameters: Mapping[str, JsonValue],
        messages: Messages,
        by: _Deadlines,
        visible: Callable[[], bool],
    ) -> AsyncGenerator[ChatChunk, None]:
        """Send the request through aiohttp and read the events."""
        content = b'%b,"messages":%b}' % (
            json_bytes({**parameters, "stream": True})[:-1], messages.json
        )  # fmt: skip
        failing = self._failures(parameters, messages)
        response: ModelResponse | None = None
        try:
            client = await self._connected()
            async with asyncio.timeout_at(by.first_token):
                response = await client.post(
                    content, timeouts=self._provider.timeouts, deadline=by.total
                )
            failing.answered = True
            if not 200 <= response.status < 300:
                body = await error_body(response)
                raise failing.refused(response.status, response.headers, body)
            async with aclosing(self._read(response, visible, by, failing)) as chunks:
                async for chunk in chunks:
                    yield chunk
                    if chunk.error:
                        raise failing.in_stream(chunk)
        except Exception as error:
            if (failure := failing.of(error)) is not None:
                raise failure from error
            raise
        finally:
            if response is not None:
                response.release()

    async def _read(
        self,
        response: ModelResponse,
        visible: Callable[[], bool],
        by: _Deadlines,
        failing: CallFailures,
    ) -> AsyncGenerator[ChatChunk, None]:
        """Yield one chunk for each read; the parts of a read could not be shown any earlier."""
        if is_whole(response.headers.get("content-type", "")):
            yield await whole_answer(response)
            return
        splitter, loop, not_before = EventSplitter(), asyncio.get_running_loop(), 0.0
        until: float | None = by.first_token
        ended = False
        while data := await _read_until(until, response, not_before, ended=ended):
            began = loop.time()
            if until is not None and is_page(data):
                raise failing.page()
            chunk = read_events(splitter.feed(data))
            yield chunk
            if until is not None and _begins(chunk):
                response.limit_silence(self._provider.timeouts.between_tokens)
                until = None
            if chunk.last:
                await response.drain()
                return
            if chunk.finish_reason:
                until, ended = began + _AFTER_FINISH_S, True
            not_before = began + self._gather_s if self._gather_s and visible() else 0.0
        yield read_events(splitter.finish())

    async def _sdk_chunks(
        self, parameters: Mapping[str, JsonValue], messages: Messages, by: _Deadlines
    ) -> AsyncGenerator[ChatChunk, None]:
        """Let the SDK read the stream."""
        params = cast("Iterable[ChatCompletionMessageParam]", messages)
        stream: AsyncStream[ChatCompletionChunk] | None = None
        failing = self._failures(parameters, messages)
        try:
            client = await self._connected()
            call = client.sdk.chat.completions.create(
                model=str(parameters["model"]), messages=params, stream=True, extra_body=parameters
            )
            until, silence = by.first_token, self._provider.timeouts.between_tokens
            async with asyncio.timeout_at(until):
                stream = await call
            failing.answered = True
            items = aiter(stream)
            while (item := await _next(items, until)) is not None:
                chunk = _from_sdk(item)
                yield chunk
                if until != by.first_token or _begins(chunk):
                    until = min(asyncio.get_running_loop().time() + silence, by.total)
        except Exception as error:
            if (failure := failing.of(error)) is not None:
                raise failure from error
            raise
        finally:
            if stream is not None:
                await stream.close()


def _begins(chunk: ChatChunk) -> bool:
    """Return whether the model has begun to write, a thought or its reply."""
    return bool(chunk.text or chunk.reasoning_chars)


async def _read_until(
    until: float | None, response: ModelResponse, not_before: float, *, ended: bool
) -> bytes:
    """Return the next bytes; none once the time is up of a reply that has ended.

    Raises:
        TimeoutError: The time is up, and the reply has not begun.
    """
    if until is None:
        return await response.read(not_before)
    try:
        async with asyncio.timeout_at(until):
            return await response.read(not_before)
    except TimeoutError:
        if ended:
            return b""
        raise


def _from_sdk(item: ChatCompletionChunk) -> ChatChunk:
    choice = item.choices[0] if item.choices else None
    details = item.usage.completion_tokens_details if item.usage else None
    return ChatChunk(
        text=(choice.delta.content or "") if choice else "",
        finish_reason=(choice.finish_reason or "") if choice else "",
        prompt_tokens=item.usage.prompt_tokens if item.usage else 0,
        completion_tokens=item.usage.completion_tokens if item.usage else 0,
        reasoning_chars=reasoning_chars(choice.delta.model_extra or {}) if choice else 0,
        reasoning_tokens=(details.reasoning_tokens or 0) if details else 0,
    )


async def _next(
    items: AsyncIterator[ChatCompletionChunk], deadline: float
) -> ChatCompletionChunk | None:
    async with asyncio.timeout_at(deadline):
        return await anext(items, None)
