"""Messages of the contract as JSON; the encoder of each class is built once.

Names are lowerCamelCase and enum values lower-case without their prefix (RESOLUTIONS, Spelling).
Scalars and lists are always present; a field with presence is left out where it is unset; an enum
that is unspecified or unknown is null.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from heartrule.domain.json_value import JsonValue
from heartrule.wire.json_values import read_struct, read_value
from heartrule.wire.memo import once
from heartrule.wire.times import read_timestamp

Encoder: TypeAlias = Callable[[Any], Any]
_UNSPECIFIED = "UNSPECIFIED"


def encode(message: Message) -> dict[str, JsonValue]:
    """Return the message as JSON."""
    encoded: dict[str, JsonValue] = _encoder(cast("Descriptor", message.DESCRIPTOR))(message)
    return encoded


def word(enum: EnumDescriptor, number: int) -> str | None:
    """Return the JSON name of an enum's value."""
    return words(enum).get(number)


@once
def words(enum: EnumDescriptor) -> Mapping[int, str]:
    """Return the JSON name of each number, without the unspecified one."""
    prefix = enum.values_by_number[0].name.removesuffix(_UNSPECIFIED)
    return {
        value.number: value.name.removeprefix(prefix).lower()
        for value in enum.values
        if value.number
    }


def timestamp(value: Any) -> str:
    """Return an instant as RFC 3339 in UTC, to the millisecond."""
    moment = read_timestamp(value)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def duration(value: Any) -> str:
    """Return a duration as protobuf's JSON has it, such as `1.5s`."""
    return f"{value.seconds + value.nanos / 1e9:.9f}".rstrip("0").rstrip(".") + "s"


_WELL_KNOWN: Mapping[str, Encoder] = {
    "google.protobuf.Timestamp": timestamp,
    "google.protobuf.Duration": duration,
    "google.protobuf.Struct": read_struct,
    "google.protobuf.Value": read_value,
}


@once
def _encoder(descriptor: Descriptor) -> Encoder:
    known = _WELL_KNOWN.get(descriptor.full_name)
    if known is not None:
        return known
    fields = tuple(descriptor.fields)
    required = tuple((f.camelcase_name, f.name, _of_field(f)) for f in fields if not f.has_presence)
    optional = tuple((f.camelcase_name, f.name, f) for f in fields if f.has_presence)

    def encode_message(message: Message) -> dict[str, object]:
        encoded = {key: one(getattr(message, name)) for key, name, one in required}
        for key, name, field in optional:
            if message.HasField(name):
                encoded[key] = _of_field(field)(getattr(message, name))
        return encoded

    return encode_message


@once
def _of_field(field: FieldDescriptor) -> Encoder:
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        one = _of_single(entry.fields_by_name["value"])
        return lambda values: {key: one(values[key]) for key in sorted(values)}
    one = _of_single(field)
    if field.is_repeated:
        return lambda values: [one(value) for value in values]
    return one


def _of_single(field: FieldDescriptor) -> Encoder:
    if field.message_type is not None:
        return _encoder_later(field.message_type)
    if field.enum_type is not None:
        return words(field.enum_type).get
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _base64
    return _same


def _encoder_later(descriptor: Descriptor) -> Encoder:
    """Return what encodes a nested message; made on first use, as a message may hold itself."""

    def encode_message(message: Message) -> object:
        return _encoder(descriptor)(message)

    return encode_message


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _same(value: object) -> object:
    return value
