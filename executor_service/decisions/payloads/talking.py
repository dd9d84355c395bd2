"""Decisions about the talk itself: answer, ask back, think on (document 002, scenarios 1, 5, 6)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from executor_service.decisions.payloads.payload_base import Payload
from executor_service.workflows.strict_model import AtLeastOne, Free, Name, Several, Text


class RespondPayload(Payload):
    """Answers the client."""

    action_type: Literal["respond"]
    """`respond`."""
    response: Text
    """What the client reads."""
    intent: Literal["greeting", "simple_query"]
    """What the client wants."""
    confidence: Annotated[float, Field(ge=0, le=1)]
    """How sure the agent is; the decision's own where it is missing, as a correction."""
    requires_followup: bool = False
    """Whether the talk goes on behind this answer; else the action ends."""


class ClarificationPayload(Payload):
    """Asks the client for what is missing."""

    action_type: Literal["request_clarification"]
    """`request_clarification`."""
    question: Text
    """What the client is asked."""
    options: AtLeastOne[Text] | None = None
    """Answers to choose from; the client may always answer in words."""
    required_fields: Several[Name] = ()
    """Names of what the answer should bring."""
    context: Free | None = None
    """What is known so far; it is read with the answer."""


class ContinuePayload(Payload):
    """Thinks on; the client sees nothing."""

    action_type: Literal["continue"]
    """`continue`."""
    thought: Text
    """What is thought."""
    next_step: str | None = None
    """What comes next."""
    progress: Annotated[float, Field(ge=0, le=1)] = 0
    """How far it is."""
