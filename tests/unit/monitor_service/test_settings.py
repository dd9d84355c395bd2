"""The monitor's settings."""

from __future__ import annotations

import pytest

from heartrule.chassis.settings import SettingsError, read, variables
from monitor_service.settings import MonitorSettings


def test_defaults() -> None:
    """Without any variable the monitor listens on this machine alone, at its own port."""
    settings = read(MonitorSettings, {})
    assert (settings.server.host, settings.server.port) == ("127.0.0.1", 50052)


def test_names() -> None:
    """The variables that are the monitor's own say so in their names."""
    names = {info.name for info in variables(MonitorSettings)}
    assert {
        "HEARTRULE_MONITOR_HOST",
        "HEARTRULE_MONITOR_PORT",
        "HEARTRULE_MONITOR_HEALTH_PORT",
        "HEARTRULE_MONITOR_STOP_GRACE",
        "HEARTRULE_MONITOR_ANALYSIS_TIMEOUT",
        "HEARTRULE_MODEL",
        "HEARTRULE_SYSTEM_DIR",
        "HEARTRULE_LOG_LEVEL",
    } <= names
    assert "HEARTRULE_PORT" not in names


def test_everything_wrong_is_named() -> None:
    """All wrong variables stand in one error."""
    wrong = {"HEARTRULE_MONITOR_PORT": "x", "HEARTRULE_MONITOR_ANALYSIS_TIMEOUT": "0"}
    with pytest.raises(SettingsError) as refused:
        read(MonitorSettings, wrong)
    assert [problem.split(":")[0] for problem in refused.value.problems] == list(wrong)
