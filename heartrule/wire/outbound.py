"""Domain values into messages: one function per kind of field, the kinds looked up once a class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from google.protobuf.message import Message

from heartrule.wire.enums import numbers
from heartrule.wire.json_values import fill_struct, fill_value
from heartrule.wire.memo import once
from heartrule.wire.message_shapes import Kind, MessageShape, shapes
from heartrule.wire.times import fill_duration, fill_timestamp

# Puts a value, or a part of it, into a message that is still empty.
Fill: TypeAlias = Callable[[Any, Any], None]
# Puts a part into the field of that name, by what turns it, or each of its items, into a message.
_Put: TypeAlias = Callable[[Any, Any, str, Any], None]


@once
def filler(domain: type, message: type[Message]) -> Fill:
    """Return the function that fills a message of this class from a value of that class.

    Raises:
        TypeError: the two classes do not fit.
    """
    parts = tuple(
        (shape.name, _PUTS[shape.kind], _inner(shape), shape.kind is Kind.VALUE)
        for shape in shapes(domain, message)
    )

    def fill(value: object, target: Message) -> None:
        for name, put, inner, takes_none in parts:
            part = getattr(value, name)
            if part is not None or takes_none:
                put(part, target, name, inner)

    return fill


def _inner(shape: MessageShape) -> object:
    """Return what turns a field's value, or each of its items, into what the message holds."""
    if shape.kind is Kind.ENUM:
        return numbers(*shape.enum)
    if shape.kind in {Kind.MESSAGE, Kind.MESSAGES}:
        return filler(shape.item, shape.message_class)
    return _WELL_KNOWN.get(shape.kind)


def _plain(part: object, target: Message, name: str, _: object) -> None:
    if part:
        setattr(target, name, part)


def _present(part: object, target: Message, name: str, _: object) -> None:
    setattr(target, name, part)


def _enum(part: object, target: Message, name: str, inner: Mapping[object, int]) -> None:
    setattr(target, name, inner[part])


def _well_known(part: object, target: Message, name: str, inner: Fill) -> None:
    inner(part, getattr(target, name))


def _message(part: object, target: Message, name: str, inner: Fill) -> None:
    nested = getattr(target, name)
    nested.SetInParent()  # it is there even where it is empty
    inner(part, nested)


def _messages(part: tuple[object, ...], target: Message, name: str, inner: Fill) -> None:
    for item in part:
        inner(item, getattr(target, name).add())


def _plains(part: object, target: Message, name: str, _: object) -> None:
    getattr(target, name).extend(part)


def _plain_map(part: object, target: Message, name: str, _: object) -> None:
    getattr(target, name).update(part)


def _value_map(part: Mapping[str, object], target: Message, name: str, inner: Fill) -> None:
    for key, entry in part.items():
        inner(entry, getattr(target, name)[key])


_WELL_KNOWN: Mapping[Kind, Fill] = {
    Kind.TIMESTAMP: fill_timestamp,
    Kind.DURATION: fill_duration,
    Kind.STRUCT: fill_struct,
    Kind.VALUE: fill_value,
    Kind.VALUE_MAP: fill_value,
}
_PUTS: Mapping[Kind, _Put] = {
    **dict.fromkeys((Kind.TIMESTAMP, Kind.DURATION, Kind.STRUCT, Kind.VALUE), _well_known),
    Kind.PLAIN: _plain,
    Kind.PRESENT: _present,
    Kind.ENUM: _enum,
    Kind.MESSAGE: _message,
    Kind.MESSAGES: _messages,
    Kind.PLAINS: _plains,
    Kind.PLAIN_MAP: _plain_map,
    Kind.VALUE_MAP: _value_map,
}
