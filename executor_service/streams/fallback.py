"""Replaces parts that a client cannot show by their fallback text (OpenConversation.accepts)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from heartrule.domain.conversation import Feature, Message, Part, text_part
from heartrule.domain.events import InputAccepted, MessageCommitted, Opened, SessionEvent


def as_accepted(event: SessionEvent, accepts: frozenset[Feature]) -> SessionEvent:
    """Return the event as a client receives it that accepts these kinds."""
    body = event.body
    if isinstance(body, MessageCommitted):
        if _all_shown((body.message,), accepts):
            return event
        return replace(event, body=MessageCommitted(message=_shown(body.message, accepts)))
    if isinstance(body, InputAccepted):
        if _all_shown(body.messages, accepts):
            return event
        messages = tuple(_shown(message, accepts) for message in body.messages)
        return replace(event, body=InputAccepted(messages=messages))
    if isinstance(body, Opened):
        asked = body.state.pending_request
        if asked is not None and asked.kind not in accepts:
            return replace(
                event, body=replace(body, state=replace(body.state, pending_request=None))
            )
    return event


def _all_shown(messages: Iterable[Message], accepts: frozenset[Feature]) -> bool:
    return all(_is_shown(part, accepts) for message in messages for part in message.parts)


def _shown(message: Message, accepts: frozenset[Feature]) -> Message:
    parts = tuple(
        part if _is_shown(part, accepts) else text_part(part.plain_text()) for part in message.parts
    )
    return replace(message, parts=parts)


def _is_shown(part: Part, accepts: frozenset[Feature]) -> bool:
    if part.media is not None:
        audio = part.media.mime_type.startswith("audio/")
        return (Feature.AUDIO if audio else Feature.PICTURE) in accepts
    if part.quick_replies is not None:
        return Feature.QUICK_REPLIES in accepts
    return part.form is None or Feature.FORM in accepts
