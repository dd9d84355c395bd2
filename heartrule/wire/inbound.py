"""Messages into domain values: one function per class, put together once, run often."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from google.protobuf.message import Message

from heartrule.domain.errors import FieldViolation
from heartrule.domain.request_limits import LONGEST_NAME
from heartrule.wire.enums import members
from heartrule.wire.json_values import read_struct, read_value
from heartrule.wire.memo import once
from heartrule.wire.message_shapes import Kind, MessageShape, shapes
from heartrule.wire.times import read_duration, read_timestamp

NUL = "\x00"


@dataclass(slots=True)
class Reading:
    """One reading of a message: how strict it is, and what was found wrong so far."""

    lenient: bool = False
    """True: an enum value this side does not know counts as absent."""
    violations: list[FieldViolation] = field(default_factory=list)

    def wrong(self, path: str, description: str) -> None:
        """Note that the field at `path` cannot be used."""
        self.violations.append(FieldViolation(field=path, description=description))


def is_name(value: str) -> bool:
    """Return whether a value may be a name: not empty, not too long, without U+0000."""
    return 0 < len(value.encode()) <= LONGEST_NAME and NUL not in value


def check_name(value: str, path: str, reading: Reading) -> None:
    """Note a name that is empty, too long or cannot be stored."""
    if not value:
        reading.wrong(path, "is required")
    elif len(value.encode()) > LONGEST_NAME:
        reading.wrong(path, f"must have at most {LONGEST_NAME} bytes")
    check_text(value, path, reading)


def check_text(value: str, path: str, reading: Reading) -> None:
    """Note a text with U+0000, which no text column of PostgreSQL holds."""
    if NUL in value:
        reading.wrong(path, "must not contain U+0000")


# Reads a message, or one field of it; the text is the path of what contains it, with a dot.
Read: TypeAlias = Callable[[Any, str, Reading], Any]


@once
def reader(domain: type, message: type[Message]) -> Read:
    """Return the function that makes a value of the domain's class from a message of that class.

    What is wrong is noted in the reading; the value then holds None there and is not to be used.

    Raises:
        TypeError: the two classes do not fit.
    """
    every = tuple(shapes(domain, message))
    plain = tuple(shape.name for shape in every if _is_plain(shape))
    rest = tuple(shape for shape in every if not _is_plain(shape))
    reads = tuple((shape.name, _READS[shape.kind](shape)) for shape in rest)

    def read(source: Message, at: str, reading: Reading) -> object:
        parts = {name: getattr(source, name) for name in plain}
        for name, read_part in reads:
            parts[name] = read_part(source, at, reading)
        return domain(**parts)

    return read


def _is_plain(shape: MessageShape) -> bool:
    """Return whether the field is read as it is, zero value and all."""
    return shape.kind is Kind.PLAIN and not shape.optional


def _absent(shape: MessageShape, at: str, reading: Reading) -> object:
    """Return the value of an absent field, or note that it is required."""
    if shape.default is not None:
        return shape.default()
    reading.wrong(at + shape.name, "is required")
    return None


def _plain(shape: MessageShape) -> Read:
    """Read a scalar whose zero value is None to the domain."""
    name = shape.name
    return lambda source, _at, _reading: getattr(source, name) or None


def _present(shape: MessageShape) -> Read:
    """Read a scalar that may be absent."""
    name = shape.name

    def read(source: Message, at: str, reading: Reading) -> object:
        return getattr(source, name) if source.HasField(name) else _absent(shape, at, reading)

    return read


def _enum(shape: MessageShape) -> Read:
    """Read an enum; 0 is absence, and an unknown number is wrong unless the reading is lenient."""
    name = shape.name
    table = members(*shape.enum)

    def read(source: Message, at: str, reading: Reading) -> object:
        number = getattr(source, name)
        if number in table:
            return table[number]
        if number and not reading.lenient:
            names = ", ".join(each.name.lower() for each in table.values())
            reading.wrong(at + name, f"unknown value {number}; known are {names}")
            return None
        return _absent(shape, at, reading)

    return read


def _message(shape: MessageShape) -> Read:
    """Read one nested message."""
    name = shape.name
    inner = reader(shape.item, shape.message_class)

    def read(source: Message, at: str, reading: Reading) -> object:
        if source.HasField(name):
            return inner(getattr(source, name), f"{at}{name}.", reading)
        return _absent(shape, at, reading)

    return read


def _well_known(convert: Callable[[Any], object]) -> Callable[[MessageShape], Read]:
    """Return what reads one message of google.protobuf by `convert`."""

    def make(shape: MessageShape) -> Read:
        name = shape.name

        def read(source: Message, at: str, reading: Reading) -> object:
            if not source.HasField(name):
                return _absent(shape, at, reading)
            try:
                return convert(getattr(source, name))
            except (OverflowError, ValueError):
                reading.wrong(at + name, "is out of range")
                return None

        return read

    return make


def _messages(shape: MessageShape) -> Read:
    """Read one value per message."""
    name = shape.name
    inner = reader(shape.item, shape.message_class)

    def read(source: Message, at: str, reading: Reading) -> object:
        items = getattr(source, name)
        return tuple(inner(item, f"{at}{name}[{i}].", reading) for i, item in enumerate(items))

    return read


def _plains(shape: MessageShape) -> Read:
    """Read the items as they are."""
    name = shape.name
    return lambda source, _at, _reading: tuple(getattr(source, name))


def _plain_map(shape: MessageShape) -> Read:
    """Read a map of scalars."""
    name = shape.name
    return lambda source, _at, _reading: dict(getattr(source, name))


def _value_map(shape: MessageShape) -> Read:
    """Read a map of JSON values."""
    name = shape.name

    def read(source: Message, _at: str, _reading: Reading) -> object:
        return {key: read_value(value) for key, value in getattr(source, name).items()}

    return read


_READS: Mapping[Kind, Callable[[MessageShape], Read]] = {
    Kind.PLAIN: _plain,
    Kind.PRESENT: _present,
    Kind.ENUM: _enum,
    Kind.TIMESTAMP: _well_known(read_timestamp),
    Kind.DURATION: _well_known(read_duration),
    Kind.STRUCT: _well_known(read_struct),
    Kind.VALUE: _well_known(read_value),
    Kind.MESSAGE: _message,
    Kind.MESSAGES: _messages,
    Kind.PLAINS: _plains,
    Kind.PLAIN_MAP: _plain_map,
    Kind.VALUE_MAP: _value_map,
}
