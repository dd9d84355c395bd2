"""The processes of `make bench`: each is started when a row first asks for it."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from tests.benchmarks.children import Child, stop_all
from tests.benchmarks.measuring import Bench
from tests.benchmarks.peers.environment import NoEnvironment, peers_python
from tests.benchmarks.postgres import BenchServer, postgres

Database: TypeAlias = Literal["sqlite", "postgres"]
DATABASES: tuple[Database, ...] = ("sqlite", "postgres")


class NotMeasurable(Exception):
    """Something a row needs is not on this machine; the text says what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Who answers the load."""

    kind: Literal["executor", "floor", "langgraph", "agents", "raw"] = "executor"
    """`raw` is the SDK asking the model itself."""
    database: Database = "sqlite"
    monitor: bool = False
    traced: bool = False
    copy: str = ""
    """Distinguishes two targets that are otherwise equal."""

    @property
    def name(self) -> str:
        """Return what names it in reports and log files."""
        parts: list[str] = [self.kind, self.database]
        parts += ["monitor"] if self.monitor else []
        parts += ["traced"] if self.traced else []
        return "-".join([*parts, self.copy] if self.copy else parts)


class BenchProcesses:
    """One run's processes and databases."""

    def __init__(self, folder: Path, server: BenchServer | None) -> None:
        """Use a folder for files and logs, and a PostgreSQL server where there is one."""
        self.folder = folder
        self.warm: set[tuple[str, int]] = set()
        """Targets, by name and number of sessions, whose histories are full."""
        self._server = server
        self._children: dict[str, Child] = {}
        self._addresses: dict[str, str] = {}

    async def bench(self, *targets: Target) -> Bench:
        """Return model, load and the targets, by name, all running."""
        servers = {target.name: await self.target(target) for target in targets}
        return Bench(await self.model(), await self.load(), servers)

    async def model(self) -> Child:
        """Return the fake model."""
        return await self.child("model", "-m", "tests.benchmarks.fake_openai")

    async def load(self) -> Child:
        """Return the load generator."""
        return await self.child("load", "-m", "tests.benchmarks.load")

    async def target(self, target: Target) -> Child:
        """Return a server.

        Raises:
            NotMeasurable: Its database or its packages are not here.
        """
        if target.kind == "executor":
            environ = await self.environ(target)
            return await self.child(target.name, "-m", "executor_service", **environ)
        model = f"http://{(await self.model()).target}/v1"
        if target.kind == "floor":
            arguments = ("-m", "tests.benchmarks.floor", self.database(target), model)
            return await self.child(target.name, *arguments)
        if target.kind == "raw":
            return await self.child(target.name, "-m", "tests.benchmarks.raw_sdk", model)
        arguments = (
            "-m",
            f"tests.benchmarks.peers.{target.kind}_server",
            self.database(target),
            model,
        )
        return await self.child(target.name, *arguments, python=await self._peers())

    async def environ(self, target: Target) -> dict[str, str]:
        """Return the settings of an executor."""
        monitor = "off"
        if target.monitor:
            monitor = (await self._monitor()).target
        environ = {
            "HEARTRULE_PORT": "0",
            "HEARTRULE_INPUTS_PER_MINUTE": "0",
            "HEARTRULE_DATABASE_URL": self.database(target),
            "HEARTRULE_MONITOR_ADDRESS": monitor,
            **await self._model_environ(),
        }
        return environ | (await self.tracing() if target.traced else {})

    def database(self, target: Target) -> str:
        """Return the address of a target's database, which is made the first time.

        Raises:
            NotMeasurable: PostgreSQL is not installed.
        """
        if target.database == "sqlite":
            return str(self.folder / f"{target.name}.db")
        if self._server is None:
            raise NotMeasurable("PostgreSQL is not installed")
        name = target.name.replace("-", "_")
        if name not in self._addresses:
            self._addresses[name] = self._server.database(name)
        return self._addresses[name]

    async def child(
        self, name: str, *arguments: str, python: str = sys.executable, **environ: str
    ) -> Child:
        """Return the process of that name, started the first time."""
        if name not in self._children:
            self._children[name] = await Child.start(
                name, arguments, folder=self.folder, environ=environ, python=python
            )
        return self._children[name]

    async def _peers(self) -> str:
        try:
            return await peers_python()
        except NoEnvironment as error:
            raise NotMeasurable(str(error)) from error

    async def end(self, *names: str) -> None:
        """End some processes before the others."""
        for name in names:
            if name in self._children:
                await self._children.pop(name).stop()

    async def close(self) -> None:
        """End every process."""
        await stop_all(self._children.values())

    async def monitor_environ(self) -> dict[str, str]:
        """Return the settings of a monitor service."""
        environ = await self._model_environ() | await self.tracing()
        return {"HEARTRULE_MONITOR_PORT": "0", **environ}

    async def _monitor(self) -> Child:
        environ = await self.monitor_environ()
        return await self.child("monitor", "-m", "monitor_service", **environ)

    async def _model_environ(self) -> dict[str, str]:
        model = await self.model()
        return {"HEARTRULE_MODEL": "bench-128k", "OPENAI_BASE_URL": f"http://{model.target}/v1"}

    async def tracing(self) -> dict[str, str]:
        """Return the settings that send spans to a collector."""
        sink = await self.child("sink", "-m", "tests.benchmarks.otlp_sink")
        return {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://{sink.target}"}


@asynccontextmanager
async def open_processes(folder: Path) -> AsyncIterator[BenchProcesses]:
    """Give processes that end with the block, whatever happens in it."""
    with postgres() as server:
        made = BenchProcesses(folder, server)
        try:
            yield made
        finally:
            await made.close()
