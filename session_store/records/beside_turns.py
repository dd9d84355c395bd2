"""What the store takes and gives beside the conversation: summaries, the crisis path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import DialogueLine
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.safety import SafetyEvent, SafetyLevel
from heartrule.domain.summary import Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryWork:
    """What the next revision of a summary is made of."""

    key: SessionKey
    earlier: Summary
    """The one it revises."""
    lines: tuple[DialogueLine, ...]
    """The turns that come to it, in the conversation's order."""
    first_turn: int
    """The first turn that the revision does not cover."""
    last_turn_id: str
    """The last turn that it covers; where another has taken its place, nothing is written."""
    script_id: str
    script_version: str
    replacements: tuple[ActionReplacement, ...] = ()
    values: Mapping[str, JsonValue] = field(default_factory=dict)
    """By name all that the session's variables held, so that sensitive ones are masked."""
    tokens_spent: int = 0
    """Tokens of all that was done beside the session's conversation so far."""
    language: str = ""
    """The session's, as a tag such as `en-US`: its own, else its locale."""

    @property
    def turns(self) -> int:
        """How many turns come to the summary."""
        return self.first_turn - self.earlier.first_turn

    @property
    def characters(self) -> int:
        """The length of these turns."""
        return sum(len(line.text) for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRecord:
    """How the work ended."""

    work: SummaryWork
    text: str = ""
    """The summary; empty: there is none, and the calls are kept all the same."""
    calls: tuple[LLMDebugInfo, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyFilter:
    """Which safety events are listed."""

    session_id: str = ""
    """Empty: of every session."""
    unacknowledged: bool = False
    """True: only those that no operator has seen."""
    alerts: bool = False
    """True: only those that made an alert."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyClosing:
    """An operator takes a session off the crisis path, or to another level of it."""

    operator: str
    level: SafetyLevel = SafetyLevel.NONE
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyAlert:
    """An alert to be delivered."""

    key: SessionKey
    event: SafetyEvent
    made_at: datetime
    failures: int
    """Deliveries that failed."""
