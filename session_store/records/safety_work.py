"""What the store takes and gives of the crisis path outside a turn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import SafetyEvent, SafetyLevel


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
