"""Domain values into messages: one function per class, put together once, run often."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeAlias

from google.protobuf.message import Message

from heartrule.wire.enums import numbers
from heartrule.wire.json_values import fill_struct, fill_value
from heartrule.wire.memo import once
from heartrule.wire.shapes import Kind, Shape, shapes
from heartrule.wire.times import fill_duration, fill_timestamp

Fill: TypeAlias = Callable[[Any, Any], None]
"""Puts a value, or a part of it, into a message that is still empty."""

SUBMESSAGE: Mapping[Kind, Fill] = {
    Kind.TIMESTAMP: fill_timestamp,
    Kind.DURATION: fill_duration,
    Kind.STRUCT: fill_struct,
    Kind.VALUE: fill_value,
}


@once
def filler(domain: type, message: type[Message]) -> Fill:
    """Return the function that fills a message of this class from a value of that class.

    Raises:
        TypeError: the two classes do not fit.
    """
    every = tuple(shapes(domain, message))
    fills = tuple(
        _FILLS.get(shape.kind, _part)(shape) for shape in every if shape.kind != Kind.PLAIN
    )
    plain = tuple(_plain(shape.name for shape in every if shape.kind == Kind.PLAIN))

    def fill(value: object, target: Message) -> None:
        for name, get in plain:
            part = get(value)
            if part:
                setattr(target, name, part)
        for fill_part in fills:
            fill_part(value, target)

    return fill


def _plain(names: Iterator[str]) -> Iterator[tuple[str, Callable[[object], object]]]:
    """Pair each name with its getter."""
    return ((name, attrgetter(name)) for name in names)


def _present(shape: Shape) -> Fill:
    """Set a scalar whose zero value differs from absence."""
    name = shape.name

    def fill(value: object, target: Message) -> None:
        part = getattr(value, name)
        if part is not None:
            setattr(target, name, part)

    return fill


def _enum(shape: Shape) -> Fill:
    """Set an enum by its number; None stays UNSPECIFIED."""
    name = shape.name
    table = numbers(*shape.enum)

    def fill(value: object, target: Message) -> None:
        part = getattr(value, name)
        if part is not None:
            setattr(target, name, table[part])

    return fill


def _part(shape: Shape) -> Fill:
    """Fill one nested message in place."""
    name = shape.name
    inner = SUBMESSAGE.get(shape.kind)
    spoken_null = shape.kind is Kind.VALUE
    assert inner is not None, shape

    def fill(value: object, target: Message) -> None:
        part = getattr(value, name)
        if part is not None or spoken_null:
            inner(part, getattr(target, name))

    return fill


def _message(shape: Shape) -> Fill:
    """Fill one nested message in place; it is there even where it says nothing."""
    name = shape.name
    inner = filler(shape.item, shape.message_class)

    def fill(value: object, target: Message) -> None:
        part = getattr(value, name)
        if part is not None:
            nested = getattr(target, name)
            nested.SetInParent()
            inner(part, nested)

    return fill


def _messages(shape: Shape) -> Fill:
    """Append one message per item."""
    name = shape.name
    inner = filler(shape.item, shape.message_class)

    def fill(value: object, target: Message) -> None:
        items: Sequence[object] = getattr(value, name)
        if items:
            add = getattr(target, name).add
            for item in items:
                inner(item, add())

    return fill


def _plains(shape: Shape) -> Fill:
    """Append the items as they are."""
    name = shape.name

    def fill(value: object, target: Message) -> None:
        items: Sequence[object] = getattr(value, name)
        if items:
            getattr(target, name).extend(items)

    return fill


def _plain_map(shape: Shape) -> Fill:
    """Copy a map of scalars."""
    name = shape.name

    def fill(value: object, target: Message) -> None:
        entries: Mapping[str, object] = getattr(value, name)
        if entries:
            getattr(target, name).update(entries)

    return fill


def _value_map(shape: Shape) -> Fill:
    """Copy a map of JSON values."""
    name = shape.name

    def fill(value: object, target: Message) -> None:
        fields = getattr(target, name)
        for key, entry in getattr(value, name).items():
            fill_value(entry, fields[key])

    return fill


_FILLS: Mapping[Kind, Callable[[Shape], Fill]] = {
    Kind.PRESENT: _present,
    Kind.ENUM: _enum,
    Kind.MESSAGE: _message,
    Kind.MESSAGES: _messages,
    Kind.PLAINS: _plains,
    Kind.PLAIN_MAP: _plain_map,
    Kind.VALUE_MAP: _value_map,
}
