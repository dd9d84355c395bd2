"""A turn of the bench, and what its events show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from executor_service.scripts.model.actions import AskConfig, FormConfig
from executor_service.scripts.model.script import Script
from heartrule.domain.conversation import Message, Role
from heartrule.domain.events import MessageCommitted, Outcome, SessionEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTurn:
    """What the client said, and what came back."""

    said: str = ""
    """Empty: the client only connected."""
    about: str = ""
    """The variable the client was asked for, as it understood the question."""
    events: Sequence[SessionEvent] = ()
    outcome: Outcome = Outcome.FAILED


def assistant_messages(events: Sequence[SessionEvent]) -> list[Message]:
    """Return the messages that were sent to the client, in order."""
    bodies = (event.body for event in events)
    return [
        body.message
        for body in bodies
        if isinstance(body, MessageCommitted) and body.message.role is not Role.CLIENT
    ]


def assistant_texts(events: Sequence[SessionEvent]) -> list[str]:
    """Return their texts."""
    return [message.plain_text() for message in assistant_messages(events)]


def outputs_of(script: Script) -> dict[str, tuple[str, ...]]:
    """Return what each action that asks the client needs, by the action's id."""
    return {name: _needed(config) for name, config in _asking(script)}


def outputs_in(script: Script) -> tuple[str, ...]:
    """Return every variable the script asks the client for, the optional ones too."""
    return tuple(each.get for _, config in _asking(script) for each in config.output)


def _asking(script: Script) -> Iterator[tuple[str, AskConfig | FormConfig]]:
    topics = [topic for phase in script.phases for topic in phase.topics]
    topics += [technique.topic for technique in script.techniques.values()]
    for topic in topics:
        for action in topic.actions:
            if isinstance(action.config, AskConfig | FormConfig):
                yield action.action_id, action.config


def _needed(config: AskConfig | FormConfig) -> tuple[str, ...]:
    if isinstance(config, FormConfig):
        return tuple(each.name for each in config.fields if each.required)
    return config.required or tuple(each.get for each in config.output)
