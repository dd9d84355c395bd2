"""Domain values as compact JSON and back, generic over dataclasses; compiled once per class.

Fields at their default are left out, so an old row reads well after a field was added.
"""

from __future__ import annotations

import json
import types
import typing
from base64 import b64decode, b64encode
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import TypeAlias, TypeVar, cast

import orjson

T = TypeVar("T")
_Reader: TypeAlias = Callable[[typing.Any], object]

_MICROSECOND = timedelta(microseconds=1)


def dump(value: object) -> str:
    """Return `value` as JSON; a dataclass, an enum, a tuple or mapping of such, or plain JSON.

    Never fails on text: lone surrogates become U+FFFD.
    """
    plain = _plain(value)
    try:
        return orjson.dumps(plain).decode()
    except TypeError:  # a lone surrogate, an integer above 64 bits
        return _mended(json.dumps(plain, ensure_ascii=False, separators=(",", ":")))


def load(cls: type[T], text: str) -> T:
    """Return the value of type `cls` that `dump` wrote."""
    return cast("T", _reader(cast("Hashable", cls))(parse(text)))


def load_tuple(cls: type[T], text: str) -> tuple[T, ...]:
    """Return the tuple of `cls` that `dump` wrote."""
    read = _reader(cast("Hashable", cls))
    return tuple(cast("T", read(each)) for each in cast("list[object]", parse(text)))


def parse(text: str) -> object:
    """Return what `dump` wrote as plain JSON."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:  # an integer or a number orjson does not take
        return json.loads(text)


def storable(text: str) -> str:
    """Return free text as every database takes it: U+FFFD for NUL and lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = _mended(text)
    return text.replace("\0", "\ufffd")


def _mended(text: str) -> str:
    """Return text that UTF-8 can hold; a surrogate pair becomes its character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# --- writing --------------------------------------------------------------------------------------

_ATOMS = frozenset({str, int, float, bool, type(None)})


def _plain(value: object) -> object:
    """Return `value` as what JSON knows."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is tuple or kind is list:
        return [_plain(each) for each in cast("list[object]", value)]
    if kind is dict:
        return {key: _plain(each) for key, each in cast("dict[str, object]", value).items()}
    return _writer(cast("Hashable", kind))(value)


@cache
def _writer(kind: typing.Any) -> Callable[[typing.Any], object]:
    """Return what turns a value of this class into JSON values."""
    if is_dataclass(kind):
        return _dataclass_writer(kind)
    if issubclass(kind, Enum):
        return attrgetter("_value_")
    if issubclass(kind, datetime):
        return lambda value: value.isoformat()
    if issubclass(kind, timedelta):
        return lambda value: value // _MICROSECOND
    if issubclass(kind, bytes):
        return lambda value: b64encode(value).decode()
    if issubclass(kind, Mapping):
        return lambda value: {key: _plain(each) for key, each in value.items()}
    raise TypeError(f"{kind.__name__} has no form in JSON")


def _dataclass_writer(kind: typing.Any) -> Callable[[object], dict[str, object]]:
    """Return what writes a value of the class, made once: it runs a hundred times a turn."""
    names: dict[str, typing.Any] = {"_atoms": _ATOMS, "_plain": _plain}
    lines = ["def write(value):", " found = {}"]
    for each in fields(kind):
        lines.append(f" it = value.{each.name}")
        default = names[f"_default_{each.name}"] = _default(each)
        if default is not MISSING:
            lines.append(f" if it is not _default_{each.name} and it != _default_{each.name}:")
        indent = " " if default is MISSING else "  "
        lines.append(f"{indent}found[{each.name!r}] = it if type(it) in _atoms else _plain(it)")
    lines.append(" return found")
    text = "\n".join(lines)
    exec(text, names)  # noqa: S102  the names of our own fields, as dataclasses does
    return typing.cast("Callable[[object], dict[str, object]]", names["write"])


def _default(described: Field[object]) -> object:
    """Return the default of a field, or a value that equals nothing."""
    if described.default is not MISSING:
        return described.default
    if described.default_factory is not MISSING:
        return described.default_factory()
    return MISSING


# --- reading --------------------------------------------------------------------------------------


def _same(value: object) -> object:
    return value


@cache
def _reader(kind: typing.Any) -> _Reader:
    """Return what turns JSON values into a value of this annotation."""
    origin = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if origin in {typing.Union, types.UnionType}:
        return _optional(arguments)
    if origin is tuple:
        item = _reader(arguments[0])
        return tuple if item is _same else lambda value: tuple(map(item, value))
    if origin is not None and issubclass(origin, Mapping):
        item = _reader(arguments[1])
        return _same if item is _same else lambda value: {k: item(v) for k, v in value.items()}
    return _class_reader(kind)


def _class_reader(kind: typing.Any) -> _Reader:
    if is_dataclass(kind):
        return _dataclass_reader(kind)
    if issubclass(kind, Enum):
        return cast("_Reader", kind)
    if issubclass(kind, datetime):
        return datetime.fromisoformat
    if issubclass(kind, timedelta):
        return lambda value: timedelta(microseconds=value)
    if issubclass(kind, bytes):
        return b64decode
    return _same


def _optional(arguments: tuple[object, ...]) -> _Reader:
    """Return the reader of `X | None`; other unions are plain JSON."""
    inner = [each for each in arguments if each is not type(None)]
    if len(inner) != 1:
        return _same
    item = _reader(inner[0])
    return _same if item is _same else lambda value: None if value is None else item(value)


def _dataclass_reader(kind: typing.Any) -> _Reader:
    # JsonValue refers to itself by name; here it means: as JSON has it.
    hints = typing.get_type_hints(kind, localns={"JsonValue": object})
    readers = {each.name: _reader(hints[each.name]) for each in fields(kind)}
    special = {name: reader for name, reader in readers.items() if reader is not _same}

    def read(value: dict[str, object]) -> object:
        for name in special.keys() & value.keys():
            value[name] = special[name](value[name])
        try:
            return kind(**value)
        except TypeError:  # a later release wrote fields that this one does not know
            return kind(**{name: each for name, each in value.items() if name in readers})

    return read
