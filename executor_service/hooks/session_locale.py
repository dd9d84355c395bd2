"""Where the client is: an action reads the local time, and where help is in the client's region."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from executor_service.actions.scene import Cast
from executor_service.engine.clock import local_time
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round, StepHook
from heartrule.model.prompt_words import PromptWords
from heartrule.safety.cards import SafetyTexts


class SessionLocale(StepHook):
    """Gives each round the session's local time, its language, and its helplines."""

    def __init__(
        self, turn: RunningTurn, *, texts: SafetyTexts, words: Mapping[str, PromptWords]
    ) -> None:
        """Know helplines by `texts`, and the engine's `words` by language."""
        super().__init__(turn)
        self._texts, self._words = texts, words

    async def before_round(self, round_: Round) -> Round:
        """Move the scene to where the client is."""
        snapshot, scene = self.turn.snapshot, round_.context.scene
        language = self._texts.messages_for(snapshot.locale).language
        words = self._words.get(language, scene.words)
        scene = replace(
            scene,
            now=local_time(scene.now, snapshot.time_zone),
            language=language,
            words=words,
            cast=_named(scene.cast, words),
            hotlines=self._texts.hotlines(snapshot.locale),
        )
        return replace(round_, context=replace(round_.context, scene=scene))


def _named(cast: Cast, words: PromptWords) -> Cast:
    """Return the cast, in the session's language where the script's roles name nobody."""
    plain = Cast()
    return replace(
        cast,
        who=words.who if cast.who == plain.who else cast.who,
        user=words.user if cast.user == plain.user else cast.user,
    )
