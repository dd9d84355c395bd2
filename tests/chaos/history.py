"""What clients sent and received, in order; the checker reads nothing else of them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from heartrule.domain.events import SessionEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A client sent an input, for the first time or again."""

    at: float
    client: str
    session_id: str
    client_message_id: str
    text: str
    replica: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedEvent:
    """A stream delivered an event."""

    at: float
    client: str
    session_id: str
    stream: int
    event: SessionEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamOpened:
    """A client opened a stream behind a sequence."""

    at: float
    client: str
    session_id: str
    stream: int
    after: int
    replica: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamEnded:
    """A stream ended or broke."""

    at: float
    client: str
    session_id: str
    stream: int
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """A client read the messages of its session."""

    began: float
    at: float
    client: str
    session_id: str
    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GaveUp:
    """A client's patience ended before its turn did."""

    at: float
    client: str
    session_id: str
    client_message_id: str
    why: str


Record: TypeAlias = Sent | ReceivedEvent | StreamOpened | StreamEnded | ReadBack | GaveUp


@dataclass(slots=True)
class History:
    """All records of one run, in order."""

    records: list[Record] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Keep a record."""
        self.records.append(record)

    def of_session(self, session_id: str) -> Iterator[Record]:
        """Yield what was sent and received in one session."""
        return (record for record in self.records if record.session_id == session_id)

    def sessions(self) -> tuple[str, ...]:
        """Return the ids of all sessions, as they came."""
        return tuple(dict.fromkeys(record.session_id for record in self.records))

    def write(self, path: Path) -> None:
        """Write the records, a JSON object a line, for a reader of a failed run."""
        with path.open("w", encoding="utf-8") as lines:
            for record in self.records:
                values = {name: _plain(getattr(record, name)) for name in record.__slots__}
                line = {"record": type(record).__name__, **values}
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")


def now() -> float:
    """Return the clock all records share."""
    return time.monotonic()


def _plain(value: object) -> object:
    return value if isinstance(value, str | int | float | tuple) else repr(value)
