"""Values in PostgreSQL's text form and back, for the few types that our tables have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, cast

import psycopg
import sqlalchemy as sa
from psycopg import pq
from sqlalchemy.types import TypeEngine

from session_store.sql.types import Moment, Span

_NAMED = re.compile(r"%\((\w+)\)s")


def numbered(text: str) -> tuple[str, list[str]]:
    """Return a statement with its parameters as $1, $2 and so on, and their names in order."""
    names: list[str] = []

    def place(found: re.Match[str]) -> str:
        if found[1] not in names:
            names.append(found[1])
        return f"${names.index(found[1]) + 1}"

    return _NAMED.sub(place, text).replace("%%", "%"), names


def to_text(values: Iterable[object]) -> list[bytes | None]:
    """Return parameters as they are sent.

    Raises:
        DataError: A text holds NUL, which PostgreSQL does not take.
    """
    known = _TO_TEXT.get
    return [known(type(value), _other)(value) for value in values]


def from_text(kinds: Sequence[TypeEngine[Any]]) -> list[Callable[[bytes], object]] | None:
    """Return what reads the columns of a result; None where psycopg should."""
    found = [_reader(kind) for kind in kinds]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None


def rows_of(
    result: pq.abc.PGresult, readers: Sequence[Callable[[bytes], object]]
) -> list[tuple[object, ...]]:
    """Return the rows of a result as psycopg's cursor would give them."""
    get = result.get_value
    columns = list(enumerate(readers))
    return [
        tuple(
            [
                None if (found := get(row, column)) is None else read(found)
                for column, read in columns
            ]
        )
        for row in range(result.ntuples)
    ]


def _str(value: str) -> bytes:
    sent = value.encode()
    if b"\0" in sent:
        raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
    return sent


def _other(value: object) -> bytes:
    """Write what is a text of a kind of its own."""
    return _str(str(cast("StrEnum", value)))


_TO_TEXT: dict[type, Callable[[Any], bytes | None]] = {
    type(None): lambda _value: None,
    str: _str,
    int: lambda value: b"%d" % value,
    bool: lambda value: b"t" if value else b"f",
    datetime: lambda value: str(value).encode(),
}


def _moment(sent: bytes) -> datetime:
    return datetime.fromisoformat(sent.decode())


def _flag(sent: bytes) -> bool:
    return sent == b"t"


def _reader(kind: TypeEngine[Any]) -> Callable[[bytes], object] | None:
    if isinstance(kind, Moment):
        return _moment
    if isinstance(kind, sa.Boolean):
        return _flag
    if isinstance(kind, sa.Integer | Span):
        return int
    return bytes.decode if isinstance(kind, sa.String) else None
