"""What a run left for the checker, and the texts of violations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heartrule.domain.events import InputAccepted, MessageCommitted, SessionEvent, TurnEnded
from tests.chaos.dump import Dump, EventRow, FinalState, MessageRow
from tests.chaos.history import ReceivedEvent, Record


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule."""

    rule: str
    session_id: str
    what: str

    def __str__(self) -> str:
        """Return a line for a person."""
        return f"{self.rule}: {self.what} [{self.session_id}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the checker has of one session."""

    session_id: str
    records: tuple[Record, ...]
    messages: tuple[MessageRow, ...]
    events: tuple[EventRow, ...]
    dump: Dump
    expected: FinalState | None = None
    """Where an undisturbed run came to stand; None: not compared."""

    def received(self) -> Iterator[SessionEvent]:
        """Yield every event clients received, repeats included."""
        return (record.event for record in self.records if isinstance(record, ReceivedEvent))


def body_of(event: SessionEvent) -> object:
    """Return what must be equal each time it is sent; a turn's end has the newest state."""
    body = event.body
    if isinstance(body, TurnEnded):
        return body.outcome, body.message_ids, body.client_message_ids
    if isinstance(body, InputAccepted):
        return tuple(message.message_id for message in body.messages)
    if isinstance(body, MessageCommitted):
        return body.message.message_id, body.message.plain_text()
    return type(body)


def difference(ours: object, theirs: object) -> str:
    """Say how two things differ."""
    if isinstance(ours, tuple) and isinstance(theirs, tuple):
        here = [line for line in ours if line not in theirs]
        there = [line for line in theirs if line not in ours]
        return f"has {short(here)}, lacks {short(there)}"
    return f"{short(ours)}, undisturbed {short(theirs)}"


def short(value: object) -> str:
    """Return a value as text, cut where it is long."""
    text = str(value)
    return text if len(text) <= 300 else f"{text[:300]}…"
