"""Executors that run workflows against an endpoint of ours, and what came of it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import psycopg

from session_store.sql.run_database import SCHEMA, SUFFIX
from tests.chaos.databases import Database, PostgresDatabase, SqliteDatabase
from tests.chaos.processes import ROOT
from tests.chaos.run_client import RunningClient
from tests.chaos.run_endpoint import RunEndpoint, run_endpoint
from tests.chaos.running import nothing_ended_runs_again, one_key_for_each_call
from tests.chaos.services import Replica, Shape, Trigger
from tests.chaos.watching import LONG_S, until
from tests.chaos.world import Scene, Talk, World

WORKFLOWS = ROOT / "tests" / "chaos" / "workflows"
IDS = ("whole", "late", "poison")
WHOLE, LATE, POISON = IDS
SILENT_S = 3.0
"""A worker that is silent for so long is held for dead here."""
_UNENDED = "SELECT run_id FROM runs WHERE end_time IS NULL"
_OWNER = "SELECT owner FROM runs WHERE run_id = {}"
_OWNERS = "SELECT owner FROM runs WHERE end_time IS NULL"


@dataclass(slots=True)
class RunScene:
    """A cluster whose sessions have workflows."""

    scene: Scene
    endpoint: RunEndpoint
    triggers: Mapping[str, Trigger] = field(default_factory=dict)
    """Of the executors by name, where their shape has some."""
    workers: list[Replica] = field(default_factory=list)
    """Processes that take runs and serve nobody."""
    reference: str = ""
    """The session whose run nothing disturbed."""
    apart: set[str] = field(default_factory=set)
    """Sessions that are compared with none."""
    _tags: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def database(self) -> Database:
        """Where the sessions are."""
        return self.scene.cluster.database

    def tag(self) -> str:
        """Return a new input for a run."""
        return f"run{next(self._tags)}"

    async def client(self) -> RunningClient:
        """Return a client with a session, which hears its opening and leaves its stream."""
        client = self.scene.running_client()
        await client.begin(self.scene.script_id)
        await client.close()
        return client

    async def undisturbed(self, workflow_id: str) -> None:
        """Run a workflow while nothing is wrong: the others have to come to the same."""
        client = await self.client()
        await client.run(workflow_id, self.tag())
        self.reference = client.session_id

    async def unended(self) -> set[str]:
        """Return the runs that have not ended."""
        return {str(row[0]) for row in await asyncio.to_thread(self.database.rows, _UNENDED)}

    async def owner(self, run_id: str) -> str:
        """Return the process that has a run; empty: none."""
        ((owner,),) = await asyncio.to_thread(self.database.rows, _OWNER, run_id)
        return str(owner)

    async def owners(self) -> list[str]:
        """Return the process of each run that has not ended; empty: none."""
        rows = await asyncio.to_thread(self.database.rows, _OWNERS)
        return [str(owner) for (owner,) in rows]

    async def all_end(self, run_ids: set[str], *, within_s: float = LONG_S) -> bool:
        """Wait until the runs have ended; False where they do not in time."""

        async def are_ended() -> bool:
            return not run_ids & await self.unended()

        return await until(are_ended, within_s=within_s)

    async def verdict(self) -> list[str]:
        """Stop everything, and return what is wrong."""
        for worker in self.workers:
            await worker.aclose()
        dump = await self.scene.dump()
        states, expected = dump.final_states, None
        if self.reference:
            alike = [c.session_id for c in self.scene.clients if c.session_id not in self.apart]
            expected = dict.fromkeys(filter(None, alike), states[self.reference])
        return [
            *map(str, self.scene.judged(dump, expected)),
            *one_key_for_each_call(self.endpoint.calls),
            *nothing_ended_runs_again(self.endpoint.calls, dump),
        ]

    async def add_worker(self, number: int) -> Replica:
        """Start a process that takes runs and serves nobody."""
        name, like = f"worker{number}", self.scene.cluster.executors[0]
        role = {"HEARTRULE_ROLE": "worker", "HEARTRULE_RUN_CONCURRENCY": "4", "POD_NAME": name}
        worker = Replica(
            name=name,
            module=like.module,
            folder=like.folder,
            processes=like.processes,
            environ={**like.environ, **role},
            patches=like.patches,
        )
        self.workers.append(worker)
        await worker.start()
        return worker


@asynccontextmanager
async def run_scene(
    world: World,
    name: str,
    kind: str,
    *,
    shape: Shape,
    pace_s: float = 0.02,
    talk: Talk | None = None,
) -> AsyncIterator[RunScene]:
    """Give executors, by their shape; without a talk, sessions have the workflows of chaos."""
    folder = world.new_folder(name.replace("/", "-"))
    database = await world.database(kind, folder)
    async with run_endpoint(pace_s=pace_s) as endpoint:
        environ = {**shape.environ, "HEARTRULE_DECISION_POLICY": _policy(folder)}
        patches = (*shape.patches, f"silence:{SILENT_S}")
        asked = replace(shape, monitor=False, environ=environ, patches=patches)
        names = [f"executor{number + 1}" for number in range(shape.executors)]
        triggers = {each: Trigger(folder / f"{each}.trigger") for each in names if shape.triggers}
        about = talk or _talk(endpoint)
        async with world.scene(name, database, folder, asked, talk=about) as scene:
            yield RunScene(scene, endpoint, triggers)


def forget(database: Database) -> None:
    """Remove all that DBOS knows; no executor runs."""
    if isinstance(database, SqliteDatabase):
        path = database.path
        for file in path.parent.glob(f"{path.stem}{SUFFIX}{path.suffix}*"):
            file.unlink()
    elif isinstance(database, PostgresDatabase):
        with psycopg.connect(database.server.url(database.name), autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA {SCHEMA} CASCADE".encode())


def _talk(endpoint: RunEndpoint) -> Talk:
    host = endpoint.url.partition("//")[2]
    texts = ((each, (WORKFLOWS / f"{each}.yaml").read_text()) for each in IDS)
    workflows = ((name, text.replace("ENDPOINT", host).encode()) for name, text in texts)
    beside = tuple((f"workflows/{name}.yaml", text) for name, text in workflows)
    return Talk(WORKFLOWS / "script.yaml", beside=beside)


def _policy(folder: Path) -> str:
    """Write the policy, its file of secrets, and the database that nodes read; return its path."""
    items, secrets, policy = (folder / name for name in ("items.db", "secrets.json", "policy.json"))
    with closing(sqlite3.connect(items)) as connection:
        connection.executescript(
            "CREATE TABLE items (n INTEGER); INSERT INTO items VALUES (1), (2), (3);"
        )
    secrets.write_text(json.dumps({"connections": {"items": f"sqlite:///{items}"}}))
    default = {
        "api_networks": ["127.0.0.0/8"],
        "connections": ["items"],
        "secrets_file": str(secrets),
    }
    policy.write_text(json.dumps({"default": default}))
    return str(policy)
