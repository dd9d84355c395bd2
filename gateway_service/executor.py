"""Connections to the executor: one for unary calls, and as many as the streams need.

Streams use connections of their own, which are closed again when they are empty.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from google.protobuf.message import Message
from grpc import aio
from pydantic import SecretStr

from gateway_service.problems import problem_of_status
from gateway_service.seen_sessions import SeenSessions
from heartrule.chassis import telemetry
from heartrule.chassis.channels import open_channel
from heartrule.v1 import event_pb2
from heartrule.wire.executor_stubs import ExecutorStubs
from heartrule.words.language import ACCEPT_LANGUAGE, ReaderLanguage

# Below the executor's MAX_STREAMS of 100: gRPC queues a further stream without an error.
STREAMS_A_CONNECTION = 80
M = TypeVar("M", bound=Message)
_LANGUAGE: ContextVar[ReaderLanguage] = ContextVar(
    "heartrule_language", default=ReaderLanguage.ENGLISH
)


@dataclass(slots=True)
class _Line:
    """One connection and the number of its streams."""

    channel: aio.Channel
    stubs: ExecutorStubs
    streams: int = 0


class ExecutorLink:
    """Calls the executor; made inside the running loop, closed after use."""

    def __init__(
        self, address: str, *, call_timeout_s: float, token: SecretStr | None = None
    ) -> None:
        """`address` is host:port or dns:///name:port; nothing is sent yet."""
        self._address = address
        self._token = token
        self._timeout_s = call_timeout_s
        self._channel = open_channel(address, token=token)
        self.stubs = ExecutorStubs(self._channel)
        self.seen = SeenSessions()
        self._lines: list[_Line] = []
        # asyncio holds tasks weakly; a close that is not kept here may be collected.
        self._closing: set[asyncio.Task[None]] = set()

    async def aclose(self) -> None:
        """Close every connection."""
        for line in self._lines:
            await line.channel.close()
        await asyncio.gather(*self._closing)
        await self._channel.close()

    async def ask(self, request: Message, answer: type[M]) -> M:
        """Return the answer of a unary call; the request's class names the rpc.

        Raises:
            HttpProblem: The executor refused, failed, or could not be reached.
        """
        method = _method(self.stubs, request)
        try:
            response = await method(request, timeout=self._timeout_s, metadata=_metadata())
        except aio.AioRpcError as error:
            raise problem_of_status(error) from None
        assert isinstance(response, answer)
        self.seen.note_answer(request, response)
        return response

    async def stream(
        self, request: Message, *, timeout_s: float | None = None
    ) -> AsyncGenerator[event_pb2.SessionEvent]:
        """Yield the events of a call; when the caller stops, the call is cancelled, not the turn.

        Raises:
            HttpProblem: The stream ended with a status.
        """
        async with aclosing(self.responses(request, timeout_s=timeout_s)) as responses:
            async for response in responses:
                self.seen.note_event(response.event)
                yield response.event

    async def responses(
        self, request: Message, *, timeout_s: float | None = None
    ) -> AsyncGenerator[Any]:
        """Yield the responses of a call that streams them; as `stream`."""
        with self._streaming() as stubs:
            method = _method(stubs, request)
            call = method(request, timeout=timeout_s, metadata=_metadata())
            try:
                async for response in call:
                    yield response
            except aio.AioRpcError as error:
                raise problem_of_status(error) from None
            finally:
                # Without it an abandoned call keeps its place on the connection to its deadline.
                call.cancel()

    @property
    def connections(self) -> int:
        """Return how many connections serve streams."""
        return len(self._lines)

    @contextmanager
    def _streaming(self) -> Iterator[ExecutorStubs]:
        """Lend a connection with room for one more stream for the length of a block."""
        line = next((one for one in self._lines if one.streams < STREAMS_A_CONNECTION), None)
        if line is None:
            # gRPC shares one connection among channels to one address by default.
            channel = open_channel(self._address, token=self._token, own_connection=True)
            line = _Line(channel, ExecutorStubs(channel))
            self._lines.append(line)
        line.streams += 1
        try:
            yield line.stubs
        finally:
            line.streams -= 1
            self._tidy(line)

    def _tidy(self, line: _Line) -> None:
        """Close a connection without streams, but keep one."""
        if line.streams or len(self._lines) == 1 or line not in self._lines:
            return
        self._lines.remove(line)
        closing = asyncio.get_running_loop().create_task(line.channel.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)


@contextmanager
def answering_in(language: ReaderLanguage) -> Iterator[None]:
    """Ask the executor for texts in a language within the block, in this task."""
    before = _LANGUAGE.set(language)
    try:
        yield
    finally:
        _LANGUAGE.reset(before)


def _metadata() -> tuple[tuple[str, str], ...]:
    return (*telemetry.outgoing_metadata(), (ACCEPT_LANGUAGE, _LANGUAGE.get().value))


def _method(stubs: ExecutorStubs, request: Message) -> Any:
    """Return the rpc that takes this class of request: `buf lint` holds rpcs to their names."""
    return stubs.method(type(request).__name__.removesuffix("Request"))
