"""The monitor service's settings, read from its environment."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from heartrule.chassis.logs import LogSettings
from heartrule.chassis.server import ServerSettings
from heartrule.chassis.settings import Port, Seconds, Settings
from heartrule.chassis.system_files import SystemFilesSettings
from heartrule.model.settings import ModelSettings


class MonitorServerSettings(ServerSettings):
    """Where the monitor listens; its variables begin with HEARTRULE_MONITOR_."""

    prefix: ClassVar[str] = "HEARTRULE_MONITOR_"
    port: Port = 50052
    """Port of MonitorService; 0 takes a free one."""
    max_calls: Annotated[int, Field(ge=1, le=1_000_000)] = 1_024
    """Calls at one time; further ones end with RESOURCE_EXHAUSTED, and are made again later."""


class AnalysisSettings(Settings):
    """How long one analysis may take."""

    prefix: ClassVar[str] = "HEARTRULE_MONITOR_"
    analysis_timeout: Seconds | None = None
    """Seconds for an analysis in all, retries of the model included; empty: five more than a call
    of the model may take. A caller's deadline that ends sooner counts."""
    cache_size: Annotated[int, Field(ge=0, le=1_000_000)] = 1_024
    """Analyses kept, for ten minutes, for rounds that are the same in every respect; 0: none."""


class MonitorSettings(Settings):
    """All settings of the monitor process."""

    server: MonitorServerSettings
    analysis: AnalysisSettings
    model: ModelSettings
    log: LogSettings
    system: SystemFilesSettings
