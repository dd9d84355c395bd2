"""Routes of the crisis path for operators and authors, with their queries and bodies."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PlainSerializer,
    StringConstraints,
)
from pydantic.alias_generators import to_camel
from starlette.responses import Response

from gateway_service.bodies import Body, Name, QueryParameters, Required
from gateway_service.json_encoding import encode
from gateway_service.list_queries import ListQuery
from gateway_service.openapi import returns
from gateway_service.paths import API
from gateway_service.responses import json_response
from gateway_service.route import GatewayServices
from gateway_service.routes import samples
from gateway_service.routes.call_router import CallRouter
from heartrule.v1 import safety_pb2
from heartrule.wire.message_mapping import to_message


class SafetyEventsQuery(ListQuery):
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


_SESSION = f"{API}/sessions/{{sessionId}}/safety"
_SEEN: dict[str, Any] = {"seen": {"value": {"operator": "ann", "note": "called back"}}}
_CLOSED: dict[str, Any] = {"off the path": {"value": {"operator": "ann", "note": "is safe"}}}
_SCREENED: dict[str, Any] = {"a text": {"value": {"text": "我不想活了"}}}

router = CallRouter(tags=["safety"])
router.add_call(
    f"GET {API}/safety/events",
    "ListSafetyEvents",
    query=SafetyEventsQuery,
    summary="List hits of the crisis path and operators' decisions, newest first",
    example={"events": [samples.SAFETY_EVENT], "nextPageToken": ""},
)
router.add_call(
    f"POST {API}/safety/events/{{safetyEventId}}/acknowledge",
    "AcknowledgeSafetyEvent",
    inner="event",
    body=AcknowledgeBody,
    body_examples=_SEEN,
    summary="Note that an operator has seen a hit; the first one stays",
    example=samples.SAFETY_EVENT,
)
router.add_call(
    f"GET {_SESSION}",
    "GetSafetyState",
    inner="state",
    summary="Read where a session is on the crisis path",
)
router.add_call(
    f"POST {_SESSION}/close",
    "CloseSafety",
    inner="state",
    body=CloseSafetyBody,
    body_examples=_CLOSED,
    summary="Lower a session's safety level by an operator; safe to repeat",
)
router.add_call(
    f"GET {API}/safety/report",
    "GetSafetyReport",
    query=ReportQuery,
    summary="Count hits by month, level, source and language",
)
router.add_call(
    f"POST {API}/safety/screen",
    "ScreenText",
    body=ScreenBody,
    body_examples=_SCREENED,
    summary="Screen a text as a client's, for authors; nothing is stored",
)


class SafetyTextsAnswer(BaseModel, title="SafetyTexts"):
    """What is to be known of the fixed texts, and where help is."""

    model_config = ConfigDict(alias_generator=to_camel, use_attribute_docstrings=True)

    unreviewed: list[str]
    """Files of `_system/safety` that no clinically trained person has read."""
    outdated: list[str]
    """Resources that were verified more than 180 days ago, with that day."""
    resources: list[dict[str, JsonValue]]
    """Where help is in the region of the locale, as in `SafetyResource`."""


@router.get(
    f"{API}/safety/texts",
    summary="Read whether the fixed texts were reviewed, and where help is in a region",
    responses=returns(
        SafetyTextsAnswer,
        example={"unreviewed": ["path.yaml"], "outdated": [], "resources": [samples.RESOURCE]},
    ),
)
async def texts(services: GatewayServices, query: Annotated[LocaleQuery, Query()]) -> Response:
    """Read whether the fixed texts were reviewed; a console keeps the resources for later."""
    found = await services.screen.notices(query.locale)
    shown = (to_message(each, safety_pb2.SafetyResource) for each in found.resources)
    return json_response(
        {
            "unreviewed": list(found.unreviewed),
            "outdated": list(found.outdated),
            "resources": [encode(message) for message in shown],
        }
    )
