"""The outcome of a rehearsal: the turns that were played, and their differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from executor_service.scripts.model.findings import Spot
from heartrule.domain.events import SessionEvent
from heartrule.domain.json_value import JsonValue
from heartrule_cli.rehearsal.written_conversation import WrittenConversation, WrittenTurn

Path: TypeAlias = tuple[str | int, ...]
"""Keys and numbers of items that lead to a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that is not as expected, and the place of the expectation."""

    spot: Spot
    turn: int = 0
    """Counted from 1; 0 where it belongs to no turn."""
    path: Path = ()
    """Keys and numbers of items below `expect`; empty where something else is wrong."""
    expected: str = ""
    """A value as JSON, or `a text with …`."""
    got: JsonValue = None
    word: str = ""
    """The text that has to be in it, or must not."""
    message: str = ""
    """Takes the place of expected and got where there are no such values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A turn that was played."""

    number: int
    turn: WrittenTurn
    events: Sequence[SessionEvent]
    """The durable events, in order."""
    seen: Mapping[str, JsonValue]
    seconds: float = 0.0
    """How long the client waited for the turn's end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """A conversation that was played, as far as it was as expected."""

    conversation: WrittenConversation
    played: tuple[Played, ...]
    differences: tuple[Difference, ...]
    """Of the first turn that differs, or of the answers left over at the end."""
