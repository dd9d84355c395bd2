"""Runs the executor service: `python -m executor_service`."""

from __future__ import annotations

import os
import sys

from executor_service.bootstrap import Executor, Outside
from executor_service.settings import ExecutorSettings
from heartrule import __version__
from heartrule.chassis.lifecycle import Lifecycle, run
from heartrule.chassis.logs import setup_logs
from heartrule.chassis.settings import read
from heartrule.chassis.telemetry_setup import setup_telemetry
from heartrule.domain.ids import new_id
from heartrule.model.build import build_chat_model
from session_store.open import open_store


async def main(life: Lifecycle) -> None:
    """Start the service and say how it leaves (FACTS section 3)."""
    settings = read(ExecutorSettings, os.environ)
    setup_logs(settings.log, service="executor")
    telemetry = setup_telemetry(
        service="heartrule-executor", version=__version__, environ=os.environ
    )
    telemetry.use()
    life.close("telemetry", telemetry.close)
    life.grace_s = settings.server.stop_grace
    owner = new_id("exe")
    model = build_chat_model(settings.model)
    outside = Outside(store=open_store(settings.store.database_url, boot_id=owner), model=model)
    executor = Executor(settings, outside, owner=owner)
    life.announce("health", executor.health.leave)
    life.announce("streams", executor.go_away)
    life.drain("turns", executor.drain)
    life.close("executor", executor.close)
    await executor.start()
    await model.prepare()
    print(f"executor listening on {settings.server.host}:{executor.port}", flush=True)


if __name__ == "__main__":
    sys.exit(run(main))
