"""What one client can show of an event."""

from __future__ import annotations

from dataclasses import dataclass, replace

from executor_service.assets.pictures import Pictures
from executor_service.sensitive_lookup import SensitiveLookup
from executor_service.streams.fallback import as_accepted
from executor_service.streams.session_deps import SessionDeps
from heartrule.domain.conversation import Audience, Feature
from heartrule.domain.events import MessageCommitted, SessionEvent
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.wire.request_parsing import WatchOptions


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
        event = event.seen_by(self.audiences)
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
