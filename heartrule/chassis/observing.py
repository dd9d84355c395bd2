"""Log, traces and metrics of a process, begun together."""

from __future__ import annotations

import os

from heartrule import __version__
from heartrule.chassis.lifecycle import Lifecycle
from heartrule.chassis.logs import LogSettings, setup_logs, take_strays
from heartrule.chassis.telemetry_setup import setup_metrics, setup_telemetry


def observe(life: Lifecycle, log: LogSettings, *, service: str) -> None:
    """Record what this process does, as its settings and OTEL_* ask; `life` sends the last of it.

    Call it in the task from which all others start.
    """
    setup_logs(log, service=service)
    take_strays()
    name, environ = f"heartrule-{service}", os.environ
    telemetry = setup_telemetry(service=name, version=__version__, environ=environ)
    metrics = setup_metrics(service=name, version=__version__, environ=environ)
    telemetry.use()
    metrics.use()
    life.close("metrics", metrics.close)
    life.close("telemetry", telemetry.close)
