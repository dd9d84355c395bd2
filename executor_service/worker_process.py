"""The executor in its other roles: a worker, which takes runs alone, and a migration."""

from __future__ import annotations

import asyncio
from functools import cache

from executor_service.decision_gate import decision_gate
from executor_service.dependencies import Dependencies
from executor_service.hub import SessionHub
from executor_service.installation import Installation, read_installation
from executor_service.library import StoredScripts
from executor_service.process_runs import ProcessRuns, run_parts
from executor_service.readiness import Readiness
from executor_service.settings import ExecutorSettings
from executor_service.thread_parts import thread_parts
from heartrule.chassis.lifecycle import Lifecycle, warm_up
from heartrule.chassis.system_files import system_dir
from session_store.ports import Store


async def work(life: Lifecycle, settings: ExecutorSettings, given: Dependencies) -> None:
    """Take runs of workflows from now on, serve health alone, and register how that stops."""

    @cache
    def installation() -> Installation:
        return given.installation or read_installation(system_dir(settings.system.system_dir))

    threads = thread_parts(given, StoredScripts(given.store), installation)
    gate = decision_gate(settings.decisions, given, threads.agents.of)
    runs = ProcessRuns(run_parts(settings, given, gate, SessionHub(), threads=threads))
    readiness = Readiness(settings.server, given.store)

    async def drain() -> None:
        await runs.drain(settings.server.stop_grace)

    async def close() -> None:
        await readiness.stop()
        await given.model.aclose()
        await given.store.aclose()
        await readiness.close()

    life.announce("health", readiness.health.leave)
    life.drain("runs", drain)
    life.close("worker", close)
    await readiness.start()
    await given.store.start()
    runs.begin(readiness.health.port)
    await runs.launch()
    warm_up()
    await readiness.ready()
    where = f"{settings.server.host}:{readiness.health.port}"
    print(f"worker's health checks listening on {where}", flush=True)  # noqa: T201  starters wait for it


async def migrate(store: Store, address: str) -> None:
    """Bring the store and the tables of the engine of runs to this release's."""
    from executor_service.workflows.engine.run_taker import migrate_run_database
    from session_store.sql.run_database import open_run_database

    try:
        await store.start()
        database = open_run_database(address)
        await asyncio.to_thread(migrate_run_database, database)
        await asyncio.to_thread(database.close)
    finally:
        await store.aclose()
