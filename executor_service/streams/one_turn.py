"""Streams that follow one turn to its end: SendMessage and InitializeSession."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from executor_service.hub import Subscription
from executor_service.streams.client_inputs import ClientInput
from executor_service.streams.opening import ended_before_answer, opened_event
from executor_service.streams.refusal_cards import rejected_event
from executor_service.streams.relay import Relay, View
from executor_service.streams.session_deps import SessionDeps
from heartrule.domain.conversation import Audience
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import (
    GoingAway,
    Heartbeat,
    InputAccepted,
    InputRejected,
    Outcome,
    SessionEvent,
    TurnEnded,
    TurnStarted,
)
from heartrule.domain.keys import SessionKey
from session_store.records import TurnStatus

_EVERYTHING = frozenset(Audience)


class OneTurn:
    """Follows the turn of one input, or the opening turn, and ends with it."""

    def __init__(self, deps: SessionDeps, key: SessionKey, view: View) -> None:
        """`view` is what the client sees; the end is found whatever it shows."""
        self._deps = deps
        self._key = key
        self._view = view
        self._turn_id = ""
        self._known = 0

    async def send(self, client_input: ClientInput) -> AsyncIterator[SessionEvent]:
        """Store the input and yield Opened and its turn, from its InputAccepted to its TurnEnded.

        A repeat yields the whole turn; one of a failed turn also the run it causes. An input that
        is refused yields InputRejected and nothing more.

        Raises:
            NotFound: There is no such session.
        """
        subscription = self._deps.hub.subscribe(self._key)
        try:
            yield await client_input.in_time(self._opened())
            try:
                accepted = await client_input.accept()
            except HeartRuleError as error:
                yield rejected_event(self._key, client_input.client_message_id, error)
                return
            cursor = accepted.sequence - 1
            if accepted.duplicate and accepted.turn_id:
                self._turn_id = accepted.turn_id
                for event in await self._deps.store.read_turn(self._key, self._turn_id):
                    cursor = event.sequence
                    if self._view.shows(event):
                        yield event
                    if self._ends(event):
                        return
                if accepted.turn_state is TurnStatus.GIVEN_UP:
                    return  # its failure is the last of it
            try:
                async for event in self._follow(subscription, cursor, client_input):
                    yield event
            except HeartRuleError as error:
                raise await client_input.refused(error) from error
        finally:
            subscription.close()

    async def initialize(self) -> AsyncIterator[SessionEvent]:
        """Run the opening turn and yield Opened and it; once it has run, yield it again.

        Raises:
            NotFound: There is no such session.
        """
        subscription = self._deps.hub.subscribe(self._key)
        try:
            yield await self._opened(opening=True)
            async for event in self._follow(subscription, 0, None):
                yield event
        finally:
            subscription.close()

    async def _opened(self, *, opening: bool = False) -> SessionEvent:
        """Return Opened, and note where the session is; `opening` runs the opening turn."""
        record = await self._deps.store.get_session(self._key)
        self._deps.inputs.known.remember(record)
        event = await opened_event(self._deps, record)
        self._known = record.last_sequence
        if opening:
            self._turn_id = record.opening_turn_id
            if not record.opened:
                self._deps.turns.wake(self._key, opening=True)
        return event

    async def _follow(
        self, subscription: Subscription, cursor: int, client_input: ClientInput | None
    ) -> AsyncIterator[SessionEvent]:
        """Yield the turn of an input; None: the opening turn."""
        client_message_id = client_input.client_message_id if client_input else ""
        view = replace(self._view, audiences=_EVERYTHING)
        relay = Relay(
            self._deps.store,
            subscription,
            cursor=cursor,
            view=view,
            heartbeat_s=self._deps.settings.heartbeat,
        )
        async for event in relay.events():
            self._deps.inputs.known.note(self._key, event)
            mine = self._concerns(event, client_message_id)
            if mine and self._view.shows(event):
                yield event
            if self._ends(event) or (mine and isinstance(event.body, InputRejected)):
                return
            if client_input and _completes_session(event):
                error = await client_input.refused(ended_before_answer())
                yield rejected_event(self._key, client_message_id, error)
                return

    def _concerns(self, event: SessionEvent, client_message_id: str) -> bool:
        body = event.body
        if isinstance(body, Heartbeat | GoingAway):
            return True
        if isinstance(body, InputRejected):
            return body.client_message_id == client_message_id
        if isinstance(body, InputAccepted):
            return any(m.client_message_id == client_message_id for m in body.messages)
        if isinstance(body, TurnStarted) and not self._turn_id:
            mine = client_message_id in body.client_message_ids
            opening = not client_message_id and not body.client_message_ids
            self._turn_id = event.turn_id if mine or opening else ""
        return bool(self._turn_id) and event.turn_id == self._turn_id

    def _ends(self, event: SessionEvent) -> bool:
        """Return whether this is the end; a failure from before this call is history."""
        if not isinstance(event.body, TurnEnded) or event.turn_id != self._turn_id:
            return False
        return event.body.outcome is not Outcome.FAILED or event.sequence > self._known


def _completes_session(event: SessionEvent) -> bool:
    body = event.body
    return isinstance(body, TurnEnded) and body.outcome is Outcome.SESSION_COMPLETED
