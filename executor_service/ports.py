"""What the executor needs from outside, besides the store and the model."""

from __future__ import annotations

from typing import Protocol

from executor_service.scripts.model import Script
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport


class ScriptLibrary(Protocol):
    """Loaded scripts by version."""

    async def get(self, tenant: str, script_id: str, version: str) -> Script:
        """Return a published version, loaded; NotFound otherwise."""


class Monitor(Protocol):
    """The second mind."""

    async def analyze(self, report: AnalysisReport) -> AnalysisAnswer:
        """Judge one round.

        Raises:
            HeartRuleError: The monitor is down, slow, or refuses.
        """
