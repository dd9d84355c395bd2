"""Executors and a monitor over one database, each a process that may die and come back."""

from __future__ import annotations

import asyncio
import mmap
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from heartrule.wire.executor_stubs import ExecutorStubs
from tests.chaos.databases import Database
from tests.chaos.processes import Process, Processes, Start, reserve_port

_CHANNEL = [
    ("grpc.enable_retries", 0),
    ("grpc.max_reconnect_backoff_ms", 200),
    ("grpc.use_local_subchannel_pool", 1),
]


class NotServing(Exception):
    """A process that a fault needs does not run; the text says what became of it."""


@dataclass(slots=True, kw_only=True, eq=False)
class Replica:
    """A place for one service process; a new one takes the place of one that died."""

    name: str
    module: str
    folder: Path
    processes: Processes
    environ: dict[str, str]
    patches: tuple[str, ...] = ()
    prefix: tuple[str, ...] = ()
    port_settings: tuple[str, ...] = ("HEARTRULE_HEALTH_PORT",)
    """Of ports that stay its own while it is down, that of its probes first."""
    process: Process | None = None
    starts: int = 0
    host: str = "127.0.0.1"
    _channel: aio.Channel | None = None
    _keepers: tuple[socket.socket, ...] = ()

    async def start(self, **environ: str) -> Process:
        """Start the process with more environment where some is given; wait until it listens."""
        self._keepers = self._keepers or tuple(reserve_port() for _ in self.port_settings)
        ports = [keeper.getsockname()[1] for keeper in self._keepers]
        what = Start(
            module=self.module,
            folder=self.folder,
            environ={
                **self.environ,
                **environ,
                **dict(zip(self.port_settings, map(str, ports), strict=True)),
            },
            patches=self.patches,
            prefix=self.prefix,
        )
        process = await self.processes.start(what)
        process.health_port = ports[0]
        self.process, self.starts = process, self.starts + 1
        await self._drop_channel()
        self._channel = aio.insecure_channel(f"{self.host}:{process.port}", options=_CHANNEL)
        return process

    @property
    def running(self) -> Process:
        """The process, which must have been started; it may have ended since."""
        if self.process is None:
            raise NotServing(f"{self.name} must have been started here, and was not")
        return self.process

    def stubs(self) -> ExecutorStubs | None:
        """Return what calls it; None while it is known to be down."""
        if self.process is None or not self.process.runs or self._channel is None:
            return None
        return ExecutorStubs(self._channel)

    def needed_stubs(self) -> ExecutorStubs:
        """Return what calls it, where it must serve.

        Raises:
            NotServing: It is down.
        """
        stubs = self.stubs()
        if stubs is not None:
            return stubs
        process = self.running
        if process.runs:
            raise NotServing(f"{self.name} must serve here, and is being started anew")
        raise NotServing(
            f"{self.name} must serve here, and {process.name} (pid {process.pid}) ended with"
            f" {process.ended.result()}; the end of its log: {process.log_end()!r}"
        )

    async def kill(self) -> None:
        """End the process as a power cut would."""
        if self.process is not None:
            await self.process.kill()

    async def health(self, check: str = "ready", *, within_s: float = 2.0) -> bool:
        """Return what the process says of itself; False where it says nothing."""
        target = f"{self.host}:{self.running.health_port}"
        async with aio.insecure_channel(target) as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            request = health_pb2.HealthCheckRequest(service=check)
            try:
                answer = await stub.Check(request, timeout=within_s)
            except aio.AioRpcError:
                return False
            return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    async def aclose(self) -> None:
        """Kill the process, and free the channel and the ports."""
        await self.kill()
        await self._drop_channel()
        for keeper in self._keepers:
            keeper.close()
        self._keepers = ()

    async def _drop_channel(self) -> None:
        if self._channel is not None:
            channel, self._channel = self._channel, None
            await channel.close()


class Trigger:
    """Shared memory through which a running process learns where to die."""

    def __init__(self, path: Path) -> None:
        """Make the file, disarmed."""
        path.write_bytes(bytes(64))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 64)
        self.path = path

    def arm(self, point: str, nth: int = 1) -> None:
        """Let the process die at the nth visit of the point from now."""
        name = point.encode()
        self._memory[0:1] = b"\0"
        self._memory[2 : 2 + len(name) + 1] = name + b"\0"
        self._memory[1:2] = bytes([nth])
        self._memory[0:1] = b"\1"

    def disarm(self) -> bool:
        """Let it live; return whether it came by since it was armed, and is dead or about to be."""
        self._memory[0:1] = b"\0"
        return self._memory[1] == 0


@dataclass(slots=True, kw_only=True)
class Cluster:
    """What serves clients in a run: executors over one database, and a monitor."""

    database: Database
    executors: list[Replica] = field(default_factory=list)
    monitor: Replica | None = None

    @property
    def needed_monitor(self) -> Replica:
        """The monitor, where there must be one."""
        if self.monitor is None:
            raise NotServing("this fault needs a monitor, and its shape has none")
        return self.monitor

    async def aclose(self) -> None:
        """Kill every process."""
        for replica in (*self.executors, *([self.monitor] if self.monitor else [])):
            await replica.aclose()


BASE: Mapping[str, str] = {
    "HEARTRULE_PORT": "0",
    "HEARTRULE_INPUTS_PER_MINUTE": "0",
    "HEARTRULE_MAX_INPUT_CHARS": "100000",  # what fills a disk is long
    "HEARTRULE_MODEL": "heartrule-rehearsal",
    "HEARTRULE_PROVIDER_KIND": "rehearsal",
    "OPENAI_API_KEY": "rehearsal",
    "HEARTRULE_HEARTBEAT": "1",
    "HEARTRULE_MONITOR_SWEEP": "0.5",
    "HEARTRULE_STOP_GRACE": "10",
    "HEARTRULE_CHECK_LIMIT": "60",  # seven services start at once on two cores, each a checker too
    "HEARTRULE_DECISION_LIMIT": "60",
    "HEARTRULE_TEST_MODE": "1",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inside:
    """Executors in a network of their own."""

    prefix: tuple[str, ...]
    """The command that runs another one in it."""
    host: str
    """Where clients find them."""
    monitor_host: str
    """Where they find the monitor."""
    model_host: str
    """Where they find the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How many processes there are, and how they are set."""

    executors: int = 1
    monitor: bool = True
    lease_ttl_s: float = 1.5
    environ: Mapping[str, str] = field(default_factory=dict)
    monitor_environ: Mapping[str, str] = field(default_factory=dict)
    patches: Sequence[str] = ()
    claim_ttl_s: float = 2.0
    """How long a dead executor's claim on an analysis lasts; a minute outside of tests."""
    inside: Inside | None = None
    prefixes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Commands to run single executors under, by their names."""
    triggers: bool = False
    """Whether each process gets a trigger file, `<name>.trigger` in the folder."""


async def start_cluster(
    processes: Processes, database: Database, folder: Path, shape: Shape, *, model: str
) -> Cluster:
    """Start the monitor, then the executors together."""
    cluster = Cluster(database=database)
    inside = shape.inside
    # Addresses inside a fault's own network are no loopback, and its point is no token.
    common = {**BASE, "OPENAI_BASE_URL": model, "HEARTRULE_INSECURE": "true"}
    try:
        address = "off"
        if shape.monitor:
            cluster.monitor = monitor = Replica(
                name="monitor",
                module="monitor_service",
                folder=folder,
                processes=processes,
                environ={
                    **common,
                    "HEARTRULE_MONITOR_HOST": inside.monitor_host if inside else "127.0.0.1",
                    **shape.monitor_environ,
                },
                patches=_patches(shape, folder, "monitor"),
                port_settings=("HEARTRULE_MONITOR_HEALTH_PORT", "HEARTRULE_MONITOR_PORT"),
            )
            await monitor.start()
            address = monitor.running.address
            if inside is not None:
                address = f"{inside.monitor_host}:{monitor.running.port}"
        for number in range(shape.executors):
            name = f"executor{number + 1}"
            environ = {
                **common,
                "HEARTRULE_DATABASE_URL": database.address,
                "POD_NAME": name,
                "HEARTRULE_LEASE_TTL": str(shape.lease_ttl_s),
                "HEARTRULE_MONITOR_ADDRESS": address,
                **({"HEARTRULE_HOST": inside.host} if inside else {}),
                **shape.environ,
            }
            cluster.executors.append(
                Replica(
                    name=name,
                    module="executor_service",
                    folder=folder,
                    processes=processes,
                    environ=environ,
                    patches=_patches(shape, folder, name),
                    prefix=inside.prefix if inside else shape.prefixes.get(name, ()),
                    host=inside.host if inside else "127.0.0.1",
                )
            )
        await asyncio.gather(*(replica.start() for replica in cluster.executors))
    except BaseException:
        with suppress(Exception):
            await cluster.aclose()
        raise
    return cluster


def _patches(shape: Shape, folder: Path, name: str) -> tuple[str, ...]:
    patches = list(shape.patches)
    if name != "monitor":
        patches.append(f"claims:{shape.claim_ttl_s}")
    if shape.triggers:
        patches.append(f"triggers:{folder / f'{name}.trigger'}")
    return tuple(patches)
