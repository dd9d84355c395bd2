"""Runs the gateway: `python -m gateway_service`."""

from __future__ import annotations

import os
import sys

from gateway_service.bootstrap import Gateway
from gateway_service.settings import GatewaySettings
from heartrule.chassis.lifecycle import Lifecycle, run
from heartrule.chassis.observing import observe
from heartrule.chassis.settings import read


async def main(life: Lifecycle) -> None:
    """Start the service and register its shutdown steps."""
    settings = read(GatewaySettings, os.environ)
    observe(life, settings.log, service="gateway")
    life.grace_s = settings.server.stop_grace
    gateway = Gateway(settings)
    life.close("gateway", gateway.close)
    await gateway.start()
    # Faulty safety files keep the gateway from starting, as they do the executor.
    await gateway.services.screen.prepare()
    life.announce("health", gateway.health.leave)
    life.announce("streams", gateway.go_away)
    life.drain("requests", gateway.drain)
    # The process that started this one waits for this line; it names the port.
    print(f"gateway listening on {settings.server.host}:{gateway.port}", flush=True)


if __name__ == "__main__":
    sys.exit(run(main))
