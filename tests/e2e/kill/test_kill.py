"""kill -9 at each failpoint of a turn: what was acknowledged is answered, once."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from heartrule.chassis.channels import open_channel
from heartrule.domain.events import DraftDelta, DraftVoided, Outcome, TurnEnded
from heartrule.model.rehearsal.rehearsal_server import serve
from tests.support.conversing import Client, Told
from tests.support.databases import database_address
from tests.support.killing import environment, executor_here, history
from tests.support.processes import service
from tests.support.scripts import ask_script

LONG = pytest.mark.long(
    short="tests/e2e/kill/test_kill.py::test_a_killed_turn_is_finished_by_the_next_process"
)
POINTS = (
    "after_commit:1",
    *(
        pytest.param(point, marks=LONG)
        for point in (
            "after_accept", "after_begin", "mid_stream", "before_commit:1", "before_commit:2",
            "after_commit:2",
        )
    ),
)  # fmt: skip


async def killed_at(point: str, environ: dict[str, str], folder: Path, session_id: str) -> None:
    """Send a message to an executor that dies on its way."""
    armed = {**environ, "HEARTRULE_TEST_MODE": "1", "HEARTRULE_FAILPOINT": point}
    async with service("executor_service", folder, armed) as doomed:
        channel = open_channel(doomed.address)
        with pytest.raises(Exception, match=r"UNAVAILABLE|CANCELLED|Socket"):
            await Client(channel).send(session_id, "m1", "小明")
        await channel.close()
        assert await doomed.died() == -signal.SIGKILL


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


@pytest.mark.parametrize("point", ["before_failure", pytest.param("after_failure", marks=LONG)])
async def test_a_failed_turn_is_finished_by_the_next_process(point: str, tmp_path: Path) -> None:
    """Whether its failure was stored or not, the retried message is answered, once."""
    model = await serve()
    away = {"HEARTRULE_MODEL_RETRIES": "0", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    async with database_address("sqlite", tmp_path) as address:
        environ = environment(address, model.base_url)
        async with executor_here(environ) as client:
            session_id = await client.start(ask_script())
            await client.initialize(session_id)
        await killed_at(point, {**environ, **away}, tmp_path, session_id)
        async with executor_here(environ) as client:
            retried = await client.send(session_id, "m1", "小明")
            told = await history(client, session_id)
    await model.aclose()
    numbers = [event.sequence for event in told.durable()]
    assert retried.of(TurnEnded)[-1].outcome is Outcome.SESSION_COMPLETED
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(told.texts()) == len(retried.texts()) + 1
