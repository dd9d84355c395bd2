"""A gRPC service of plain functions over bytes, behind the real chassis, in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
from grpc import aio
from pydantic import SecretStr

from heartrule.chassis.channels import open_channel
from heartrule.chassis.server import Keepalive, ServerSettings, build_server

SERVICE = "heartrule.test.Tiny"
KINDS = {
    "unary_unary": grpc.unary_unary_rpc_method_handler,
    "unary_stream": grpc.unary_stream_rpc_method_handler,
    "stream_unary": grpc.stream_unary_rpc_method_handler,
    "stream_stream": grpc.stream_stream_rpc_method_handler,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiny:
    """A running service and a channel to it."""

    port: int
    channel: aio.Channel

    async def ask(self, request: bytes = b"hi", **options: Any) -> bytes:
        """Call the unary method with a time-out that fails the test rather than hanging it."""
        call: Any = self.channel.unary_unary(f"/{SERVICE}/unary_unary")
        answer: bytes = await call(request, timeout=10, **options)
        return answer

    async def all_answers(self, kind: str, *requests: bytes) -> list[bytes]:
        """Call the method of any kind with the requests, one by default; return what came back."""
        sent = requests or (b"hi",)
        method: Any = getattr(self.channel, kind)(f"/{SERVICE}/{kind}")
        call = method(iter(sent) if kind.startswith("stream") else sent[0], timeout=10)
        if kind.endswith("unary"):
            return [await call]
        return [answer async for answer in call]


@asynccontextmanager
async def tiny_service(
    handlers: Mapping[str, Callable[..., Any]],
    *,
    keepalive: Keepalive | None = None,
    deserialize: Callable[[bytes], Any] | None = None,
    token: SecretStr | None = None,
) -> AsyncIterator[Tiny]:
    """Serve the handlers, named by call kind, on a free port until the block ends."""
    methods: dict[str, Any] = {
        kind: KINDS[kind](handler, request_deserializer=deserialize)
        for kind, handler in handlers.items()
    }

    def register(server: aio.Server) -> None:
        generic = grpc.method_handlers_generic_handler(SERVICE, methods)
        server.add_generic_rpc_handlers((generic,))

    server, port = build_server(ServerSettings(token=token), register=register, keepalive=keepalive)
    await server.start()
    async with open_channel(f"127.0.0.1:{port}", token=token) as channel:
        try:
            yield Tiny(port=port, channel=channel)
        finally:
            await server.stop(grace=None)
