"""The stream of WatchSession; it ends when its client cancels it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

from executor_service.streams.opening import opened_event, start_cursor
from executor_service.streams.relay import Relay, View
from executor_service.streams.session_deps import SessionDeps
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey


async def watch(
    deps: SessionDeps, key: SessionKey, view: View, after_sequence: int | None
) -> AsyncIterator[SessionEvent]:
    """Yield Opened, the durable events after `after_sequence`, and then live events.

    Raises:
        NotFound: There is no such session, or it was deleted meanwhile.
        OutOfRange: `after_sequence` is beyond the session's last event.
    """
    subscription = deps.hub.subscribe(key)
    try:
        record = await deps.store.get_session(key)
        known = deps.inputs.known
        known.remember(record)
        cursor = start_cursor(record, after_sequence)
        deps.turns.wake(key)
        yield await opened_event(deps, record)
        relay = Relay(
            deps.store,
            subscription,
            cursor=cursor,
            view=view,
            heartbeat_s=deps.settings.heartbeat,
            passed=partial(known.note, key),
        )
        async for event in relay.events():
            yield event
    finally:
        subscription.close()
