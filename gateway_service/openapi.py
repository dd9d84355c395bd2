"""The OpenAPI 3.1 document, made of what the routes validate and tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus

from google.protobuf.message import Message
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from gateway_service.bodies import Body
from gateway_service.endpoint import JSON, Answer, Endpoint
from gateway_service.problems import MEDIA_TYPE as PROBLEM
from gateway_service.schemas import REF, reference
from heartrule import __version__
from heartrule.domain.json_value import JsonValue

Object = dict[str, JsonValue]
_PARAMETER = re.compile(r"\{(\w+)\}")
_ALWAYS = (400, 403, 500, 503, 504)
_WITH_BODY = (413, 415)
_INTRODUCTION = """\
HeartRule over HTTP: sessions that follow a script, their answers whole or as server-sent events.
Errors are problem+json (RFC 9457); `reason` is stable. Names are lowerCamelCase, enum values
lower-case without prefix, an unspecified one null. What a message holds stands in the contract,
`protos/heartrule/v1`, under the same names."""


def document(endpoints: Iterable[Endpoint]) -> Object:
    """Return the document of these routes."""
    every = tuple(endpoints)
    components = _components(every)
    paths: Object = {}
    for one in every:
        at = paths.setdefault(one.path, {})
        assert isinstance(at, dict)
        at[one.method.lower()] = _operation(one, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "HeartRule", "version": __version__, "description": _INTRODUCTION},
        "servers": [{"url": "/"}],
        "security": [{}, {"token": []}, {"cookie": []}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "heartrule_session"},
            },
        },
    }


def _components(endpoints: Iterable[Endpoint]) -> Object:
    """Return the schemas of all models; those of messages join as they are met."""
    models: dict[type[BaseModel], None] = {}
    for one in endpoints:
        for kind in (one.body, one.refusal, *(answer.kind for answer in _answers(one))):
            if kind is not None and issubclass(kind, BaseModel):
                models[kind] = None
    _, schema = models_json_schema(
        [(model, "validation") for model in models], ref_template=REF + "{model}"
    )
    found: Object = dict(schema.get("$defs", {}))
    found["HttpProblem"] = _PROBLEM_SCHEMA
    return found


def _operation(one: Endpoint, components: Object) -> Object:
    told: Object = {
        "summary": one.summary,
        "description": (one.handler.__doc__ or one.summary).strip(),
        "tags": [one.tag],
        "operationId": _operation_id(one),
        "parameters": [*_path_parameters(one.path), *_query_parameters(one.query)],
        "responses": _responses(one, components),
    }
    if one.open_to_all:
        told["security"] = [{}]
    if one.body is not None:
        told["requestBody"] = {
            "required": one.body_required,
            "content": {
                JSON: {
                    "schema": {"$ref": REF + one.body.__name__},
                    "examples": {name: {"value": v} for name, v in one.body_examples.items()},
                }
            },
        }
    elif one.body_media_type != JSON:
        binary: Object = {"type": "string", "contentMediaType": one.body_media_type}
        told["requestBody"] = {
            "required": True, "content": {one.body_media_type: {"schema": binary}},
        }  # fmt: skip
    return told


def _operation_id(one: Endpoint) -> str:
    words = re.sub(r"[^a-zA-Z0-9]+", " ", one.path.removeprefix("/api")).split()
    return "_".join([one.method.lower(), *words])


def _path_parameters(path: str) -> list[JsonValue]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in _PARAMETER.findall(path)
    ]


def _query_parameters(query: type[Body]) -> list[JsonValue]:
    schema = query.model_json_schema()
    properties: Mapping[str, Mapping[str, JsonValue]] = schema.get("properties", {})
    return [
        {
            "name": name,
            "in": "query",
            "description": str(one.get("description", "")),
            "schema": {k: v for k, v in one.items() if k not in {"title", "description"}},
        }
        for name, one in properties.items()
    ]


def _answers(one: Endpoint) -> tuple[Answer, ...]:
    return (one.answer, *one.more_answers)


def _responses(one: Endpoint, components: Object) -> Object:
    told: Object = {}
    for answer in _answers(one):
        at = told.setdefault(str(answer.status), {"description": answer.description})
        assert isinstance(at, dict)
        if answer.status != HTTPStatus.NO_CONTENT:
            content = at.setdefault("content", {})
            assert isinstance(content, dict)
            content[answer.media_type] = _content(answer, components)
    takes_body = one.body is not None or one.body_media_type != JSON
    statuses = {*_ALWAYS, *one.errors, *(_WITH_BODY if takes_body else ())}
    if not one.open_to_all:
        statuses.add(401)
    for status in sorted(statuses):
        name = one.refusal.__name__ if one.refusal else "HttpProblem"
        told[str(status)] = {
            "description": HTTPStatus(status).phrase,
            "content": {JSON if one.refusal else PROBLEM: {"schema": {"$ref": REF + name}}},
        }
    return told


def _content(answer: Answer, components: Object) -> Object:
    told: Object = {}
    if answer.kind is None:
        told["schema"] = {} if answer.media_type == JSON else {"type": "string"}
    elif issubclass(answer.kind, Message):
        told["schema"] = reference(answer.kind, components)
    else:
        told["schema"] = {"$ref": REF + answer.kind.__name__}
    if answer.example is not None:
        told["example"] = answer.example
    return told


_PROBLEM_SCHEMA: Object = {
    "type": "object",
    "description": "A failure (RFC 9457).",
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "description": "Name of the gRPC code."},
        "reason": {"type": "string", "description": "Stable UPPER_SNAKE name of the failure."},
        "metadata": {"type": "object", "additionalProperties": {"type": "string"}},
        "violations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"field": {"type": "string"}, "description": {"type": "string"}},
                "required": ["field", "description"],
            },
        },
        "retryAfterSeconds": {"type": "number"},
    },
    "required": ["type", "title", "status", "detail", "code", "reason"],
    "examples": [
        {
            "type": "urn:heartrule:error:SESSION_NOT_FOUND",
            "title": "Session not found",
            "status": 404,
            "detail": "session 'x' was not found",
            "code": "NOT_FOUND",
            "reason": "SESSION_NOT_FOUND",
            "metadata": {"resource_type": "session", "name": "x"},
        }
    ],
}
