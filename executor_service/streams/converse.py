"""The streams of a session: Converse ends once all inputs are answered, WatchSession on cancel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from executor_service.hub import Nudge, Replay
from executor_service.streams.opening import (
    ended_before_answer,
    opened_event,
    rejected_event,
    start_cursor,
)
from executor_service.streams.relay import Relay, View
from executor_service.streams.session_deps import SessionDeps
from heartrule.domain.conversation import UserInput
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import DraftPosition, Outcome, SessionEvent, TurnEnded
from heartrule.domain.keys import SessionKey
from session_store.records import InterruptOrder, SessionRecord, TurnStatus


class ConverseStream:
    """Events and inputs of one stream; a lost stream loses nothing but drafts."""

    def __init__(self, deps: SessionDeps, key: SessionKey, view: View) -> None:
        """Subscribe at once, so that nothing is missed between reading and following."""
        self._deps = deps
        self._key = key
        self._view = view
        self._subscription = deps.hub.subscribe(key)
        self._begun = asyncio.Event()
        self._known = 0
        self._unanswered: set[str] = set()
        self._opening = False
        self._no_more_input = False
        self._broken: HeartRuleError | None = None

    async def events(self, after_sequence: int | None) -> AsyncIterator[SessionEvent]:
        """Yield Opened and then every event; end when input has ended and all is answered.

        Raises:
            NotFound: There is no such session, or it was deleted meanwhile.
            OutOfRange: `after_sequence` is beyond the session's last event.
            HeartRuleError: What `break_off` was given.
        """
        record = await self._deps.store.get_session(self._key)
        cursor = start_cursor(record, after_sequence)
        self._known = record.last_sequence
        self._begin_opening(record)
        self._begun.set()
        yield await opened_event(self._deps, record)
        relay = Relay(
            self._deps.store,
            self._subscription,
            cursor=cursor,
            view=self._view,
            heartbeat_s=self._deps.heartbeat.total_seconds(),
            ends=self._finished,
            passed=self._note,
        )
        async for event in relay.events():
            yield event

    async def ready(self) -> None:
        """Return once the stream has begun, and its client reads the answers to its requests.

        Answers to a flood would otherwise queue up until the write times out.
        """
        await self._begun.wait()
        await self._subscription.room()

    async def submit(self, user_input: UserInput) -> None:
        """Store an input; an invalid one is reported as InputRejected and ends nothing.

        It waits until the stream knows its first sequence: events of the input have higher ones.
        """
        await self._begun.wait()
        message_id = user_input.client_message_id
        fresh = message_id not in self._unanswered
        self._unanswered.add(message_id)  # before it is stored: its turn may end meanwhile
        try:
            accepted = await self._deps.turns.accept(self._key, user_input)
        except HeartRuleError as error:
            if fresh:
                self._unanswered.discard(message_id)
            self.reject(message_id, error)
            return
        if accepted.turn_state is TurnStatus.COMPLETED:
            self._unanswered.discard(message_id)
            self._subscription.behind()  # its end is committed, but perhaps not yet published
        if accepted.duplicate:
            self._subscription.put(Replay(accepted.turn_id, accepted.sequence))

    async def interrupt(self, turn_id: str, heard: DraftPosition | None) -> None:
        """Stop a turn; a refusal is reported as InputRejected."""
        await self._begun.wait()
        asked = InterruptOrder(key=self._key, turn_id=turn_id, heard=heard)
        try:
            await self._deps.turns.interrupt(asked)
        except HeartRuleError as error:
            self.reject("", error)

    def reject(self, client_message_id: str, error: HeartRuleError) -> None:
        """Emit on this stream alone that an input was rejected."""
        self._subscription.put(rejected_event(self._key, client_message_id, error))

    def end_input(self) -> None:
        """Note that the client has half-closed; accepted turns still finish."""
        self._no_more_input = True
        self._subscription.put(Nudge())

    def break_off(self, error: HeartRuleError) -> None:
        """End the stream with a status: the client broke the protocol."""
        self._broken = error
        self._subscription.put(Nudge())

    def close(self) -> None:
        """Stop watching; turns go on."""
        self._subscription.close()

    def _begin_opening(self, record: SessionRecord) -> None:
        if record.opened:
            self._deps.turns.wake(self._key)
        else:
            self._opening = True
            self._deps.turns.wake(self._key, opening=True)

    def _note(self, event: SessionEvent) -> None:
        """Remove the inputs that a turn's end answers; one from before this stream is history."""
        if not isinstance(event.body, TurnEnded) or event.sequence <= self._known:
            return
        ended = event.body
        self._unanswered.difference_update(ended.client_message_ids)
        self._opening = False  # no other turn ends before the opening
        if ended.outcome is Outcome.SESSION_COMPLETED:
            for client_message_id in sorted(self._unanswered):
                self.reject(client_message_id, ended_before_answer())
            self._unanswered.clear()
        self._subscription.put(Nudge())

    def _finished(self) -> bool:
        """Return whether nothing is left to wait for; called when all queued events are sent."""
        if self._broken is not None:
            raise self._broken
        return self._no_more_input and not self._unanswered and not self._opening


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
        cursor = start_cursor(record, after_sequence)
        deps.turns.wake(key)
        yield await opened_event(deps, record)
        relay = Relay(
            deps.store,
            subscription,
            cursor=cursor,
            view=view,
            heartbeat_s=deps.heartbeat.total_seconds(),
        )
        async for event in relay.events():
            yield event
    finally:
        subscription.close()
