"""The language a script is written in, by what it says and asks. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from executor_service.scripts.model.actions import ActionConfig, FormConfig
from executor_service.scripts.model.script import Script
from heartrule.domain.spoken_language import language_spoken

# Words from which on a script has a language: a sketch of a few lines decides nothing.
_WORDS = 20


def language_of_script(script: Script) -> str:
    """Return `zh` or `en`; empty for a script of few words, and for one that mixes the two."""
    topics = (topic for phase in script.phases for topic in phase.topics)
    actions = (action for topic in topics for action in topic.actions)
    texts = (text for action in actions for text in _texts(action.config))
    return language_spoken("\n".join(texts), least=_WORDS)


def _texts(config: ActionConfig) -> Iterator[str]:
    for name in ("content", "goal", "brief"):
        yield getattr(config, name, "")
    if isinstance(config, FormConfig):
        yield from (config.title, *(each.label for each in config.fields))
