"""A deleted session leaves no byte: not in the database's files, not in any log of ours."""

from __future__ import annotations

from pathlib import Path

from heartrule.chassis.channels import open_channel
from heartrule.domain.events import AnalysisEnded, TurnEnded
from heartrule.model.rehearsal.server import serve
from heartrule.v1 import erasure_pb2
from tests.support.conversing import Client
from tests.support.processes import service
from tests.support.scripts import ask_script

MARKER = "zq7marker不想说zq7"


def holding(folder: Path, pattern: str) -> list[str]:
    """Return the files of a folder that hold the marker."""
    return [path.name for path in folder.rglob(pattern) if MARKER.encode() in path.read_bytes()]


async def test_no_byte_of_a_deleted_session_is_left_on_sqlite(tmp_path: Path) -> None:
    """Database, -wal and -shm are clean while the executor still runs; no log ever had it."""
    model = await serve()
    shared = {
        "OPENAI_BASE_URL": model.base_url,
        "HEARTRULE_MODEL": "heartrule-rehearsal",
        "HEARTRULE_LOG_LEVEL": "DEBUG",
    }
    monitor_env = {**shared, "HEARTRULE_MONITOR_PORT": "0"}
    async with service("monitor_service", tmp_path, monitor_env) as monitor:
        executor_env = {
            **shared,
            "HEARTRULE_PORT": "0",
            "HEARTRULE_MONITOR_ADDRESS": monitor.address,
        }
        async with service("executor_service", tmp_path, executor_env) as executor:
            channel = open_channel(executor.address)
            client = Client(channel)
            session_id = await client.start(ask_script(5))
            async with client.converse(session_id) as stream:
                await stream.until_body(TurnEnded)
                await stream.turn("m1", MARKER)
                await stream.until_body(AnalysisEnded)
            before = holding(tmp_path / ".heartrule", "*")
            await client.stub.DeleteSession(erasure_pb2.DeleteSessionRequest(session_id=session_id))
            after = holding(tmp_path / ".heartrule", "*")
            await channel.close()
    await model.aclose()
    assert before
    assert after == []
    assert holding(tmp_path, "*.log") == []
