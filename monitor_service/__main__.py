"""Runs the monitor service: `python -m monitor_service`."""

from __future__ import annotations

import os
import sys

from heartrule.chassis.lifecycle import Lifecycle, run
from heartrule.chassis.observing import observe
from heartrule.chassis.settings import read
from heartrule.model.build import build_chat_model
from monitor_service.bootstrap import start_monitor
from monitor_service.settings import MonitorSettings


async def main(life: Lifecycle) -> None:
    """Start the service and register its shutdown steps."""
    settings = read(MonitorSettings, os.environ)
    observe(life, settings.log, service="monitor")
    life.grace_s = settings.server.stop_grace
    limit = {"HEARTRULE_MONITOR_ANALYSIS_TIMEOUT": settings.analysis.analysis_timeout}
    model = build_chat_model(settings.model, within=limit)
    monitor = await start_monitor(settings, model)
    life.announce("health", monitor.health.leave)
    life.drain("calls", monitor.drain)
    life.close("monitor", monitor.aclose)
    await model.prepare()
    # The process that started this one waits for this line; it names the port.
    print(f"monitor listening on {settings.server.host}:{monitor.port}", flush=True)


if __name__ == "__main__":
    sys.exit(run(main))
