"""Clients who listen and say nothing: thousands of streams, a session and a connection each."""

from __future__ import annotations

import asyncio
from typing import Any

from grpc import aio

from heartrule.v1 import conversation_pb2, script_pb2, session_pb2
from heartrule.wire.executor_stubs import ExecutorStubs
from tests.benchmarks import workload

_OPTIONS = [("grpc.use_local_subchannel_pool", 1)]
_AT_A_TIME = 32
"""Streams that are being opened at one time."""


class IdleStreams:
    """Streams of WatchSession on sessions without any input."""

    def __init__(self) -> None:
        """Begin with none."""
        self._open: list[tuple[aio.Channel, Any]] = []

    async def open(self, target: str, number: int) -> None:
        """Open that many; each has sent its session's state when this returns."""
        first = ExecutorStubs(aio.insecure_channel(target))
        bundle = script_pb2.ScriptBundle(files={"bench.yaml": workload.SCRIPT.encode()})
        published = await first.script.PublishScript(script_pb2.PublishScriptRequest(bundle=bundle))
        gate = asyncio.Semaphore(_AT_A_TIME)

        async def one() -> None:
            async with gate:
                await self._one(target, published.script.script_id)

        await asyncio.gather(*(one() for _ in range(number)))

    async def hang_up(self) -> None:
        """End all of them."""
        for channel, call in self._open:
            call.cancel()
            await channel.close()
        self._open.clear()

    async def _one(self, target: str, script_id: str) -> None:
        channel = aio.insecure_channel(target, options=_OPTIONS)
        stubs = ExecutorStubs(channel)
        begun = await stubs.session.StartSession(
            session_pb2.StartSessionRequest(script_id=script_id)
        )
        request = conversation_pb2.WatchSessionRequest(session_id=begun.session.session_id)
        call = stubs.conversation.WatchSession(request)
        await call.read()
        self._open.append((channel, call))
