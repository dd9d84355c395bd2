"""Takes runs from the queue of DBOS and drives them; one in a process, as DBOS is."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeAlias

from executor_service.workflows.engine.dbos_steps import DbosSteps
from executor_service.workflows.engine.driver_ports import RunSteps
from executor_service.workflows.engine.run_queue import (
    APPLICATION,
    QUEUE,
    VERSION,
    WORKFLOW,
    settings_of,
)
from session_store.sql.run_database import RunDatabase

if TYPE_CHECKING:
    from dbos import DBOSConfig

# Works on a run in the process's loop; True: the run is over, and is never put in again.
WorkOn: TypeAlias = Callable[[str, RunSteps], Coroutine[Any, Any, bool]]
_POLL_S = 0.2


class RunTaker:
    """DBOS, launched: from then on it calls for work."""

    def __init__(self, database: RunDatabase, *, worker_id: str, slots: int) -> None:
        """Launch nothing yet.

        Args:
            database: Where its tables are; a launch makes what is missing of them, as the store's
                start does, and one by a role that may not finds them there.
            worker_id: Names this process: what it had when it died, it takes again at its launch.
            slots: Runs it takes at once.
        """
        self._database, self._worker_id, self._slots = database, worker_id, slots

    async def launch(self, work_on: WorkOn) -> None:
        """Take runs from now on; `work_on` is called in the running loop."""
        try:
            await asyncio.to_thread(self._launch, asyncio.get_running_loop(), work_on)
        except Exception:
            # Half a launch would be taken for one by the next attempt.
            await self.stop()
            raise

    async def stop(self) -> None:
        """Take no runs any more; what works on one is cancelled."""
        from dbos import DBOS

        await asyncio.to_thread(DBOS.destroy, destroy_registry=True)

    def _launch(self, loop: asyncio.AbstractEventLoop, work_on: WorkOn) -> None:
        from dbos import DBOS

        DBOS(config=_config(self._database, self._worker_id))

        @DBOS.workflow(name=WORKFLOW)
        async def _run_workflow(run_id: str) -> str:
            steps = DbosSteps(asyncio.get_running_loop(), contextvars.copy_context())
            working = asyncio.run_coroutine_threadsafe(work_on(run_id, steps), loop)
            if not await asyncio.wrap_future(working):
                # No outcome is recorded: whoever resumes it runs it again.
                raise asyncio.CancelledError
            return ""

        DBOS.listen_queues([QUEUE])
        DBOS.launch()
        DBOS.register_queue(
            QUEUE,
            worker_concurrency=self._slots,
            polling_interval_sec=_POLL_S,
            on_conflict="always_update",
        )


def migrate_run_database(database: RunDatabase) -> None:
    """Make the tables of the engine, or bring them up to date, in a process without a taker."""
    from dbos import DBOS

    DBOS(config=_config(database, "migration"))
    DBOS.listen_queues([])
    DBOS.launch()
    DBOS.destroy(destroy_registry=True)


def _config(database: RunDatabase, executor_id: str) -> DBOSConfig:
    return {
        "name": APPLICATION,
        "system_database_url": database.kind,
        "executor_id": executor_id,
        "application_version": str(VERSION),
        "notification_listener_polling_interval_sec": _POLL_S,
        "enable_otlp": False,
        "log_level": "CRITICAL",
        **settings_of(database),  # type: ignore[typeddict-item]
    }
