"""The timeline of one turn and its background work, as spans on lanes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum


class TimelineLane(StrEnum):
    """The process part in which something ran."""

    MAIN = "main"
    """In the turn: the client waited for it."""
    MONITOR = "monitor"
    """Beside it, in the monitor; the turn did not wait."""


class TimelineKind(StrEnum):
    """The kind of a span."""

    TURN = "turn"
    ATTEMPT = "attempt"
    STEP = "step"
    MODEL_CALL = "model_call"
    DECISION = "decision"
    MESSAGE = "message"
    ANALYSIS = "analysis"
    ADVICE = "advice"
    PLAN_EDIT = "plan_edit"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineLink:
    """Why a span belongs together with something; the ids that do not apply are empty."""

    relation: str
    """`judges`, `made`, `used_in`, `used`, `recorded_as` or `tells`."""
    span_id: str = ""
    turn_id: str = ""
    advice_id: str = ""
    call_id: str = ""
    message_id: str = ""
    decision_id: str = ""
    workflow_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineSpan:
    """Something that took time, or happened at one moment."""

    span_id: str
    kind: TimelineKind
    name: str
    start_time: datetime
    lane: TimelineLane = TimelineLane.MAIN
    parent_span_id: str = ""
    duration: timedelta | None = None
    """None while it runs."""
    facts: Mapping[str, str] = field(default_factory=dict)
    links: tuple[TimelineLink, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTimeline:
    """The spans of one turn, by their start."""

    turn_id: str
    start_time: datetime
    end_time: datetime | None = None
    """None while it runs."""
    spans: tuple[TimelineSpan, ...] = ()
