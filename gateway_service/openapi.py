"""Adds to the OpenAPI document: messages of the contract, problems, authentication."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, cast

from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from pydantic import BaseModel

from gateway_service.json_encoding import words
from gateway_service.paths import API
from gateway_service.problems import MEDIA_TYPE as PROBLEM
from gateway_service.responses import JSON

Object = dict[str, Any]
Responses = dict[int | str, Object]
_REF = "#/components/schemas/"
_PACKAGE = "heartrule.v1."
# Statuses that the checks of `GatewayRoute` or the executor link give on every route.
_ALWAYS = (400, 403, 429, 500, 503, 504)
# Too large, and not JSON: checked before the body reaches FastAPI.
_WITH_BODY = (413, 415)
_WELL_KNOWN: Mapping[str, Object] = MappingProxyType(
    {
        "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
        "google.protobuf.Duration": {"type": "string", "pattern": r"^-?\d+(\.\d+)?s$"},
        "google.protobuf.Struct": {"type": "object", "additionalProperties": True},
        "google.protobuf.Value": {"description": "Any JSON value."},
    }
)
# Fields of other types are texts.
_SCALARS: Mapping[int, Object] = MappingProxyType(
    {
        FieldDescriptor.TYPE_INT32: {"type": "integer"},
        FieldDescriptor.TYPE_INT64: {"type": "integer"},
        FieldDescriptor.TYPE_UINT32: {"type": "integer"},
        FieldDescriptor.TYPE_UINT64: {"type": "integer"},
        FieldDescriptor.TYPE_DOUBLE: {"type": "number"},
        FieldDescriptor.TYPE_FLOAT: {"type": "number"},
        FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
        FieldDescriptor.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    }
)


class Api(FastAPI):
    """An application whose document has the contract's messages and the gateway's problems."""

    def openapi(self) -> Object:
        """Return the document; it is made once."""
        if self.openapi_schema is None:
            document = super().openapi()
            _complete(document)
            self._restore_examples(document)
        assert self.openapi_schema is not None
        return self.openapi_schema

    def _restore_examples(self, document: Object) -> None:
        """Put examples back as they are declared: FastAPI leaves nulls out of the document."""
        for route in iter_route_contexts(self.routes):
            if not isinstance(route.original_route, APIRoute):
                continue
            for status, declared in route.responses.items():
                for media_type, body in declared.get("content", {}).items():
                    (operation,) = (method.lower() for method in route.methods or ())
                    responses = document["paths"][route.path_format][operation]["responses"]
                    responses[str(status)]["content"][media_type].update(body)


def returns(
    kind: type[Message | BaseModel] | None,
    description: str = "As asked.",
    *,
    status: int = 200,
    example: object = None,
    media_type: str = JSON,
) -> Responses:
    """Return `responses=` of a route for one form of its success."""
    body: Object = {}
    response: Object = {"description": description, "content": {media_type: body}}
    if kind is None:
        body["schema"] = {} if media_type == JSON else {"type": "string"}
    elif issubclass(kind, Message):
        body["schema"] = _reference(cast("Descriptor", kind.DESCRIPTOR))
    else:
        response["model"] = kind
    if example is not None:
        body["example"] = example
    return {status: response}


def fails(*statuses: int) -> Responses:
    """Return `responses=` for failures beyond those that every route may report."""
    return {status: {} for status in statuses}


def path_parameters(path: str) -> Object:
    """Return `openapi_extra=` of a route whose handler does not declare its path parameters."""
    return {
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in re.findall(r"\{(\w+)\}", path)
        ]
    }


def operation_id(route: APIRoute) -> str:
    """Return the name of an operation: its method and the words of its path."""
    method = min(route.methods or ("GET",))
    path = re.sub(r"[^a-zA-Z0-9]+", " ", route.path_format.removeprefix(API)).split()
    return "_".join([method.lower(), *path])


def _complete(document: Object) -> None:
    components = document["components"]
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "heartrule_session"},
    }
    document["security"] = [{}, {"token": []}, {"cookie": []}]
    for operations in document["paths"].values():
        for operation in operations.values():
            _add_failures(operation)
    _use_titles(document)
    schemas = components["schemas"]
    # FastAPI's own form of a validation error; ours are problems with status 400.
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["HttpProblem"] = _PROBLEM_SCHEMA
    schemas.update(message_schemas(set(_references(document)) - set(schemas)))
    components["schemas"] = dict(sorted(schemas.items()))


def _use_titles(document: Object) -> None:
    """Name each model's schema after its title, which clients' tools know it by."""
    schemas = document["components"]["schemas"]
    titles = {name: schema.get("title", name) for name, schema in schemas.items()}
    document["components"]["schemas"] = {titles[name]: schemas[name] for name in schemas}
    for holder in _reference_holders(document):
        name = holder["$ref"].removeprefix(_REF)
        holder["$ref"] = _REF + titles.get(name, name)


def _reference_holders(value: object) -> Iterable[Object]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value
        for inner in value.values():
            yield from _reference_holders(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _reference_holders(inner)


def _add_failures(operation: Object) -> None:
    responses = operation["responses"]
    responses.pop("422", None)
    statuses = {*_ALWAYS, *(int(status) for status in responses if int(status) >= 400)}
    if "requestBody" in operation:
        statuses.update(_WITH_BODY)
    if "security" not in operation:
        statuses.add(401)
    openai = "openai" in operation["tags"]
    schema = {"$ref": _REF + ("Refused" if openai else "HttpProblem")}
    for status in sorted(statuses):
        responses[str(status)] = {
            "description": HTTPStatus(status).phrase,
            "content": {JSON if openai else PROBLEM: {"schema": schema}},
        }


def message_schemas(names: Iterable[str]) -> Object:
    """Return a schema for each message of the contract that is named, and for those it holds."""
    pool = descriptor_pool.Default()
    schemas: Object = {}
    wanted = set(names)
    while wanted:
        found = {
            name: _schema_of(pool.FindMessageTypeByName(_PACKAGE + name.replace("_", ".")))
            for name in wanted
        }
        schemas.update(found)
        wanted = set(_references(found)) - set(schemas)
    return schemas


def _references(value: object) -> Iterable[str]:
    return (holder["$ref"].removeprefix(_REF) for holder in _reference_holders(value))


def _reference(descriptor: Descriptor) -> Object:
    known = _WELL_KNOWN.get(descriptor.full_name)
    if known is not None:
        return dict(known)
    return {"$ref": _REF + descriptor.full_name.removeprefix(_PACKAGE).replace(".", "_")}


def _schema_of(descriptor: Descriptor) -> Object:
    return {
        "type": "object",
        "properties": {field.camelcase_name: _of_field(field) for field in descriptor.fields},
        "required": [field.camelcase_name for field in descriptor.fields if not field.has_presence],
    }


def _of_field(field: FieldDescriptor) -> Object:
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        value = _of_value(entry.fields_by_name["value"])
        return {"type": "object", "additionalProperties": value}
    one = _of_value(field)
    return {"type": "array", "items": one} if field.is_repeated else one


def _of_value(field: FieldDescriptor) -> Object:
    if field.message_type is not None:
        return _reference(field.message_type)
    if field.enum_type is not None:
        return {"enum": [*words(field.enum_type).values(), None]}
    return dict(_SCALARS.get(field.type, {"type": "string"}))


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
        "explanation": {
            "type": "object",
            "description": "What a person reads of it, by language (en, zh-CN).",
            "additionalProperties": {"type": "string"},
        },
    },
    "required": ["type", "title", "status", "detail", "code", "reason", "explanation"],
    "examples": [
        {
            "type": "urn:heartrule:error:SESSION_NOT_FOUND",
            "title": "Session not found",
            "status": 404,
            "detail": "session 'x' was not found",
            "code": "NOT_FOUND",
            "reason": "SESSION_NOT_FOUND",
            "metadata": {"resource_type": "session", "name": "x"},
            "explanation": {"en": "session 'x' was not found", "zh-CN": "没有找到会话 x"},
        }
    ],
}
