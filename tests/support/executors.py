"""A whole executor in this process, on a free port, with written neighbours."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from executor_service.bootstrap import Executor
from executor_service.dependencies import Dependencies
from executor_service.executor_server import ExecutorServer
from executor_service.ports import WorkPool
from executor_service.settings import ExecutorSettings
from heartrule.chassis.channels import open_channel
from heartrule.chassis.settings import read
from heartrule.domain.ids import new_id
from heartrule_cli.rehearsal.inline_pool import InlinePool
from session_store.open import open_in_memory
from session_store.ports import Store
from tests.support.conversing import Client
from tests.support.fake_model import FakeModel
from tests.support.fake_monitor import FakeMonitor
from tests.support.shipped_files import shipped_installation


@dataclass(slots=True)
class Neighbours:
    """What surrounds the executor of a test."""

    model: FakeModel = field(default_factory=FakeModel)
    monitor: FakeMonitor = field(default_factory=FakeMonitor)
    store: Store = field(default_factory=open_in_memory)
    environ: dict[str, str] = field(default_factory=dict)
    pool: WorkPool | None = field(default_factory=InlinePool)
    """None: processes."""
    run_address: str = ""
    """Beside which the engine of runs keeps its tables; empty: runs are tasks of the process."""


@dataclass(frozen=True, slots=True)
class Running:
    """A started executor and a client of it."""

    executor: Executor
    server: ExecutorServer
    client: Client
    neighbours: Neighbours


@asynccontextmanager
async def running_executor(neighbours: Neighbours | None = None) -> AsyncIterator[Running]:
    """Start an executor on a free port; everything is closed afterwards."""
    around = neighbours or Neighbours()
    # A turn that a test leaves behind with a model that hangs is waited for that long.
    environ = {"HEARTRULE_PORT": "0", "HEARTRULE_STOP_GRACE": "1", **around.environ}
    settings = read(ExecutorSettings, environ)
    given = Dependencies(
        store=around.store,
        model=around.model,
        monitor=around.monitor,
        pool=around.pool,
        installation=shipped_installation(),
        run_address=around.run_address,
    )
    executor = Executor(settings, given, owner=new_id("exe"))
    server = ExecutorServer(settings.server, executor)
    await server.start()
    channel = open_channel(f"127.0.0.1:{server.port}", token=settings.server.token)
    try:
        yield Running(executor, server, Client(channel), around)
    finally:
        await channel.close()
        await executor.drain()
        await server.close()
