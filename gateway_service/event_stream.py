"""The events of one streaming call of the executor."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from google.protobuf.message import Message
from grpc import aio

from gateway_service.executor import ExecutorLink
from gateway_service.problems import HttpProblem, problem_of_status
from heartrule.chassis import telemetry
from heartrule.v1 import event_pb2


async def stream_events(
    executor: ExecutorLink, rpc: str, request: Message, *, timeout_s: float | None = None
) -> AsyncGenerator[event_pb2.SessionEvent]:
    """Yield the events of one call; when the caller stops, the call is cancelled, never the turn.

    Raises:
        HttpProblem: The stream ended with a status.
    """
    with executor.streaming() as stubs:
        method: Any = stubs.method(rpc)
        call = method(request, timeout=timeout_s, metadata=telemetry.outgoing_metadata())
        try:
            async for response in call:
                yield response.event
        except aio.AioRpcError as error:
            raise HttpProblem(problem_of_status(error)) from None
        finally:
            # Without it an abandoned call keeps its place on the connection until its deadline.
            call.cancel()
