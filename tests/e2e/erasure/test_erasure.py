"""A deleted session leaves no byte: not in the database's files, not in any log of ours."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from heartrule.chassis.channels import open_channel
from heartrule.domain.events import AnalysisEnded, Outcome, TurnEnded
from heartrule.model.rehearsal.rehearsal_server import serve
from heartrule.v1 import erasure_pb2
from tests.support.command import Place, environment
from tests.support.conversing import Client
from tests.support.databases import database_address
from tests.support.postgres import shared_server
from tests.support.processes import service
from tests.support.scripts import ask_script

MARKER = "zq7marker不想说zq7"


def holding(folder: Path, pattern: str) -> list[str]:
    """Return the files of a folder that hold the marker."""
    files = (path for path in folder.rglob(pattern) if path.is_file())
    return [path.name for path in files if MARKER.encode() in path.read_bytes()]


@asynccontextmanager
async def executor_on(folder: Path, address: str) -> AsyncIterator[Client]:
    """Give a client of processes as they are run: executor, monitor, and a model for nothing."""
    model = await serve()
    shared = {
        "OPENAI_BASE_URL": model.base_url,
        "HEARTRULE_MODEL": "heartrule-rehearsal",
        "HEARTRULE_PROVIDER_KIND": "rehearsal",
        "HEARTRULE_LOG_LEVEL": "DEBUG",
    }
    monitor_env = {**shared, "HEARTRULE_MONITOR_PORT": "0"}
    async with service("monitor_service", folder, monitor_env) as monitor:
        executor_env = {
            **shared,
            "HEARTRULE_PORT": "0",
            "HEARTRULE_MONITOR_ADDRESS": monitor.address,
            "HEARTRULE_DATABASE_URL": address,
        }
        async with service("executor_service", folder, executor_env) as executor:
            channel = open_channel(executor.address)
            yield Client(channel)
            await channel.close()
    await model.aclose()


async def marked_session(client: Client) -> str:
    """Hold a conversation with the marker, its analysis included, and return its id."""
    session_id = await client.start(ask_script(5))
    async with client.converse(session_id) as stream:
        await stream.until_body(TurnEnded)
        await stream.turn("m1", MARKER)
        await stream.until_body(AnalysisEnded)
    return session_id


async def delete(client: Client, session_id: str) -> None:
    await client.stubs.session.DeleteSession(
        erasure_pb2.DeleteSessionRequest(session_id=session_id)
    )


async def test_no_byte_of_a_deleted_session_is_left_on_sqlite(tmp_path: Path) -> None:
    """Database, -wal and -shm are clean while the executor still runs; no log ever had it."""
    files = tmp_path / ".heartrule"
    async with executor_on(tmp_path, str(files / "heartrule.db")) as client:
        session_id = await marked_session(client)
        before = holding(files, "*")
        await delete(client, session_id)
        after = holding(files, "*")
    assert before
    assert after == []
    assert holding(tmp_path, "*.log") == []


async def test_no_byte_of_a_deleted_session_is_left_on_postgresql(tmp_path: Path) -> None:
    """`heartrule scrub` clears every file of every table while others are served; so are logs."""
    async with (
        database_address("postgresql", tmp_path) as address,
        executor_on(tmp_path, address) as client,
    ):
        session_id, other = await marked_session(client), await client.start(ask_script(5))
        async with client.converse(other) as stream:
            await stream.until_body(TurnEnded)
            before = postgresql_files()
            await delete(client, session_id)
            place = Place(tmp_path, environ=environment(HEARTRULE_DATABASE_URL=address))
            ran = await asyncio.to_thread(place.heartrule, "scrub")
            after = postgresql_files()
            ended = await stream.turn("o1", "嗯")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert before
    assert after == []
    assert ended.outcome is Outcome.SESSION_COMPLETED
    assert holding(tmp_path, "*.log") == []


def postgresql_files() -> list[str]:
    """Return the files of the server's databases that hold the marker, all written in them."""
    server = shared_server()
    with server.connect() as connection:
        connection.execute("CHECKPOINT")
    return holding(server.data / "base", "*")
