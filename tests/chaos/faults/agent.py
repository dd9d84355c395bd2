"""kill -9 at every place of a turn in which an agent decides, thinks and drafts.

An agent sends no drafts, so a turn of its own is stopped before its first word alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from executor_service.failpoints import Failpoint
from tests.chaos.faults.kill import kill_at
from tests.chaos.options import Options
from tests.chaos.result import Result
from tests.chaos.world import WITH_AGENT, World

POINTS = (
    str(Failpoint.AFTER_BEGIN),
    str(Failpoint.BEFORE_COMMIT),
    "in_commit",
    str(Failpoint.AFTER_COMMIT),
    str(Failpoint.BEFORE_FAILURE),
    str(Failpoint.AFTER_FAILURE),
    str(Failpoint.AFTER_LEAVE),
)


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Kill at each place on each database, half as often as elsewhere."""
    fewer = replace(options, kills=max(options.kills // 2, 1))
    for kind in options.databases:
        for point in POINTS:
            if not options.points or point in options.points:
                yield await kill_at(world, kind, point, fewer, WITH_AGENT)
