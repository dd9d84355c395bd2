"""Where the client is: an action reads the local time, and where help is in the client's region."""

from __future__ import annotations

from dataclasses import replace

from executor_service.engine.clock import local_time
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round, StepHook
from heartrule.safety.cards import SafetyTexts


class SessionLocale(StepHook):
    """Gives each round the session's local time, its language, and its helplines."""

    def __init__(self, turn: RunningTurn, *, texts: SafetyTexts) -> None:
        """Know helplines by `texts`."""
        super().__init__(turn)
        self._texts = texts

    async def before_round(self, round_: Round) -> Round:
        """Move the scene to where the client is."""
        snapshot, scene = self.turn.snapshot, round_.context.scene
        scene = replace(
            scene,
            now=local_time(scene.now, snapshot.time_zone),
            language=self._texts.messages_for(snapshot.locale).language,
            hotlines=self._texts.hotlines(snapshot.locale),
        )
        return replace(round_, context=replace(round_.context, scene=scene))
