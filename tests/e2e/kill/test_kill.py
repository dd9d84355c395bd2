"""kill -9 at each failpoint of a turn: what was acknowledged is answered, once (ARCHITECTURE 4)."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from executor_service.bootstrap import Executor, Outside
from executor_service.settings import ExecutorSettings
from heartrule.chassis.channels import open_channel
from heartrule.chassis.settings import read
from heartrule.domain.events import DraftDelta, DraftVoided, Outcome, TurnEnded
from heartrule.domain.ids import new_id
from heartrule.model.build import build_chat_model
from heartrule.model.rehearsal.server import serve
from session_store.open import open_store
from tests.support.conversing import Client, Told
from tests.support.databases import database_address
from tests.support.processes import service
from tests.support.scripts import ask_script

POINTS = (
    "after_accept",
    "mid_stream",
    "before_commit:1",
    "after_commit:1",
    "before_commit:2",
    "after_commit:2",
)
TTL_S = "1"


def environment(database: str, model: str) -> dict[str, str]:
    """Return the settings every executor of a test shares."""
    return {
        "HEARTRULE_DATABASE_URL": database,
        "HEARTRULE_PORT": "0",
        "HEARTRULE_LEASE_TTL": TTL_S,
        "HEARTRULE_MONITOR_ADDRESS": "127.0.0.1:9",
        "HEARTRULE_MODEL": "heartrule-rehearsal",
        "OPENAI_BASE_URL": model,
        "OPENAI_API_KEY": "rehearsal",
    }


@asynccontextmanager
async def executor_here(environ: dict[str, str]) -> AsyncIterator[Client]:
    """Run an executor in this process, for what happens before and after the kill."""
    settings = read(ExecutorSettings, environ)
    owner = new_id("exe")
    outside = Outside(
        store=open_store(settings.store.database_url, boot_id=owner),
        model=build_chat_model(settings.model, environ=environ),
    )
    executor = Executor(settings, outside, owner=owner)
    await executor.start()
    channel = open_channel(f"127.0.0.1:{executor.port}")
    try:
        yield Client(channel)
    finally:
        await channel.close()
        await executor.drain()
        await executor.close()


async def killed_at(point: str, environ: dict[str, str], folder: Path, session_id: str) -> None:
    """Send a message to an executor that dies on its way."""
    armed = {**environ, "HEARTRULE_TEST_MODE": "1", "HEARTRULE_FAILPOINT": point}
    async with service("executor_service", folder, armed) as doomed:
        channel = open_channel(doomed.address)
        with pytest.raises(Exception, match=r"UNAVAILABLE|CANCELLED|Socket"):
            await Client(channel).send(session_id, "m1", "小明")
        await channel.close()
        assert await doomed.died() == -signal.SIGKILL


async def history(client: Client, session_id: str) -> Told:
    """Return every durable event of the session."""
    async with client.converse(session_id, after=0) as stream:
        await stream.finish()
        return stream.told


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
@pytest.mark.parametrize("point", POINTS)
async def test_a_killed_turn_is_finished_by_the_next_process(
    point: str, database: str, tmp_path: Path
) -> None:
    """The retried message gives the messages of an undisturbed run, each once, without a gap."""
    model = await serve()
    async with database_address(database, tmp_path) as address:
        environ = environment(address, model.base_url)
        async with executor_here(environ) as client:
            undisturbed = await client.start(ask_script())
            expected = (await client.send(undisturbed, "m1", "小明")).texts()
            session_id = await client.start(ask_script())
            await client.initialize(session_id)
        await killed_at(point, environ, tmp_path, session_id)
        async with executor_here(environ) as client:
            retried = await client.send(session_id, "m1", "小明")
            told = await history(client, session_id)
    await model.aclose()
    numbers = [event.sequence for event in told.durable()]
    ids = [message.message_id for message in told.messages()]
    assert retried.texts() == expected
    assert retried.of(TurnEnded)[-1].outcome is Outcome.SESSION_COMPLETED
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(ids) == len(set(ids)) == len(expected) + 1
    assert drafts_are_voided(told)


def drafts_are_voided(told: Told) -> bool:
    """Say whether every attempt after a lost one is preceded by DraftVoided for it."""
    attempts = {event.attempt for event in told.events if event.turn_id}
    voided = {body.up_to_attempt for body in told.of(DraftVoided)}
    return attempts - {max(attempts)} == voided and not told.of(DraftDelta)
