"""Short views of what a store told."""

from __future__ import annotations

from collections.abc import Iterable

from heartrule.domain.conversation import Message
from heartrule.domain.events import AdviceChanged, EventBody, SessionEvent
from heartrule.domain.monitoring import AdviceState, DialogueLine


def kinds(events: Iterable[SessionEvent]) -> list[type[EventBody]]:
    """Return the types of the events' bodies."""
    return [type(event.body) for event in events]


def advice_changes(events: Iterable[SessionEvent]) -> list[tuple[str, AdviceState]]:
    """Return the advice the events tell of, by id, with the states it took on."""
    bodies = (event.body for event in events)
    changed = [body.advice for body in bodies if isinstance(body, AdviceChanged)]
    return [(advice.advice_id, advice.state) for advice in changed]


def texts(said: Iterable[Message | DialogueLine]) -> list[str]:
    """Return what is spoken in messages, or lines of a window."""
    return [each.text if isinstance(each, DialogueLine) else each.plain_text() for each in said]
