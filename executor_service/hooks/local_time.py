"""The clock: an action reads the time in the session's own time zone."""

from __future__ import annotations

from dataclasses import replace

from executor_service.engine.clock import local_time
from executor_service.engine.step_hook import Round, StepHook


class LocalTime(StepHook):
    """Gives each round the session's local time."""

    async def before_round(self, round_: Round) -> Round:
        """Move the scene's time into the session's time zone."""
        scene = round_.context.scene
        scene = replace(scene, now=local_time(scene.now, self.turn.snapshot.time_zone))
        return replace(round_, context=replace(round_.context, scene=scene))
