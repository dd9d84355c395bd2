"""Sessions whose sub-agents have threads three deep, held behind a checkpoint."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import select

from heartrule.domain.conversation import Completeness, Message
from heartrule.domain.events import MessageCommitted, Outcome, TurnEnded, TurnStarted
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.threads import ThreadState
from heartrule.v1 import script_pb2, session_pb2
from heartrule_cli.rehearsal.doubles import RehearsalModel
from session_store.open import open_in_memory
from session_store.ports import Store
from session_store.records import Page
from session_store.sql.database.tables_of_runs import runs
from session_store.sql.threads.tables_of_threads import sub_thread_messages, sub_threads
from tests.support.conversing import Conversing
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.thread_places import HeldStore

FOLDER = Path(__file__).resolve().parents[1] / "chaos" / "threads"
RESULT = "演示模型的回答，关于：请写出定稿：查一查睡眠"
WHOLE = (("writer", 8), ("chapter", 7), ("passage", 4), ("chapter", 7), ("passage", 4))
"""The agents of a run's threads, and how many messages each has at the end."""
CALLS = 10
"""Of the model, by the threads of one run."""
_ALL = Page(size=200)


def files() -> Mapping[str, bytes]:
    """Return the bundle: a script, and agents for three levels of threads."""
    found = (each for each in FOLDER.rglob("*") if each.is_file())
    return {str(each.relative_to(FOLDER)): each.read_bytes() for each in found}


@dataclass(frozen=True, slots=True)
class ThreadTalk:
    """A session whose agent has greeted, and a stream of it."""

    running: Running
    store: HeldStore
    stream: Conversing
    key: SessionKey
    script_id: str

    async def held(self) -> str:
        """Ask for a sub-agent, and return the turn once its run is held."""
        await self.stream.say("m1", "查一查睡眠")
        started = await self.stream.until(lambda e: isinstance(e.body, TurnStarted))
        await self.store.reached.wait()
        return started.turn_id

    async def stopped(self) -> None:
        """Ask for a sub-agent, and stop the turn that waits for it once its run is held.

        One that waited for a result which was committed may be over before it is stopped.
        """
        await self.stream.interrupt(await self.held())
        ended = await self.stream.until_body(TurnEnded)
        assert ended.outcome in {Outcome.INTERRUPTED, Outcome.WAITING}

    async def replaced(self) -> Message:
        """Read until a message has taken a placeholder's place; return it."""
        for each in self.stream.told.of(MessageCommitted):
            if each.message.replaces_message_id:
                return each.message
        while True:
            committed = await self.stream.until_body(MessageCommitted)
            if committed.message.replaces_message_id:
                return committed.message

    async def threads(self, key: SessionKey | None = None) -> list[tuple[str, int]]:
        """Return the agents of the threads that are listed; each is complete, with its messages."""
        store, found = cast("Store", self.store), []
        for each in (await store.list_threads(key or self.key, _ALL))[0]:
            assert each.thread.state is ThreadState.COMPLETED, each
            name = each.thread.thread_id
            said, _ = await store.list_thread_messages(key or self.key, name, _ALL)
            assert not any(message.message.is_placeholder for message in said)
            found.append((each.thread.agent, len(said)))
        return found

    async def rows_left(self) -> int:
        """Return how many rows of runs and threads the session has."""

        def count(db: sa.Connection) -> int:
            return sum(
                len(db.execute(select(each).where(each.c.session_id == self.key.session_id)).all())
                for each in (runs, sub_threads, sub_thread_messages)
            )

        return int(await self.store._engine.read(count))

    async def said(self, key: SessionKey | None = None) -> list[str]:
        """Return the conversation as a client lists it; no placeholder is in it."""
        listed, _ = await cast("Store", self.store).list_messages(key or self.key, _ALL)
        assert not any(each.completeness is Completeness.PLACEHOLDER for each in listed)
        return [each.plain_text() for each in listed]


@asynccontextmanager
async def thread_talk(place: str, **environ: Any) -> AsyncIterator[ThreadTalk]:
    """Open a session of that script; a run is held behind its first checkpoint of a place."""
    store = HeldStore(open_in_memory(), place)
    around = Neighbours(
        model=cast("Any", RehearsalModel()), store=cast("Store", store), environ=environ
    )
    async with running_executor(around) as running:
        bundle = script_pb2.ScriptBundle(files=files(), main_path="script.yaml")
        wanted = script_pb2.PublishScriptRequest(bundle=bundle)
        script = (await running.client.stubs.script.PublishScript(wanted)).script
        begin = session_pb2.StartSessionRequest(script_id=script.script_id)
        session_id = (await running.client.stubs.session.StartSession(begin)).session.session_id
        await running.client.initialize(session_id)
        async with running.client.converse(session_id) as stream:
            key = SessionKey(DEFAULT_TENANT, session_id)
            try:
                yield ThreadTalk(running, store, stream, key, script.script_id)
            finally:
                store.go_on.set()
