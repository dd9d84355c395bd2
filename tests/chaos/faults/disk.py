"""The disk is full: SQLite's whole file system, PostgreSQL's tables (its log lies elsewhere).

Nothing is acknowledged that is not kept, readiness says false, liveness true, reads go on, and a
session can still be deleted on SQLite, where the executor keeps a reserve. Recovery: from the
moment there is room until the executor is ready; nothing is restarted.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grpc import aio

from heartrule.v1 import conversation_pb2, erasure_pb2, session_pb2
from tests.chaos.client import Client, publish
from tests.chaos.databases import Database, PostgresDatabase, SqliteDatabase
from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.postgres import FaultyServer
from tests.chaos.processes import MissingTool
from tests.chaos.result import Result, stretch
from tests.chaos.services import Shape
from tests.chaos.watching import LONG_S, until, watched
from tests.chaos.world import INPUTS, SCRIPT, Scene, World

MEGABYTE = 1024 * 1024
ROOM = {"sqlite": 40 * MEGABYTE, "postgresql": 160 * MEGABYTE}
NOTICED_S = 5.0
BACK_S = 5.0
LONG = "话" * 60_000
"""An input that fits into no page that is there already."""


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Fill the disk of each database."""
    for kind in options.databases:
        folder = world.new_folder(f"disk-{kind}")
        try:
            with small_disk(folder, ROOM[kind]) as disk:
                async with _DatabaseOn(kind, disk, world) as database:
                    yield await full(world, options, database, disk)
        except MissingTool as reason:
            yield Result(fault="disk full", database=kind, skipped=str(reason))


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """Give a folder on a file system of its own.

    Raises:
        MissingTool: Mounting is not allowed here.
    """
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0777", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        raise MissingTool("mounting a small file system is not allowed here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


class _DatabaseOn:
    """A database whose data lies on a disk."""

    def __init__(self, kind: str, disk: Path, world: World) -> None:
        self._kind = kind
        self._disk = disk
        self._world = world
        self._server: FaultyServer | None = None

    async def __aenter__(self) -> Database:
        if self._kind == "sqlite":
            return SqliteDatabase(self._disk / "heartrule.db")
        # The server's user must be able to enter every folder on the way.
        for folder in (self._world.folder, self._disk.parent):
            folder.chmod(0o755)
        self._server = await asyncio.to_thread(FaultyServer, inside=self._disk)
        await asyncio.to_thread(_log_elsewhere, self._server)
        await asyncio.to_thread(self._server.start)
        return PostgresDatabase(self._server, await asyncio.to_thread(self._server.create_empty))

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            await asyncio.to_thread(self._server.remove)


def _log_elsewhere(server: FaultyServer) -> None:
    """Move PostgreSQL's log to another disk: without room for it the server stops altogether."""
    here, there = server.data / "pg_wal", server.folder.parent.parent / "wal"
    shutil.move(here, there)
    here.symlink_to(there)
    if os.geteuid() == 0:
        for path in (there, *there.rglob("*")):
            shutil.chown(path, "postgres")


async def full(world: World, options: Options, database: Database, disk: Path) -> Result:
    """Talk, fill the disk, talk on, make room, and see everything answered."""
    result = Result(fault="disk full", database=database.kind, what="while clients talk",
                    limit_s=options.limit(BACK_S))  # fmt: skip
    began = now()
    shape, folder = Shape(monitor=False), disk.parent
    async with world.scene("disk", database, folder, shape) as scene:
        (executor,) = scene.cluster.executors
        doomed = await _a_session(scene)
        talkers = [scene.client() for _ in range(3)]
        for client in talkers:
            await client.begin(scene.script_id)
            await client.say(f"{client.name}-0", INPUTS[0])
        async with watched(executor) as probes:
            fill(disk)
            filled = now()
            result.kills = 1
            talks = [scene.beside(client.say(f"{client.name}-1", LONG)) for client in talkers]
            noticed = await until(lambda: _not(executor.health()), within_s=LONG_S)
            after = now() - filled
            result.notes["noticed after s"] = round(after, 2)
            result.require(noticed and after <= NOTICED_S * stretch(), f"noticed after {after} s")
            refused = await _is_refused(scene, talkers[0])
            result.require(refused, "a long input was acknowledged without room")
            for client in talkers:
                await _reads_go_on(client, result)
            await _deleting(scene, doomed, result)
            await asyncio.sleep(1.0)
            (disk / "filler").unlink(missing_ok=True)
            roomy = now()
            result.require(
                await until(executor.health, within_s=LONG_S), "it was never ready again"
            )
            result.recovered(now() - roomy)
            await asyncio.gather(*talks)
        result.require(probes.always_alive(), "it was not alive all the time")
        for client in talkers:
            await client.say(f"{client.name}-2", INPUTS[2])
            await client.close()
        result.runs, result.turns = len(talkers), sum(len(c.latencies) for c in talkers)
        result.add(await scene.verdict(compare=False))
    result.took_s = now() - began
    return result


def fill(disk: Path) -> None:
    """Write until nothing more fits."""
    with (disk / "filler").open("wb", buffering=0) as file, suppress(OSError):
        for size in (MEGABYTE, 4096):
            with suppress(OSError):
                while file.write(b"x" * size) == size:
                    pass


async def _not(saying: object) -> bool:
    return not await saying  # type: ignore[misc]


async def _a_session(scene: Scene) -> str:
    """Return the id of a session beside those of the clients."""
    stubs = scene.cluster.executors[0].needed_stubs()
    script_id = await publish(stubs, SCRIPT.read_bytes())
    request = session_pb2.StartSessionRequest(script_id=script_id)
    return str((await stubs.session.StartSession(request)).session.session_id)


async def _is_refused(scene: Scene, client: Client) -> bool:
    """Say something long once, elsewhere than in the client's log, and return what came of it."""
    stubs = scene.cluster.executors[0].needed_stubs()
    user_input = conversation_pb2.UserInput(client_message_id="refused")
    user_input.parts.add(text=LONG)
    request = conversation_pb2.SubmitInputRequest(session_id=client.session_id, input=user_input)
    try:
        await stubs.conversation.SubmitInput(request, timeout=10)
    except aio.AioRpcError as error:
        return "RESOURCE_EXHAUSTED" in str(error.code())
    return False


async def _reads_go_on(client: Client, result: Result) -> None:
    try:
        async with asyncio.timeout(LONG_S):
            await client.read_back()
    except TimeoutError:
        result.require(holds=False, what="a read was not answered")


async def _deleting(scene: Scene, session_id: str, result: Result) -> None:
    """A full disk refuses DELETE too; on SQLite a reserve makes it possible."""
    stubs = scene.cluster.executors[0].needed_stubs()
    try:
        await stubs.session.DeleteSession(
            erasure_pb2.DeleteSessionRequest(session_id=session_id), timeout=20
        )
    except aio.AioRpcError as error:
        if scene.cluster.database.kind == "sqlite":
            result.require(holds=False, what=f"a session was not deleted: {error.code()}")
        result.notes["deleting"] = str(error.code())
