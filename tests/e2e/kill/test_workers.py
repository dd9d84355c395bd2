"""The executor's worker processes end with it."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from heartrule.chassis.channels import open_channel
from tests.support.conversing import WAIT_S, Client
from tests.support.processes import Service, service
from tests.support.scripts import ask_script

ENVIRON = {
    "HEARTRULE_PORT": "0",
    "HEARTRULE_MONITOR_ADDRESS": "off",
    "HEARTRULE_STOP_GRACE": "1",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    "HEARTRULE_MODEL": "none",
}


def workers_of(running: Service) -> list[int]:
    """Return the processes that a service has spawned."""
    pid = running.process.pid
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def gone(pid: int) -> None:
    """Wait until a process has ended; it reads the end of its pipe."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    loop.add_reader(descriptor, ended.set)
    async with asyncio.timeout(WAIT_S):
        await ended.wait()
    loop.remove_reader(descriptor)
    os.close(descriptor)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this system has no pidfd_open")
@pytest.mark.parametrize("killed", [False, True], ids=["asked to leave", "killed"])
async def test_workers_end_with_their_executor(tmp_path: Path, *, killed: bool) -> None:
    """However the executor ends, no worker stays behind."""
    async with service("executor_service", tmp_path, ENVIRON) as running:
        async with open_channel(running.address) as channel:
            await Client(channel).publish(ask_script())
        (worker,) = workers_of(running)
        if killed:
            running.kill()
        code = await running.stop()
        await gone(worker)
    assert code == (-9 if killed else 0)
