"""What is around an executor that is killed: the others' settings, and who comes after it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from executor_service.bootstrap import Executor
from executor_service.dependencies import Dependencies
from executor_service.executor_server import ExecutorServer
from executor_service.settings import ExecutorSettings
from heartrule.chassis.channels import open_channel
from heartrule.chassis.settings import read
from heartrule.domain.ids import new_id
from heartrule.model.build import build_chat_model
from session_store.open import open_store
from tests.support.conversing import Client, Told

TTL_S = "1"


def environment(database: str, model: str) -> dict[str, str]:
    """Return the settings every executor of a test shares."""
    return {
        "HEARTRULE_DATABASE_URL": database,
        "HEARTRULE_PORT": "0",
        "HEARTRULE_LEASE_TTL": TTL_S,
        "HEARTRULE_MONITOR_ADDRESS": "127.0.0.1:9",
        "HEARTRULE_MODEL": "heartrule-rehearsal",
        "HEARTRULE_PROVIDER_KIND": "rehearsal",
        "OPENAI_BASE_URL": model,
        "OPENAI_API_KEY": "rehearsal",
    }


@asynccontextmanager
async def executor_here(environ: dict[str, str]) -> AsyncIterator[Client]:
    """Run an executor in this process, for what happens before and after the kill."""
    settings = read(ExecutorSettings, environ)
    owner = new_id("exe")
    given = Dependencies(
        store=open_store(settings.store.database_url, boot_id=owner),
        model=build_chat_model(settings.model, environ=environ),
        run_address=settings.store.database_url,
    )
    executor = Executor(settings, given, owner=owner)
    server = ExecutorServer(settings.server, executor)
    await server.start()
    channel = open_channel(f"127.0.0.1:{server.port}")
    try:
        yield Client(channel)
    finally:
        await channel.close()
        await executor.drain()
        await server.close()


async def history(client: Client, session_id: str) -> Told:
    """Return every durable event of the session."""
    async with client.converse(session_id, after=0) as stream:
        await stream.finish()
        return stream.told
