"""A deleted session leaves no byte: not in the database's files, not in any log of ours."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from heartrule.chassis.channels import open_channel
from heartrule.domain.events import AnalysisEnded, Outcome, TurnEnded
from heartrule.domain.runs import RunState
from heartrule.model.rehearsal.rehearsal_server import serve
from heartrule.v1 import erasure_pb2
from tests.support.command import Place, environment
from tests.support.conversing import Client
from tests.support.databases import database_address
from tests.support.postgres import shared_server
from tests.support.processes import service
from tests.support.scripts import ask_script
from tests.support.served_runs import a_node, a_plan, operator_of

MARKER = "zq7marker不想说zq7"


def holding(folder: Path, pattern: str) -> list[str]:
    """Return the files of a folder that hold the marker."""
    files = (path for path in folder.rglob(pattern) if path.is_file())
    return [path.name for path in files if MARKER.encode() in path.read_bytes()]


@asynccontextmanager
async def executor_on(folder: Path, address: str) -> AsyncIterator[Client]:
    """Give a client of processes as they are run: executor, monitor, and a model for nothing."""
    model, temporary = await serve(), folder / "tmp"
    temporary.mkdir()
    shared = {
        "OPENAI_BASE_URL": model.base_url,
        "HEARTRULE_MODEL": "heartrule-rehearsal",
        "HEARTRULE_PROVIDER_KIND": "rehearsal",
        "HEARTRULE_LOG_LEVEL": "DEBUG",
        "TMPDIR": str(temporary),
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


async def marked_run(client: Client) -> str:
    """Have a workflow run whose values, files and failure hold the marker; return its session."""
    session_id = await client.start(ask_script(5))
    await client.initialize(session_id)
    operator = operator_of(client, session_id)
    words = {"input_mapping": {"words": "${input.words}"}}
    aborts = {"on_failure": {"action": "ABORT"}}
    written = "import pandas as pd\npd.Series([words]).to_csv('note.csv')\nreturn 'note.csv'"
    plan = a_plan(
        a_node("long", "PYTHON", code="return [words] * 2000", keys=words),
        a_node("file", "PYTHON", code=written, keys=words),
        a_node("fails", "PYTHON", code="raise ValueError(words)", keys=words | aborts),
        edges=("long>file", "file>fails"),
        inputs={"words": {"type": "string"}},
    )
    run_id = await operator.execute(await operator.plan(plan), words=MARKER)
    assert await operator.ended(run_id) == RunState.FAILED
    (failed,) = [each for each in (await operator.read(run_id)).attempts if each.path == "fails"]
    assert MARKER in failed.failure.message
    return session_id


def rows_of_runs(folder: Path) -> dict[str, int]:
    """Return how many rows the tables of runs have."""
    with closing(sqlite3.connect(f"file:{folder}/heartrule.db?mode=ro", uri=True)) as db:
        return {
            table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("runs", "node_runs", "run_values", "run_artifacts")
        }


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


async def test_no_byte_of_a_run_of_a_deleted_session_is_left(tmp_path: Path) -> None:
    """Neither in the store's files, nor in those of DBOS, nor where nodes wrote theirs."""
    files = tmp_path / ".heartrule"
    async with executor_on(tmp_path, str(files / "heartrule.db")) as client:
        session_id = await marked_run(client)
        before, rows = holding(files, "*"), rows_of_runs(files)
        await delete(client, session_id)
        after, left = holding(tmp_path, "*"), rows_of_runs(files)
        assert "heartrule-runs.db" in {each.name for each in files.iterdir()}
    assert before
    assert 0 not in rows.values()
    assert (after, set(left.values())) == ([], {0})
    assert holding(tmp_path, "*") == []


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
