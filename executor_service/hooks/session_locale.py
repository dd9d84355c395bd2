"""Where the client is and how they speak: an action reads local time, language, and helplines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from executor_service.actions.scene import Cast
from executor_service.engine.clock import local_time
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round, StepHook
from executor_service.safety.inputs_found import written_in
from executor_service.scripts.model.actions import ActionConfig, AskConfig, FormConfig
from executor_service.scripts.model.script import Script
from heartrule.domain.conversation import Role
from heartrule.domain.spoken_language import language_followed
from heartrule.model.prompt_words import PromptWords
from heartrule.safety.cards import SafetyTexts
from session_store.records import StepCommit, TurnSnapshot


class SessionLocale(StepHook):
    """Gives each round the session's local time, its language, and its helplines.

    The language is the one asked for with the session, else that of the client's first words; it
    changes where the client goes on in another one (ADR 69).
    """

    def __init__(
        self, turn: RunningTurn, *, texts: SafetyTexts, words: Mapping[str, PromptWords]
    ) -> None:
        """Know helplines by `texts`, and the engine's `words` by language."""
        super().__init__(turn)
        self._texts, self._words = texts, words
        self._followed: str | None = None

    async def before_round(self, round_: Round) -> Round:
        """Move the scene to where the client is."""
        snapshot, scene = self.turn.snapshot, round_.context.scene
        if self._followed is None:
            offered = _offered(self.turn.script, round_.context.action.config)
            self._followed = _followed(snapshot, self._texts, offered)
        tag = self._followed or snapshot.language or snapshot.locale
        language = self._texts.language_of(tag)
        words = self._words.get(language, scene.words)
        scene = replace(
            scene,
            now=local_time(scene.now, snapshot.time_zone),
            language=language,
            words=words,
            cast=_named(scene.cast, words),
            hotlines=self._texts.hotlines(snapshot.locale, language),
        )
        return replace(round_, context=replace(round_.context, scene=scene))

    def before_commit(self, step: StepCommit) -> StepCommit:
        """Keep a language that the client decided."""
        return replace(step, language=self._followed) if self._followed else step


def _offered(script: Script, running: ActionConfig) -> tuple[str, ...]:
    """Return the answers a client may copy, longest first.

    Those of earlier questions too: their answers are among the messages that count.
    """
    topics = (
        *(topic for phase in script.phases for topic in phase.topics),
        *(technique.topic for technique in script.techniques.values()),
    )
    configs = (running, *(action.config for topic in topics for action in topic.actions))
    options = dict.fromkeys(option for config in configs for option in _options(config))
    return tuple(sorted(options, key=len, reverse=True))


def _options(config: ActionConfig) -> Iterator[str]:
    yield from config.options if isinstance(config, AskConfig) else ()
    fields = config.fields if isinstance(config, FormConfig) else config.output
    for each in fields:
        yield from each.options


def _followed(snapshot: TurnSnapshot, texts: SafetyTexts, offered: Sequence[str]) -> str:
    """Return the language that the client's own words decide anew; empty where they do not."""
    said = [line.text for line in snapshot.window if line.role is Role.CLIENT]
    if not snapshot.inputs_consumed:
        said += ["\n".join(text for each in snapshot.inputs for text in written_in(each.parts))]
    for option in offered:
        said = [text.replace(option, " ") for text in said]
    now = texts.language_of(snapshot.language) if snapshot.language else ""
    followed = language_followed(said, now)
    return "" if followed == now else followed


def _named(cast: Cast, words: PromptWords) -> Cast:
    """Return the cast, in the session's language where the script's roles name nobody."""
    plain = Cast()
    return replace(
        cast,
        who=words.who if cast.who == plain.who else cast.who,
        user=words.user if cast.user == plain.user else cast.user,
    )
