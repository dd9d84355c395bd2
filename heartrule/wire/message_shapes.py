"""Maps the fields of a domain class to those of its message, once per pair of classes."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass


class Kind(Enum):
    """The ways a field can lie in a message."""

    PLAIN = auto()
    """A scalar whose zero value means nothing special."""
    PRESENT = auto()
    """A scalar that knows whether it is set."""
    ENUM = auto()
    TIMESTAMP = auto()
    DURATION = auto()
    STRUCT = auto()
    VALUE = auto()
    MESSAGE = auto()
    VALUE_MAP = auto()
    PLAIN_MAP = auto()
    MESSAGES = auto()
    PLAINS = auto()


WELL_KNOWN = {
    "google.protobuf.Timestamp": Kind.TIMESTAMP,
    "google.protobuf.Duration": Kind.DURATION,
    "google.protobuf.Struct": Kind.STRUCT,
    "google.protobuf.Value": Kind.VALUE,
}
EXPECTED = {Kind.TIMESTAMP: datetime, Kind.DURATION: timedelta}


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageShape:
    """One field of a domain class and of its message."""

    name: str
    kind: Kind
    optional: bool
    """True where the domain knows None."""
    default: Callable[[], object] | None
    """Makes the value of an absent field; None where the field is required."""
    item: type
    """The domain class or enum of the field or of its items; `object` for plain ones."""
    descriptor: FieldDescriptor

    @property
    def message_class(self) -> type[Message]:
        """Return the class of the nested message."""
        assert self.descriptor.message_type is not None, self.name
        return GetMessageClass(self.descriptor.message_type)

    @property
    def enum(self) -> tuple[type[Enum], EnumDescriptor]:
        """Return the enum on both sides."""
        assert self.descriptor.enum_type is not None, self.name
        return self.item, self.descriptor.enum_type


def shapes(domain: type, message: type[Message]) -> Iterator[MessageShape]:
    """Yield the shape of each field of `domain`.

    Raises:
        TypeError: the message lacks a field of that name, or has it in another form.
    """
    hints = typing.get_type_hints(domain)
    by_name = message.DESCRIPTOR.fields_by_name
    for field in dataclasses.fields(domain):
        if field.name not in by_name:
            raise TypeError(f"{message.DESCRIPTOR.full_name} has no field {field.name}")
        descriptor = typing.cast("FieldDescriptor", by_name[field.name])
        inner, optional = _without_none(hints[field.name])
        yield MessageShape(
            name=field.name,
            kind=_kind(descriptor, inner),
            optional=optional,
            default=_default(field, optional=optional),
            item=_item(inner),
            descriptor=descriptor,
        )


def _without_none(hint: object) -> tuple[object, bool]:
    """Return the hint without None, and whether None was in it."""
    if not isinstance(hint, types.UnionType):
        return hint, False
    inner = [arg for arg in typing.get_args(hint) if arg is not types.NoneType]
    assert len(inner) == 1, f"a field is one thing or None, not {hint}"
    return inner[0], True


def _default(field: dataclasses.Field[object], *, optional: bool) -> Callable[[], object] | None:
    """Return what makes the value of an absent field."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory
    if field.default is not dataclasses.MISSING:
        value = field.default
        return lambda: value
    return (lambda: None) if optional else None


def _item(hint: object) -> type:
    """Return the class a field or its items are of; `object` where nothing is to be built."""
    if typing.get_origin(hint) is tuple:
        hint = typing.get_args(hint)[0]
    wanted = isinstance(hint, type) and (issubclass(hint, Enum) or dataclasses.is_dataclass(hint))
    return typing.cast("type", hint) if wanted else object


def _kind(descriptor: FieldDescriptor, hint: object) -> Kind:
    """Return how the field lies in the message, checked against the domain's type."""
    nested = descriptor.message_type
    if nested is not None and nested.GetOptions().map_entry:
        held = nested.fields_by_name["value"].message_type
        return Kind.PLAIN_MAP if held is None else Kind.VALUE_MAP
    if descriptor.is_repeated:
        return Kind.PLAINS if nested is None else Kind.MESSAGES
    kind = _single(descriptor, nested)
    fits = hint is EXPECTED[kind] if kind in EXPECTED else (_item(hint) is object) != _builds(kind)
    if not fits:
        raise TypeError(f"{descriptor.full_name} cannot hold {hint}")
    return kind


def _single(descriptor: FieldDescriptor, nested: Descriptor | None) -> Kind:
    """Return how a field that holds one thing lies in the message."""
    if nested is not None:
        return WELL_KNOWN.get(nested.full_name, Kind.MESSAGE)
    if descriptor.enum_type is not None:
        return Kind.ENUM
    return Kind.PRESENT if descriptor.has_presence else Kind.PLAIN


def _builds(kind: Kind) -> bool:
    """Return whether a field of this kind has a class of the domain behind it."""
    return kind in {Kind.ENUM, Kind.MESSAGE}
