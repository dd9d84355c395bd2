"""What every fault works with: processes, databases, models, seeds; made once, shared by all."""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
import zlib
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from heartrule.model.rehearsal.rehearsal_server import RunningServer, serve
from tests.chaos.checker import check
from tests.chaos.client import Client, publish
from tests.chaos.danger import ABOUT_A_FRIEND
from tests.chaos.databases import Database, PostgresDatabase, SqliteDatabase, analyses_open
from tests.chaos.dump import Dump, FinalState, take_dump
from tests.chaos.evidence import Violation
from tests.chaos.history import History
from tests.chaos.interrupting_client import WAYS, InterruptingClient
from tests.chaos.postgres import FaultyServer
from tests.chaos.processes import ROOT, Processes
from tests.chaos.run_client import RunningClient
from tests.chaos.services import Cluster, Shape, start_cluster
from tests.chaos.streams import ClientProfile
from tests.chaos.tasks import ended

_T = TypeVar("_T")

SCRIPT = ROOT / "tests" / "chaos" / "script.yaml"
INPUTS = (
    "叫我小林吧",
    "我不想说",
    "二十九岁",
    "好的，可以",
    "最近睡不好，工作也提不起劲",
    "今天天气不错",
    "大概三个月了",
    ABOUT_A_FRIEND,
    "嗯，是这样的",
    "希望能睡个好觉",
)
"""Answers, a refusal and a digression among them, which make the monitor advise; and a worry about
somebody, which is answered by a card in the turn that goes on with the script."""
AGENT_SCRIPT = ROOT / "tests" / "chaos" / "agent.yaml"
AGENT_INPUTS = (
    "帮我起草一个绕圈的流程",
    "温度改成 0.5",
    "先问我，再加一步",
    "睡眠",
    "想一想再说",
    "不知道从哪说起",
    ABOUT_A_FRIEND,
    "怎么改都不对",
    "谢谢",
)
"""Drafts, one of them wrong and mended; a question that holds a decision; thoughts; a question
alone; a card; three rejections in a row; the agent's end."""
SLOW_S = 0.01
"""Pace of the slow model: a turn takes about a second."""


@dataclass(frozen=True, slots=True)
class Talk:
    """What clients of a run talk through, and say."""

    script: Path
    inputs: tuple[str, ...] = ()
    beside: tuple[tuple[str, bytes], ...] = ()
    """What lies beside the script, by its path."""


USUAL = Talk(SCRIPT, INPUTS)
WITH_AGENT = Talk(AGENT_SCRIPT, AGENT_INPUTS)


@dataclass(slots=True)
class World:
    """The surroundings of a run."""

    seed: int
    folder: Path
    processes: Processes
    models: dict[tuple[str, float], RunningServer] = field(default_factory=dict)
    postgres: FaultyServer | None = None
    _undisturbed: dict[tuple[str, Talk], FinalState] = field(default_factory=dict)
    _numbers: int = 0
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def rng(self, name: str) -> random.Random:
        """Return the dice of a fault: the same for the same seed and name."""
        return random.Random(zlib.crc32(f"{self.seed}/{name}".encode()))

    async def model(self, pace_s: float = 0.0, host: str = "127.0.0.1") -> str:
        """Return the address of the rehearsal model at a pace."""
        if (host, pace_s) not in self.models:
            self.models[host, pace_s] = await serve(host, pace_s=pace_s)
        return self.models[host, pace_s].base_url

    def new_folder(self, name: str) -> Path:
        """Return an empty folder."""
        self._numbers += 1
        folder = self.folder / f"{name}-{self._numbers}"
        folder.mkdir()
        return folder

    async def database(self, kind: str, folder: Path) -> Database:
        """Return a new database; PostgreSQL is started when first asked for."""
        if kind == "sqlite":
            return SqliteDatabase(folder / "heartrule.db")
        async with self._lock:
            if self.postgres is None:
                self.postgres = await asyncio.to_thread(FaultyServer)
                await asyncio.to_thread(self.postgres.start)
        return PostgresDatabase(self.postgres, await asyncio.to_thread(self.postgres.create_empty))

    async def undisturbed(self, kind: str, talk: Talk = USUAL) -> FinalState:
        """Return where a session comes to stand that nothing disturbs; run once per database."""
        if (kind, talk) not in self._undisturbed:
            folder = self.new_folder(f"undisturbed-{kind}")
            database = await self.database(kind, folder)
            async with self.scene("undisturbed", database, folder, Shape(), talk=talk) as scene:
                await scene.talk(1)
                violations = await scene.verdict(compare=False)
                wrong = [str(each) for each in violations]
                assert not wrong, f"a session that nothing disturbs keeps every rule, not {wrong}"
                (state,) = take_dump(database).final_states.values()
                self._undisturbed[kind, talk] = state
        return self._undisturbed[kind, talk]

    @asynccontextmanager
    async def scene(
        self,
        name: str,
        database: Database,
        folder: Path,
        shape: Shape,
        *,
        pace_s: float = 0.0,
        talk: Talk = USUAL,
    ) -> AsyncIterator[Scene]:
        """Start a cluster for the length of a block, with a script published on it."""
        host = shape.inside.model_host if shape.inside else "127.0.0.1"
        model = await self.model(pace_s, host)
        cluster = await start_cluster(self.processes, database, folder, shape, model=model)
        try:
            stubs = cluster.executors[0].needed_stubs()
            script_id = await publish(stubs, talk.script.read_bytes(), dict(talk.beside))
            rng = self.rng(f"{name}/{database.kind}")
            scene = Scene(self, cluster, folder, script_id, ClientProfile(rng=rng), talk)
            try:
                yield scene
            except Exception:  # for whoever looks into it
                scene.history.write(folder / "history.jsonl")
                raise
            finally:
                await ended(scene.tasks)
        finally:
            await cluster.aclose()


@dataclass(slots=True)
class Scene:
    """A cluster, its clients, and what they received."""

    world: World
    cluster: Cluster
    folder: Path
    script_id: str
    profile: ClientProfile
    about: Talk = USUAL
    history: History = field(default_factory=History)
    clients: list[Client] = field(default_factory=list)
    tasks: list[asyncio.Task[Any]] = field(default_factory=list)
    keep: bool = True
    """Whether clients' records are kept where a rule is violated."""

    def client(self) -> Client:
        """Return a new client of every executor."""
        client = Client(self._name(), self.cluster.executors, self.history, self.profile)
        client.trusting = len(self.clients) % 2 == 1
        self.clients.append(client)
        return client

    def interrupting_client(self, ways: tuple[str, ...] = WAYS) -> Client:
        """Return a client that stops turns in one of these ways."""
        client = InterruptingClient(
            self._name(), self.cluster.executors, self.history, self.profile
        )
        client.ways = ways
        self.clients.append(client)
        return client

    def running_client(self) -> RunningClient:
        """Return a client that begins runs of workflows."""
        client = RunningClient(self._name(), self.cluster.executors, self.history, self.profile)
        self.clients.append(client)
        return client

    def _name(self) -> str:
        return f"c{len(self.clients) + 1}"

    async def talk(self, clients: int, inputs: Sequence[str] = ()) -> None:
        """Let so many clients have whole conversations at once, by default those of the scene."""
        if self.profile.between is None and self.cluster.monitor is not None:
            self.profile.between = self.settled
        async with asyncio.TaskGroup() as group:
            for _ in range(clients):
                group.create_task(self.converse(self.client(), inputs))

    async def converse(self, client: Client, inputs: Sequence[str] = ()) -> None:
        """Let a client have a whole conversation."""
        await client.converse(self.script_id, inputs or self.about.inputs)

    def beside(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Begin work beside the fault; what of it is not done when the scene ends is cancelled."""
        task = asyncio.create_task(work)
        self.tasks.append(task)
        return task

    async def settled(self, session_id: str, *, within_s: float = 90.0) -> None:
        """Wait until every analysis of the session has ended: then advice is not left to chance."""
        async with asyncio.timeout(within_s):
            while await asyncio.to_thread(analyses_open, self.cluster.database, session_id):
                await asyncio.sleep(0.02)

    async def verdict(self, *, compare: bool = True) -> list[Violation]:
        """Stop everything, read the tables, and return what is wrong."""
        expected = None
        if compare:
            state = await self.world.undisturbed(self.cluster.database.kind, self.about)
            expected = {client.session_id: state for client in self.clients}
        return self.judged(await self.dump(), expected)

    async def dump(self) -> Dump:
        """Stop everything, and read the tables."""
        for client in self.clients:
            client.leave()
            if client.session_id and self.cluster.monitor is not None:
                await self.settled(client.session_id, within_s=90.0)
        await self.cluster.aclose()
        return await asyncio.to_thread(take_dump, self.cluster.database)

    def judged(self, dump: Dump, expected: Mapping[str, FinalState] | None) -> list[Violation]:
        """Return what is wrong, and keep clients' records where something is."""
        violations = check(self.history, dump, expected=expected)
        if violations and self.keep:
            self.history.write(self.folder / "history.jsonl")
        return violations


@asynccontextmanager
async def open_world(seed: int) -> AsyncIterator[World]:
    """Make a world for the length of a block; nothing of it stays, but for a violation's folder."""
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    async with AsyncExitStack() as stack:
        processes = Processes()
        stack.push_async_callback(processes.aclose)
        await processes.open()
        world = World(seed, folder, processes)
        try:
            yield world
        finally:
            for model in world.models.values():
                await model.aclose()
            if world.postgres is not None:
                await asyncio.to_thread(world.postgres.remove)
            if not any(folder.rglob("history.jsonl")):
                shutil.rmtree(folder, ignore_errors=True)
