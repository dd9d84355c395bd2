"""The queue of runs in DBOS, as processes see it that put runs in, stop them and have them go on.

It holds ids and states alone. A process that takes runs has a `run_worker.RunTaker` besides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from executor_service.workflows.engine.engine_state import EngineState
from session_store.records.kept_runs import QueuedRun
from session_store.sql.run_database import SCHEMA, RunDatabase

if TYPE_CHECKING:
    from dbos import DBOSClient, WorkflowStatus

APPLICATION = "heartrule"
QUEUE = "heartrule_runs"
WORKFLOW = "heartrule_run"
VERSION = 1
"""Of the engine: raised only where runs that are stored could not go on."""
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
# A run that waits a minute has risen by one priority.
_SECONDS_OF_ONE = 60
_MOST_URGENT = 10
_STATES: Mapping[str, EngineState] = {
    "ENQUEUED": EngineState.QUEUED,
    "DELAYED": EngineState.QUEUED,
    "PENDING": EngineState.RUNNING,
}
# Any other is an end, behind which a resumption does nothing.
_RESUMED = frozenset({*_STATES, "CANCELLED"})


def priority_number(run: QueuedRun) -> int:
    """Return the number by which runs are taken, the smallest first: urgent ones, then old ones."""
    age = int((run.create_time - _EPOCH).total_seconds())
    return max(1, age + _SECONDS_OF_ONE * (_MOST_URGENT - run.priority))


class RunQueue:
    """Puts runs into the queue and takes them out; a taker, or a migration, made its tables."""

    def __init__(self, database: RunDatabase) -> None:
        """Connect with the first call."""
        self._database = database
        self._client: DBOSClient | None = None
        self._opening = asyncio.Lock()

    async def put(self, run: QueuedRun) -> None:
        """Put a run in under its own id; a repeat changes nothing."""
        client = await self._opened()
        await client.enqueue_async(
            {
                "workflow_name": WORKFLOW,
                "queue_name": QUEUE,
                "workflow_id": run.run_id,
                "app_version": str(VERSION),
                "priority": priority_number(run),
            },
            run.run_id,
        )

    async def stop(self, run_ids: Collection[str]) -> None:
        """Take runs out; what works on them ends within about a second."""
        if run_ids:
            client = await self._opened()
            await client.cancel_workflows_async(list(run_ids))

    async def go_on(self, run_ids: Collection[str]) -> None:
        """Put runs in again that were in before, whatever became of them; others are left out."""
        known = await self._found(run_ids)
        if known:
            client = await self._opened()
            await client.resume_workflows_async(list(known), queue_name=QUEUE)

    async def put_anew(self, runs: Iterable[QueuedRun]) -> int:
        """Put in the runs that the queue does not know, or holds for ended; return how many."""
        wanted = {each.run_id: each for each in runs}
        known = await self._found(wanted)
        settled = [run_id for run_id, each in known.items() if each.status not in _RESUMED]
        await self.forget(settled)
        missing = [run_id for run_id in wanted if run_id not in known or run_id in settled]
        for run_id in missing:
            await self.put(wanted[run_id])
        return len(missing)

    async def forget(self, run_ids: Collection[str]) -> None:
        """Delete all that is kept of runs."""
        if run_ids:
            client = await self._opened()
            await client.delete_workflows_async(list(run_ids))

    async def known(self, limit: int) -> tuple[str, ...]:
        """Return runs that the queue keeps anything of, those first that came first."""
        client = await self._opened()
        found = await client.list_workflows_async(limit=limit, load_input=False, load_output=False)
        return tuple(each.workflow_id for each in found)

    async def of_older_engines(self, limit: int) -> tuple[str, ...]:
        """Return unended runs that no worker of this version takes."""
        client = await self._opened()
        found = await client.list_workflows_async(
            status=["ENQUEUED", "PENDING", "CANCELLED"],
            app_version=[str(number) for number in range(VERSION)],
            limit=limit,
            load_input=False,
            load_output=False,
        )
        return tuple(each.workflow_id for each in found)

    async def states(self, run_ids: Collection[str]) -> Mapping[str, EngineState]:
        """Return what is done for each of the runs."""
        known = await self._found(run_ids)
        return {
            run_id: _STATES.get(known[run_id].status, EngineState.AT_REST)
            if run_id in known
            else EngineState.UNKNOWN
            for run_id in run_ids
        }

    async def workers_of(self, run_ids: Collection[str]) -> Mapping[str, str]:
        """Return the workers that took runs and have not given them back, by the run's id."""
        found = await self._found(run_ids)
        taken = {run_id: each for run_id, each in found.items() if each.status == "PENDING"}
        return {run_id: each.executor_id or "" for run_id, each in taken.items()}

    async def aclose(self) -> None:
        """Let go of the database; whoever opened it closes it."""
        if self._client is not None:
            await asyncio.to_thread(self._client.destroy)
            self._client = None

    async def _found(self, run_ids: Collection[str]) -> dict[str, WorkflowStatus]:
        if not run_ids:
            return {}
        client = await self._opened()
        found = await client.list_workflows_async(
            workflow_ids=list(run_ids), load_input=False, load_output=False
        )
        return {each.workflow_id: each for each in found}

    async def _opened(self) -> DBOSClient:
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(_client, self._database)
        return self._client


def settings_of(database: RunDatabase) -> dict[str, Any]:
    """Return what a client and a taker share."""
    from dbos import DBOSPortableJSONSerializer

    return {
        "system_database_engine": database.engine,
        "dbos_system_schema": SCHEMA,
        "serializer": DBOSPortableJSONSerializer(),
        "use_listen_notify": False,
    }


def _client(database: RunDatabase) -> DBOSClient:
    from dbos import DBOSClient

    return DBOSClient(application_name=APPLICATION, **settings_of(database))
