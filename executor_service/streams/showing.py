"""What one client can show of an event; other parts become their fallback text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from executor_service.assets.pictures import Pictures
from executor_service.sensitive_lookup import SensitiveLookup
from executor_service.streams.session_deps import SessionDeps
from heartrule.domain.conversation import Audience, Feature, Message, Part, text_part
from heartrule.domain.event_audience import seen_by
from heartrule.domain.events import InputAccepted, MessageCommitted, Opened, SessionEvent
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.wire.request_parsing import WatchOptions


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


@dataclass(frozen=True, slots=True)
class Showing:
    """Turns events into what one client can show."""

    accepts: frozenset[Feature]
    audiences: frozenset[Audience]
    pictures: Pictures | None
    """None where the client shows none."""
    sensitive: SensitiveLookup

    async def shown(self, event: SessionEvent) -> SessionEvent:
        """Return an event as the client gets it: sensitive values masked, other parts as text."""
        event = seen_by(event, self.audiences)
        if self.pictures is not None and isinstance(event.body, MessageCommitted):
            event = await self.pictures.with_bytes(event, DEFAULT_TENANT)
        elif event.audience is not Audience.CLIENT:  # a client's events hold no values
            hidden = await self.sensitive.found()
            event = replace(event, body=hidden.in_body(event.body))
        return as_accepted(event, self.accepts)


def showing_on(deps: SessionDeps, key: SessionKey, options: WatchOptions) -> Showing:
    """Return what a stream with these options shows."""
    pictures = deps.pictures if Feature.PICTURE in options.accepts else None
    sensitive = SensitiveLookup(deps.store, deps.scripts, key)
    return Showing(options.accepts, options.audiences, pictures, sensitive)
