"""The executor's process: what is opened, in which order, and how it stops."""

from __future__ import annotations

import os

from executor_service.bootstrap import Executor
from executor_service.dependencies import Dependencies
from executor_service.executor_server import ExecutorServer
from executor_service.settings import ExecutorSettings, StoreSettings
from executor_service.worker_process import migrate, work
from heartrule.chassis.lifecycle import Lifecycle, on_hangup, warm_up
from heartrule.chassis.observing import observe
from heartrule.chassis.settings import SettingsError, read
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.ids import new_id
from heartrule.model.build import build_chat_model
from session_store.open import open_store
from session_store.ports import Store


async def main(life: Lifecycle) -> None:
    """Start the service, or what else its role asks for, and register how it stops."""
    settings = read(ExecutorSettings, os.environ)
    observe(life, settings.log, service="executor")
    life.grace_s = settings.server.stop_grace
    owner = new_id("exe")
    store = _store(settings.store, owner)
    if settings.runs.role == "migrate":
        await migrate(store, settings.store.database_url)
        life.stop("the database is migrated")
        return
    model = build_chat_model(
        settings.model,
        gather_s=settings.turns.draft_window_ms / 1000,
        within={
            "HEARTRULE_TURN_TIMEOUT": settings.turns.turn_timeout,
            "HEARTRULE_MONITOR_DEADLINE": settings.monitor.monitor_deadline,
        },
    )
    dependencies = Dependencies(store=store, model=model, run_address=settings.store.database_url)
    if settings.runs.role == "worker":
        await model.prepare()
        await work(life, settings, dependencies)
        return
    executor = Executor(settings, dependencies, owner=owner)
    server = ExecutorServer(settings.server, executor)
    life.announce("health", server.health.leave)
    life.announce("streams", server.go_away)
    life.drain("turns", executor.drain)
    life.close("executor", server.close)
    await server.start()
    on_hangup(executor.refresh_rules)
    await model.prepare()
    warm_up()
    print(f"executor listening on {settings.server.host}:{server.port}", flush=True)  # noqa: T201  starters wait for it


def _store(settings: StoreSettings, owner: str) -> Store:
    try:
        return open_store(settings.database_url, boot_id=owner)
    except InvalidRequest as error:
        raise SettingsError((f"HEARTRULE_DATABASE_URL: {error.message}",)) from error
