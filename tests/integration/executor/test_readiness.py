"""Readiness follows the database; liveness does not."""

from __future__ import annotations

import asyncio

from grpc_health.v1 import health_pb2, health_pb2_grpc

from heartrule.chassis.channels import open_channel
from heartrule.domain.errors import StoreUnavailable
from session_store.sql.database.engine_sqlite import MemoryEngine
from session_store.sql.store import SqlStore
from tests.support.conversing import WAIT_S
from tests.support.executors import Neighbours, Running, running_executor

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


class Deaf(SqlStore):
    """A store that does not answer to pings."""

    async def ping(self) -> None:
        """Fail."""
        raise StoreUnavailable("away", reason="STORE_UNAVAILABLE")


async def watched(running: Running, check: str, wanted: int) -> None:
    """Wait until a check says what is wanted."""
    channel = open_channel(f"127.0.0.1:{running.server.health.port}")
    stub = health_pb2_grpc.HealthStub(channel)
    request = health_pb2.HealthCheckRequest(service=check)
    async with asyncio.timeout(WAIT_S):
        async for answer in stub.Watch(request):  # type: ignore[attr-defined]  # its stubs leave it out
            if answer.status == wanted:
                break
    await channel.close()


async def test_an_executor_with_its_database_is_ready() -> None:
    """New work is welcome."""
    async with running_executor() as running:
        await watched(running, "ready", SERVING)


async def test_an_executor_without_its_database_is_alive_but_not_ready() -> None:
    """A load balancer looks elsewhere, and nobody restarts the process."""
    async with running_executor(Neighbours(store=Deaf(MemoryEngine()))) as running:
        await watched(running, "ready", NOT_SERVING)
        await watched(running, "", SERVING)
