"""The checker itself: each of five faults planted in the product must be found.

A plant that goes unseen is the violation here; what the checker reports of it is in the notes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from heartrule.domain.events import SessionEvent
from tests.chaos.client import is_accepted
from tests.chaos.evidence import Violation
from tests.chaos.faults.stop import stopped
from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.patches.planted import PLANTS
from tests.chaos.result import Result
from tests.chaos.services import Shape, Trigger
from tests.chaos.tasks import as_they_end, ended
from tests.chaos.world import INPUTS, Scene, World

PATIENCE_S = 40.0
RULES = {
    "fence_skipped": {"late commits are refused", "one outcome per turn", "one text per message"},
    "acknowledged_early": {"acknowledged is kept", "sequences have no gap", "sent is kept as sent"},
    "unique_key_dropped": {"ids are unique"},
    "double_retry": {"one text per message"},
    "stale_read": {"reads never go back"},
}
"""The rules of which one must name the plant."""


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Plant each fault and look whether it is found."""
    works = (planted(world, name, options) for name in PLANTS)
    async with as_they_end(works) as results:
        async for result in results:
            yield result


async def planted(world: World, name: str, options: Options) -> Result:
    """Run one plant with the fault that brings it to light."""
    began = now()
    kind = "postgresql" if name == "fence_skipped" else "sqlite"
    result = Result(fault="planted", database=kind, what=name, runs=1)
    if kind not in options.databases:
        result.skipped = f"it needs {kind}"
        return result
    if name == "fence_skipped":
        injections = replace(options, stops=3)
        found = (await stopped(world, kind, injections, patches=(f"planted:{name}",))).violations
    else:
        found = [str(each) for each in await _conversation(world, name)]
    rules = sorted({each.partition(":")[0] for each in found} & RULES[name])
    result.notes["found by"] = ", ".join(rules) or "no rule"
    result.require(bool(rules), f"the checker did not see it; it reported {found[:3]}")
    result.kills = 1
    result.took_s = now() - began
    return result


async def _conversation(world: World, name: str) -> list[Violation]:
    """Let one client talk with the planted executor, killed where that brings it to light."""
    folder = world.new_folder(f"planted-{name}")
    database = await world.database("sqlite", folder)
    trigger = Trigger(folder / "executor1.trigger")
    shape = Shape(monitor=False, triggers=True, patches=(f"planted:{name}",))
    async with world.scene("planted", database, folder, shape) as scene:
        profile, scene.keep = scene.profile, False
        profile.read_back, profile.patience_s = 1.0, PATIENCE_S
        struck = asyncio.Event()
        if name == "acknowledged_early":
            profile.on_event = _on_acknowledgement(scene, struck)
        elif name == "unique_key_dropped":
            trigger.arm("after_accept", 2)
        reviving = scene.beside(_revive(scene))
        try:
            client = scene.client()
            client.trusting = name == "acknowledged_early"
            await client.converse(scene.script_id, INPUTS)
        except (TimeoutError, AssertionError):
            pass  # a broken product may well leave its client waiting
        finally:
            await ended([reviving])
        return await scene.verdict(compare=False)


def _on_acknowledgement(scene: Scene, struck: asyncio.Event) -> Callable[[str, SessionEvent], None]:
    """Return what kills the executor once, when a client receives an acknowledgement."""

    def on_event(_replica: str, event: SessionEvent) -> None:
        if is_accepted(event) and not struck.is_set():
            struck.set()
            scene.beside(scene.cluster.executors[0].kill())

    return on_event


async def _revive(scene: Scene) -> None:
    """Start the executor anew each time it has died."""
    (executor,) = scene.cluster.executors
    while True:
        await executor.running.died(600)
        await executor.start()
