"""JSON Schema of the contract's messages as `spelling` tells them: one component per message."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gateway_service.spelling import words
from heartrule.domain.json_value import JsonValue

Schema = dict[str, JsonValue]
REF = "#/components/schemas/"
_INTEGERS = {
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_INT64,
    FieldDescriptor.TYPE_UINT32,
    FieldDescriptor.TYPE_UINT64,
}
_WELL_KNOWN: Mapping[str, Schema] = MappingProxyType(
    {
        "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
        "google.protobuf.Duration": {"type": "string", "pattern": r"^-?\d+(\.\d+)?s$"},
        "google.protobuf.Struct": {"type": "object", "additionalProperties": True},
        "google.protobuf.Value": {"description": "Any JSON value."},
    }
)


def reference(message: type[Message], components: dict[str, JsonValue]) -> Schema:
    """Return a reference to the message's schema, and put it and what it holds into components."""
    return _reference(cast("Descriptor", message.DESCRIPTOR), components)


def _reference(descriptor: Descriptor, components: dict[str, JsonValue]) -> Schema:
    known = _WELL_KNOWN.get(descriptor.full_name)
    if known is not None:
        return dict(known)
    name = descriptor.full_name.removeprefix("heartrule.v1.").replace(".", "_")
    if name not in components:
        components[name] = {}  # a message may hold itself
        components[name] = _object(descriptor, components)
    return {"$ref": REF + name}


def _object(descriptor: Descriptor, components: dict[str, JsonValue]) -> Schema:
    return {
        "type": "object",
        "properties": {f.camelcase_name: _field(f, components) for f in descriptor.fields},
        "required": [f.camelcase_name for f in descriptor.fields if not f.has_presence],
    }


def _field(field: FieldDescriptor, components: dict[str, JsonValue]) -> Schema:
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        value = _single(entry.fields_by_name["value"], components)
        return {"type": "object", "additionalProperties": value}
    one = _single(field, components)
    return {"type": "array", "items": one} if field.is_repeated else one


def _single(field: FieldDescriptor, components: dict[str, JsonValue]) -> Schema:
    if field.message_type is not None:
        return _reference(field.message_type, components)
    if field.enum_type is not None:
        return {"enum": [*words(field.enum_type).values(), None]}
    if field.type in _INTEGERS:
        return {"type": "integer"}
    if field.type in {FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT}:
        return {"type": "number"}
    if field.type == FieldDescriptor.TYPE_BOOL:
        return {"type": "boolean"}
    if field.type == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "contentEncoding": "base64"}
    return {"type": "string"}
