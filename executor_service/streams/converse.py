"""The stream of Converse; it ends once its inputs have ended and all are answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from executor_service.hub import Nudge, Replay
from executor_service.streams.client_inputs import ClientInput
from executor_service.streams.opening import (
    ended_before_answer,
    opened_event,
    start_cursor,
)
from executor_service.streams.refusal_cards import RefusalCards, rejected_event
from executor_service.streams.relay import Relay, View
from executor_service.streams.session_deps import SessionDeps
from heartrule.chassis.errors import WorkCancelled, known
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import (
    DraftPosition,
    InputRejected,
    Outcome,
    SessionEvent,
    TurnEnded,
)
from heartrule.domain.keys import SessionKey
from session_store.records import InterruptOrder, SessionRecord


class ConverseStream:
    """Events and inputs of one stream; a lost stream loses nothing but drafts."""

    def __init__(self, deps: SessionDeps, key: SessionKey, view: View) -> None:
        """Subscribe at once, so that nothing is missed between reading and following."""
        self.key = key
        self._deps = deps
        self._view = view
        self._subscription = deps.hub.subscribe(key)
        self._begun = asyncio.Event()
        self._failure: HeartRuleError | None = None
        self._cards = RefusalCards()
        self._relaying = False
        self._in_hand = False
        self._known = 0
        self._unanswered: dict[str, ClientInput] = {}
        self._opening = False
        self._no_more_input = False
        self._broken: HeartRuleError | None = None

    async def events(self, after_sequence: int | None) -> AsyncIterator[SessionEvent]:
        """Yield Opened and then every event; end when input has ended and all is answered.

        Refusals with a card come also where the session cannot be read: before Opened while the
        store is silent, and before the error that ends the stream.

        Raises:
            NotFound: There is no such session, or it was deleted meanwhile.
            OutOfRange: `after_sequence` is beyond the session's last event.
            HeartRuleError: What `break_off` was given.
        """
        begin = asyncio.ensure_future(self._begin(after_sequence))
        try:
            async for event in self._cards.until(begin):
                yield event
            cursor, opened = await begin
            yield opened
            async for event in self._relay(cursor).events():
                yield event
        except Exception as error:
            if error is not self._broken:
                self._fail(known(error))
                # `submit` takes out meanwhile what it refuses itself.
                for each in [e for e in self._unanswered.values() if e.calls_for_card]:
                    self.reject(each.client_message_id, await each.refused(error))
                async for event in self._cards.last(lambda: self._in_hand):
                    yield event
            raise
        finally:
            begin.cancel()

    async def ready(self, *, has_card: bool = False) -> None:
        """Return once the stream has begun, and its client reads the answers to its requests.

        Answers to a flood would otherwise queue up until the write times out. A request whose
        refusal has a card waits for no session that cannot be read.
        """
        if not has_card:
            await self._begun.wait()
        if self._relaying or not has_card:
            await self._subscription.room()

    async def submit(self, client_input: ClientInput) -> None:
        """Store an input; an invalid one is reported as InputRejected and ends nothing.

        It waits until the stream knows its first sequence: events of the input have higher ones.
        """
        message_id = client_input.client_message_id
        fresh = message_id not in self._unanswered
        # Before it is stored: its turn may end meanwhile.
        self._unanswered[message_id] = client_input
        self._in_hand = client_input.calls_for_card
        try:
            accepted = await client_input.accept(after=self._session_read)
        except HeartRuleError as error:
            if fresh:
                self._unanswered.pop(message_id, None)
            self.reject(message_id, error)
            return
        finally:
            self._in_hand = False
        if accepted.has_ended:
            self._unanswered.pop(message_id, None)
            self._subscription.behind()  # its end is committed, but perhaps not yet published
        if accepted.duplicate:
            self._subscription.put(Replay(accepted.turn_id, accepted.sequence))

    async def interrupt(self, turn_id: str, heard: DraftPosition | None) -> None:
        """Stop a turn; a refusal is reported as InputRejected."""
        await self._begun.wait()
        asked = InterruptOrder(key=self.key, turn_id=turn_id, heard=heard)
        try:
            await self._deps.turns.interrupt(asked)
        except HeartRuleError as error:
            self.reject("", error)

    def reject(self, client_message_id: str, error: HeartRuleError) -> None:
        """Emit on this stream alone that an input was rejected."""
        event = rejected_event(self.key, client_message_id, error)
        if self._relaying or error.fallback is None:
            self._subscription.put(event)
        else:
            self._cards.put(event)

    def end_input(self) -> None:
        """Note that the client has half-closed; accepted turns still finish."""
        self._no_more_input = True
        self._subscription.put(Nudge())
        self._cards.end()

    def break_off(self, error: HeartRuleError) -> None:
        """End the stream with a status: the client broke the protocol."""
        self._broken = error
        self._subscription.put(Nudge())

    def close(self) -> None:
        """Stop watching; turns go on."""
        self._subscription.close()
        self._fail(WorkCancelled("the stream has ended", reason="CANCELLED"))

    async def _begin(self, after_sequence: int | None) -> tuple[int, SessionEvent]:
        """Read the session; return where its events are followed from, and Opened."""
        record = await self._deps.store.get_session(self.key)
        self._deps.inputs.known.remember(record)
        cursor = start_cursor(record, after_sequence)
        self._known = record.last_sequence
        self._begin_opening(record)
        self._begun.set()
        return cursor, await opened_event(self._deps, record)

    def _relay(self, cursor: int) -> Relay:
        """Return what relays events and, from now on, all refusals."""
        self._relaying = True
        for event in self._cards.take():
            self._subscription.put(event)
        return Relay(
            self._deps.store,
            self._subscription,
            cursor=cursor,
            view=self._view,
            heartbeat_s=self._deps.settings.heartbeat,
            ends=self._finished,
            passed=self._note,
        )

    async def _session_read(self) -> None:
        """Return once the session is read, or raise why it cannot be."""
        await self._begun.wait()
        if self._failure is not None:
            raise self._failure

    def _fail(self, error: HeartRuleError) -> None:
        """Refuse what comes now; refusals with a card that were queued are sent apart."""
        self._relaying, self._failure = False, self._failure or error
        self._begun.set()
        while (item := self._subscription.take()) is not None:
            if isinstance(item, SessionEvent) and isinstance(item.body, InputRejected):
                self._cards.put(item)

    def _begin_opening(self, record: SessionRecord) -> None:
        if record.opened:
            self._deps.turns.wake(self.key)
        else:
            self._opening = True
            self._deps.turns.wake(self.key, opening=True)

    def _note(self, event: SessionEvent) -> None:
        """Remove the inputs that a turn's end answers; one from before this stream is history."""
        if event.sequence <= self._known:
            return
        self._deps.inputs.known.note(self.key, event)
        if not isinstance(event.body, TurnEnded):
            return
        ended = event.body
        for message_id in ended.client_message_ids:
            self._unanswered.pop(message_id, None)
        self._opening = False  # no other turn ends before the opening
        if ended.outcome is Outcome.SESSION_COMPLETED:
            for each in list(self._unanswered.values()):
                self._deps.inputs.background.spawn(
                    self._reject_unanswered(each), label="unanswered"
                )
        self._subscription.put(Nudge())

    async def _reject_unanswered(self, client_input: ClientInput) -> None:
        """Report that the script ended before an input was answered."""
        error = await client_input.refused(ended_before_answer())
        self.reject(client_input.client_message_id, error)
        self._unanswered.pop(client_input.client_message_id, None)
        self._subscription.put(Nudge())

    def _finished(self) -> bool:
        """Return whether nothing is left to wait for; called when all queued events are sent."""
        if self._broken is not None:
            raise self._broken
        return self._no_more_input and not self._unanswered and not self._opening
