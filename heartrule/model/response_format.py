"""The response format requested of a provider, where its profile supports one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from heartrule.domain.json_value import JsonValue

_TEXT: dict[str, JsonValue] = {"type": "string"}
_YES_OR_NO: dict[str, JsonValue] = {"type": "boolean"}
_ANY: dict[str, JsonValue] = {}
_TEXTS: dict[str, JsonValue] = {"type": "object", "additionalProperties": {"type": "string"}}
# Any name: a reply may hold what later actions ask for. A schema that named the outputs would
# differ in each call, and providers compile a schema anew that they have not seen.
_QUOTED: dict[str, JsonValue] = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "properties": {"value": _ANY, "quote": _TEXT},
        "required": ["value", "quote"],
    },
}
_SCHEMAS: Mapping[str, dict[str, JsonValue]] = {
    "EXIT": {"type": "string", "enum": ["YES", "NO"]},
    "content": _TEXT,
    "BRIEF": _TEXT,
    "exit_reason": _TEXT,
    "variables": {"type": "object"},
    "metrics": _TEXTS,
    "progress_suggestion": {
        "type": "string",
        "enum": ["continue_needed", "completed", "blocked", "off_topic"],
    },
    "assessment": {
        "type": "object",
        "properties": {
            "understanding_level": {"type": "number", "minimum": 0, "maximum": 100},
            "has_questions": _YES_OR_NO,
        },
    },
    "should_exit": _YES_OR_NO,
    "intervention_needed": _YES_OR_NO,
    "orchestration_needed": _YES_OR_NO,
    "understanding_issue": _YES_OR_NO,
    "reasoning": {
        "type": "object",
        "properties": {
            "userStateAnalysis": _TEXT,
            "keyConsiderations": {"type": "array", "items": _TEXT},
            "strategyRationale": _TEXT,
        },
    },
    "strategyPrompt": _TEXT,
    "intent": {
        "type": "string",
        "enum": ["greeting", "simple_query", "complex_task", "workflow_request", "unknown"],
    },
    "decisions": {
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "object",
            # The gate judges the payload by its type: a schema of all ten would be refused or slow.
            "properties": {
                "decision_type": _TEXT,
                "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                "payload": {"type": "object"},
            },
            "required": ["decision_type", "payload"],
        },
    },
}


class ResponseFormat(StrEnum):
    """How a provider can be held to JSON; the parser is the same for all."""

    NONE = "none"
    JSON_OBJECT = "json_object"
    JSON_SCHEMA = "json_schema"


def plainer_formats(kind: ResponseFormat) -> tuple[ResponseFormat, ...]:
    """Return the formats to ask a provider for, one after the other, as far as it refuses them."""
    if kind is ResponseFormat.JSON_SCHEMA:
        return (kind, ResponseFormat.JSON_OBJECT)
    return (kind,)


def response_format(
    kind: ResponseFormat, fields: Sequence[str], *, quotes: bool = False
) -> dict[str, JsonValue]:
    """Return the request's further parameters for one kind; empty for `none`.

    Args:
        kind: The profile's format.
        fields: Top-level names of the reply, in the order in which they shall be written.
        quotes: True where a variable stands beside the client's words that say it.
    """
    if kind is ResponseFormat.NONE:
        return {}
    if kind is ResponseFormat.JSON_OBJECT or not fields:
        return {"response_format": {"type": "json_object"}}
    schemas = {**_SCHEMAS, "variables": _QUOTED} if quotes else _SCHEMAS
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": {name: schemas.get(name, _ANY) for name in fields},
        "required": list(fields),
    }
    wrapped: dict[str, JsonValue] = {"name": "reply", "schema": schema, "strict": False}
    return {"response_format": {"type": "json_schema", "json_schema": wrapped}}
