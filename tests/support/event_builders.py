"""Events written by hand, and a store that has only them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta

from heartrule.domain.conversation import Audience, Message, Role, text_part
from heartrule.domain.errors import NotFound
from heartrule.domain.events import (
    DraftDelta,
    DraftPosition,
    DraftVoided,
    EventBody,
    GoingAway,
    MessageCommitted,
    Outcome,
    SessionEvent,
    StateChanged,
    TurnEnded,
)
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionState, ExecutionStatus

KEY = SessionKey("default", "ses_1")


def durable(
    sequence: int,
    body: EventBody | None = None,
    *,
    turn_id: str = "turn_1",
    attempt: int = 1,
    audience: Audience = Audience.CLIENT,
) -> SessionEvent:
    """Return an event with a number; it tells a state where the test does not care."""
    state = StateChanged(state=ExecutionState(status=ExecutionStatus.RUNNING))
    return SessionEvent(
        session_id=KEY.session_id,
        body=body or state,
        sequence=sequence,
        turn_id=turn_id,
        attempt=attempt,
        audience=audience,
    )


def numbered(*sequences: int) -> list[SessionEvent]:
    """Return plain events with these numbers."""
    return [durable(sequence) for sequence in sequences]


def committed(sequence: int, message_id: str = "msg_1", text: str = "好") -> SessionEvent:
    """Return the commit of an assistant's message."""
    message = Message(message_id=message_id, role=Role.ASSISTANT, parts=(text_part(text),))
    return durable(sequence, MessageCommitted(message=message))


def ended(
    sequence: int, outcome: Outcome = Outcome.WAITING, *, attempt: int = 1, turn_id: str = "turn_1"
) -> SessionEvent:
    """Return the end of an attempt."""
    return durable(sequence, TurnEnded(outcome=outcome), attempt=attempt, turn_id=turn_id)


def voided(sequence: int, up_to: int) -> SessionEvent:
    """Return the voiding of drafts, told by the attempt after them."""
    return durable(sequence, DraftVoided(up_to_attempt=up_to), attempt=up_to + 1)


def draft(
    text: str,
    offset: int = 0,
    *,
    message_id: str = "msg_1",
    attempt: int = 1,
    complete: bool = False,
) -> SessionEvent:
    """Return a piece of a message as it is written."""
    at = DraftPosition(message_id=message_id, offset=offset)
    return SessionEvent(
        session_id=KEY.session_id,
        body=DraftDelta(at=at, text=text, text_complete=complete),
        turn_id="turn_1",
        attempt=attempt,
    )


def going_away() -> SessionEvent:
    """Return a transient event that no store has."""
    return SessionEvent(
        session_id=KEY.session_id, body=GoingAway(reconnect_after=timedelta(seconds=1))
    )


@dataclass(slots=True)
class WrittenEvents:
    """The events of one session, as a store gives them: it holds what a test wrote."""

    events: list[SessionEvent] = field(default_factory=list)
    reads: list[int] = field(default_factory=list)
    """`after` of each reading."""
    deleted: bool = False
    page: int = 500
    """The most events one reading gives."""

    async def read_events(
        self, key: SessionKey, after: int, limit: int = 500
    ) -> tuple[SessionEvent, ...]:
        """Return the events after a number."""
        self.reads.append(after)
        if self.deleted:
            raise NotFound("session", key.session_id)
        found = [event for event in self.events if event.sequence > after]
        return tuple(found[: min(limit, self.page)])

    async def read_turn(self, key: SessionKey, turn_id: str) -> tuple[SessionEvent, ...]:
        """Return a turn's events."""
        del key
        return tuple(event for event in self.events if event.turn_id == turn_id)

    async def changes(self) -> AsyncIterator[SessionKey]:
        """End at once: nobody else writes here."""
        nobody: tuple[SessionKey, ...] = ()
        for key in nobody:
            yield key
