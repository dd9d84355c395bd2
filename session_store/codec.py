"""Domain values as compact JSON and back; pydantic knows each class by its annotations.

Fields at their default are left out, so an old row reads well after a field was added.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from functools import cache, partial
from typing import Any, TypeVar, cast

from pydantic import ConfigDict, TypeAdapter
from pydantic_core import PydanticSerializationError, to_jsonable_python

T = TypeVar("T")

_CONFIG = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")
_plain = partial(to_jsonable_python, bytes_mode="base64")


def dump(value: object) -> str:
    """Return `value` as JSON; a dataclass, a tuple of such, or plain JSON.

    Never fails on text: lone surrogates become U+FFFD.
    """
    if isinstance(value, tuple):
        return f"[{','.join(map(dump, value))}]"
    adapter = _adapter(cast("Hashable", type(value)))
    try:
        return adapter.dump_json(value, exclude_defaults=True).decode()
    except PydanticSerializationError:  # a lone surrogate, or what JSON cannot say
        plain = adapter.dump_python(value, exclude_defaults=True)
        text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"), default=_plain)
        return _mended(text)


def load(cls: type[T], text: str) -> T:
    """Return the value of type `cls` that `dump` wrote."""
    return cast("T", _adapter(cast("Hashable", cls)).validate_json(text))


def load_tuple(cls: type[T], text: str) -> tuple[T, ...]:
    """Return the tuple of `cls` that `dump` wrote."""
    return cast("tuple[T, ...]", _adapter(cast("Hashable", tuple[cls, ...])).validate_json(text))  # type: ignore[valid-type]


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


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    # A standard dataclass takes no configuration of its own, but one from around it.
    return TypeAdapter(kind | None, config=_CONFIG)
