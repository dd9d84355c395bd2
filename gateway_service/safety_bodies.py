"""Queries and bodies of the routes of the crisis path."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, PlainSerializer, StringConstraints

from gateway_service.bodies import Body, Name, PageQuery, QueryParameters, Required


class SafetyEventsQuery(PageQuery):
    """Which safety events."""

    session_id: Name = ""
    """Only those of this session."""
    unacknowledged: bool = False
    """True: only those that no operator has acknowledged."""
    alerts: bool = False
    """True: only those that made an alert."""


class ReportQuery(QueryParameters):
    """Which months a report counts."""

    since: AwareDatetime | None = None
    """Any time within the first month; absent: all."""


class LocaleQuery(QueryParameters):
    """Whose region and language."""

    locale: Name = ""
    """BCP 47 language tag; empty: the one of `_system/safety/path.yaml`."""


class AcknowledgeBody(Body, title="Acknowledge"):
    """Who has seen a hit."""

    operator: Required
    """Who."""
    note: Annotated[str, StringConstraints(max_length=2_000)] = ""
    """What was done about it; no words of the client."""


class CloseSafetyBody(AcknowledgeBody, title="CloseSafety"):
    """Who lowers a session's level."""

    level: Annotated[
        Literal["none", "concern", "third_party", "emergency"],
        PlainSerializer(lambda level: f"SAFETY_LEVEL_{level.upper()}", return_type=str),
    ] = "none"
    """The level it has from now on."""


class ScreenBody(Body, title="Screen"):
    """A text to screen."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=16_000)]
    """The text, as a client would send it."""
    question: Annotated[str, StringConstraints(max_length=16_000)] = ""
    """What the assistant said last."""
    earlier: Annotated[tuple[str, ...], Field(max_length=20)] = ()
    """The client's inputs since then, oldest first."""
