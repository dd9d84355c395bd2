"""The sandbox of a process that runs nodes: each job in the tier that its imports ask for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Container

from executor_service.workflows.node_failed import NodeFailed, failed
from executor_service.workflows.python_code import tier_of
from executor_service.workflows.sandbox.probing import open_sandbox
from executor_service.workflows.sandbox.sandbox_port import (
    Sandbox,
    SandboxJob,
    SandboxResult,
)
from heartrule.chassis import telemetry_metrics as metrics
from heartrule.domain.runs import RunErrorCode
from heartrule.domain.workflows import SandboxTier


class TieredSandbox:
    """A `Sandbox` of all tiers; each is opened with its first job."""

    def __init__(self, at_hand: Container[SandboxTier]) -> None:
        """Start nothing yet; `at_hand` holds the tiers of this machine."""
        self._at_hand = at_hand
        self._opened: dict[SandboxTier, Sandbox] = {}

    async def run(self, job: SandboxJob) -> SandboxResult:
        """Return what the code returned.

        Raises:
            NodeFailed: REFUSED where the machine lacks the tier; no other one replaces it.
        """
        tier = await asyncio.to_thread(self._tier, job)
        if tier not in self._opened:
            self._opened[tier] = open_sandbox(tier)
        began, outcome = time.monotonic(), "cancelled"
        try:
            result = await self._opened[tier].run(job)
            outcome = "completed"
        except NodeFailed as error:
            outcome = error.failure.code.value
            raise
        finally:
            seconds = time.monotonic() - began
            metrics.record("heartrule.runs.sandbox", seconds, tier=tier.value, outcome=outcome)
        return result

    async def aclose(self) -> None:
        """Close the sandboxes that were opened."""
        for sandbox in self._opened.values():
            await sandbox.aclose()
        self._opened.clear()

    def _tier(self, job: SandboxJob) -> SandboxTier:
        try:
            tier = tier_of(job.code)
        except (SyntaxError, ValueError, RecursionError) as error:
            text = f"The code cannot be read as Python ({type(error).__name__})."
            raise failed(RunErrorCode.CODE_ERROR, text) from error
        if tier not in self._at_hand:
            text = f"The code needs the sandbox `{tier}`, which this machine does not have."
            raise failed(RunErrorCode.REFUSED, text)
        return tier
