"""Which sandboxes this machine has: each is tried once, by a harmless job, never by a version."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from types import MappingProxyType

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.sandbox.sandbox_port import Sandbox, SandboxJob
from heartrule.domain.workflows import SandboxTier

LOG = logging.getLogger(__name__)

# Nothing of strangers; what it needs of the machine is what their code needs.
_HARMLESS = {
    SandboxTier.SMALL: "return sum(numbers)",
    SandboxTier.PROCESS: "import pandas\nreturn int(pandas.Series(numbers).sum())",
}
_TRIED_S = 30.0


class SandboxesAtHand:
    """Holds the tiers that work here; nothing is imported or tried before somebody asks."""

    def __init__(self, found: Mapping[SandboxTier, bool] = MappingProxyType({})) -> None:
        """Try nothing yet; `found` is known already."""
        self._trying = Lock()
        self._found = dict(found)

    def __reduce__(self) -> tuple[type[SandboxesAtHand], tuple[dict[SandboxTier, bool]]]:
        """Go to another process with what was found; that tries the rest itself if asked."""
        return SandboxesAtHand, (dict(self._found),)

    def __contains__(self, tier: object) -> bool:
        """Return whether the tier works; the first time takes a second and blocks the thread."""
        if not isinstance(tier, SandboxTier):
            return False
        with self._trying:
            if tier not in self._found:
                # A loop of its own: the thread that asks may run one.
                with ThreadPoolExecutor(max_workers=1) as alone:
                    self._found[tier] = alone.submit(asyncio.run, _works(tier)).result()
            return self._found[tier]


def open_sandbox(tier: SandboxTier) -> Sandbox:
    """Return a new sandbox of a tier, whether this machine has it or not."""
    if tier is SandboxTier.SMALL:
        from executor_service.workflows.sandbox.small_sandbox import SmallSandbox

        return SmallSandbox()
    from executor_service.workflows.sandbox.process_sandbox import ProcessSandbox

    return ProcessSandbox()


async def _works(tier: SandboxTier) -> bool:
    sandbox = open_sandbox(tier)
    job = SandboxJob(code=_HARMLESS[tier], inputs={"numbers": [1, 2]}, timeout_s=_TRIED_S)
    try:
        return (await sandbox.run(job)).value == 3
    except NodeFailed as error:
        LOG.warning("sandbox missing", extra={"tier": tier, "code": error.failure.code})
        return False
    finally:
        await sandbox.aclose()
