"""Variables that no service reads, so that a misspelt setting does not pass in silence."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.settings import ExecutorSettings
from gateway_service.settings import GatewaySettings
from heartrule.chassis.settings import unknown_variables
from heartrule.words.words import Words, say
from heartrule_cli.arguments.command_parser import guess
from monitor_service.settings import MonitorSettings


def strange_variables(environ: Mapping[str, str]) -> Mapping[str, str]:
    """Return each HEARTRULE_ variable that no service reads, with the name most like it, or ""."""
    from heartrule.model.rehearsal.rehearsal_server import PACE_VARIABLE

    others = {name: value for name, value in environ.items() if name != PACE_VARIABLE}
    return unknown_variables(others, ExecutorSettings, MonitorSettings, GatewaySettings)


def strange_text(strange: tuple[str, str]) -> Words:
    """Return what is said of such a variable."""
    name, close = strange
    return say("cli.variable.unknown", name=name, guess=guess(close))
