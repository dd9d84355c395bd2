"""What of an event is for operators alone."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from heartrule.domain.conversation import Audience
from heartrule.domain.events import SafetyChanged, SessionEvent, TurnEnded


def seen_by(event: SessionEvent, audiences: Collection[Audience]) -> SessionEvent:
    """Return the event without what is for operators alone, where they are not among these."""
    body = event.body
    if Audience.OPERATOR in audiences:
        return event
    if isinstance(body, SafetyChanged):
        return replace(event, body=replace(body, source=None, rules=()))
    if isinstance(body, TurnEnded) and body.problem is not None:
        return replace(event, body=replace(body, problem=body.problem.for_clients()))
    return event
