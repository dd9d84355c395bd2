"""What a process does once when it has started up, so that it serves quickly."""

from __future__ import annotations

import gc
from collections.abc import Iterable

from heartrule.domain.quick_init import quicken


def settle(packages: Iterable[str]) -> None:
    """Quicken the imported classes of these packages, and make the collector's work small.

    What was made until now lives as long as the process: the collector looks at it no more.
    """
    quicken(packages)
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
