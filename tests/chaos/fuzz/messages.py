"""Requests of every shape the protos allow, made from their descriptors.

A text that begins with `@` names something that really exists, such as `@session_id`: whoever sends
the request puts the real one in its place. Without that nearly every request would be about a
session that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from google.protobuf import duration_pb2, struct_pb2, timestamp_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

KNOWN = frozenset({
    "session_id", "script_id", "turn_id", "message_id", "client_message_id", "edit_id", "version",
    "script_version", "action_instance_id", "user_id", "asset_id", "input_request_id", "page_token",
    "scope_id", "action_id", "topic_id", "phase_id", "variable_name", "request_id", "main_path",
})  # fmt: skip
"""Fields for which something real may stand."""
_DEPTH = 5
_TEXTS = (
    "", " ", "a", "嗯", "小明", "\x00", "a\x00b", "\ufeff", "\u202e", "😀" * 50,
    "{%chat%}", "${x}", "../..",
    "x" * 257, "好" * 5_000, "zh-CN", "Asia/Shanghai", "Mars/Olympus", "ai_ask",
    "ai_say", "default",
    "00-" + "a" * 32 + "-" + "b" * 16 + "-01", "script.yaml", "-1", "1e999", "'; --",
    "\r\n\r\n", "%s%n",
)  # fmt: skip
_INTS = (-(2**63), -(2**31), -1, 0, 1, 2, 7, 100, 1001, 2**31 - 1, 2**31, 2**53, 2**63 - 1)
_FLOATS = (0.0, -0.0, 1.0, -1.5, 1e308, float("inf"), float("-inf"), float("nan"))
_BYTES = (b"", b"\x00", b"\xff\xfe", b"session: {}", b"a: &a [*a]", b"- " * 500, b"{" * 2_000)

Strategy = st.SearchStrategy[Any]


def _whole(low: int, high: int) -> Strategy:
    known = [number for number in _INTS if low <= number <= high]
    return st.sampled_from(known) | st.integers(low, high)


def _floats() -> Strategy:
    return st.sampled_from(_FLOATS) | st.floats()


F = FieldDescriptor
_SCALARS: Mapping[int, Callable[[], Strategy]] = {
    F.TYPE_BOOL: st.booleans,
    F.TYPE_DOUBLE: _floats,
    F.TYPE_FLOAT: lambda: st.sampled_from(_FLOATS[:4] + _FLOATS[5:]) | st.floats(width=32),
    F.TYPE_BYTES: lambda: st.sampled_from(_BYTES) | st.binary(max_size=40),
    F.TYPE_INT32: lambda: _whole(-(2**31), 2**31 - 1),
    F.TYPE_SINT32: lambda: _whole(-(2**31), 2**31 - 1),
    F.TYPE_INT64: lambda: _whole(-(2**63), 2**63 - 1),
    F.TYPE_SINT64: lambda: _whole(-(2**63), 2**63 - 1),
    F.TYPE_UINT32: lambda: _whole(0, 2**32 - 1),
    F.TYPE_UINT64: lambda: _whole(0, 2**64 - 1),
}


def _json(depth: int = 3) -> Strategy:
    leaves = st.none() | st.booleans() | _floats() | st.sampled_from(_TEXTS)
    keys = st.sampled_from(_TEXTS)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
        max_leaves=depth * 3,
    )


def _value(data: object) -> struct_pb2.Value:
    made = struct_pb2.Value()
    if data is None:
        made.null_value = struct_pb2.NULL_VALUE
    elif isinstance(data, bool):
        made.bool_value = data
    elif isinstance(data, float):
        made.number_value = data
    elif isinstance(data, str):
        made.string_value = data
    elif isinstance(data, dict):
        made.struct_value.CopyFrom(_struct(data))
    elif isinstance(data, list):
        made.list_value.values.extend(_value(each) for each in data)
    return made


def _struct(data: Mapping[str, object]) -> struct_pb2.Struct:
    return struct_pb2.Struct(fields={key: _value(each) for key, each in data.items()})


def _moment(kind: type[Any]) -> Strategy:
    return st.builds(kind, seconds=_whole(-(2**63), 2**63 - 1), nanos=_whole(-(2**31), 2**31 - 1))


_WELL_KNOWN: Mapping[str, Callable[[], Strategy]] = {
    "google.protobuf.Value": lambda: _json().map(_value),
    "google.protobuf.Struct": lambda: st.dictionaries(
        st.sampled_from(_TEXTS), _json(), max_size=3
    ).map(_struct),
    "google.protobuf.Timestamp": lambda: _moment(timestamp_pb2.Timestamp),
    "google.protobuf.Duration": lambda: _moment(duration_pb2.Duration),
}


@cache
def messages(descriptor: Descriptor, depth: int = 0) -> Strategy:
    """Return messages of a kind; the deeper, the fewer of their fields are set."""
    if descriptor.full_name in _WELL_KNOWN:
        return _WELL_KNOWN[descriptor.full_name]()
    made: type[Message] = GetMessageClass(descriptor)
    always: dict[str, Strategy] = {}
    perhaps: dict[str, Strategy] = {}
    for field in descriptor.fields:
        if depth >= _DEPTH and field.message_type is not None:
            continue
        wanted = depth == 0 and field.name in KNOWN and field.containing_oneof is None
        (always if wanted else perhaps)[field.name] = _field(field, depth)
    return st.fixed_dictionaries(always, optional=perhaps).map(lambda data: _built(made, data))


def _built(made: type[Message], data: Mapping[str, Any]) -> Message:
    message = made()
    for name, value in data.items():
        field = message.DESCRIPTOR.fields_by_name[name]
        here = getattr(message, name)
        if not field.is_repeated:
            if field.message_type is not None:
                here.CopyFrom(value)
                here.SetInParent()
            else:
                setattr(message, name, value)
        elif isinstance(value, dict):
            for key, each in value.items():
                if isinstance(each, Message):
                    here[key].CopyFrom(each)
                else:
                    here[key] = each
        else:
            here.extend(value)
    return message


def _field(field: FieldDescriptor, depth: int) -> Strategy:
    if not field.is_repeated:
        return _single(field, depth)
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        key, value = kind.fields_by_name["key"], kind.fields_by_name["value"]
        return st.dictionaries(_single(key, depth), _single(value, depth), max_size=3)
    return st.lists(_single(field, depth), max_size=3)


def _single(field: FieldDescriptor, depth: int) -> Strategy:
    if field.message_type is not None:
        return messages(field.message_type, depth + 1)
    if field.enum_type is not None:
        named = [value.number for value in field.enum_type.values]
        return st.sampled_from([*named, *named, 99, -1, 2**31 - 1])
    if field.type == F.TYPE_STRING:
        free = st.sampled_from(_TEXTS) | st.text(max_size=20)
        if field.name in KNOWN:
            real = st.sampled_from([f"@{field.name}"] * 3 + ["", "no-such"])
            return st.one_of(real, real, free)
        return free
    return _SCALARS[field.type]()


def fill(message: Message, known: Mapping[str, str]) -> None:
    """Put real names in the place of those that begin with `@`."""
    for field, value in message.ListFields():
        if field.type == F.TYPE_STRING and not field.is_repeated:
            if value.startswith("@"):
                setattr(message, field.name, known.get(value[1:], value))
        elif field.message_type is not None:
            if field.message_type.GetOptions().map_entry:
                continue
            for each in value if field.is_repeated else (value,):
                fill(each, known)
