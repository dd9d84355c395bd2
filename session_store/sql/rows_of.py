"""Rows as dataclasses and back: a field has the column of its name, or one that is named for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from enum import EnumType
from functools import partial
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from sqlalchemy import Column, Table

from session_store.codec import dump, load
from session_store.sql.database.schema import blank
from session_store.sql.database.statements import Found

T = TypeVar("T")

_PLAIN = frozenset({str, int, float, bool, bytes, datetime, timedelta})


@dataclass(frozen=True, slots=True)
class _Field:
    """A field, its column, and how a value gets from one to the other; None: as it is."""

    name: str
    column: Column[Any]
    read: Callable[[Any], object] | None
    write: Callable[[Any], object] | None
    optional: bool


class RowsOf(Generic[T]):
    """The values of a dataclass that a table keeps.

    An enum is kept as its value, all else that is not plain as JSON, and None as null or, where a
    column has none, as the empty text; an empty text else gives the field its default.
    """

    def __init__(self, cls: type[T], table: Table, *, but: str = "", **columns: str) -> None:
        """Find the columns.

        Args:
            cls: The dataclass.
            table: Its columns.
            but: Names of fields whose columns have something else, apart by blanks.
            columns: By field, the columns of other names.
        """
        self._cls, self._blank = cls, blank(table)
        hints, left_out = get_type_hints(cls), frozenset(but.split())
        names = ((each.name, columns.get(each.name, each.name)) for each in fields(cls))  # type: ignore[arg-type]  # a dataclass
        self._fields = tuple(
            _field(name, table.c[column], hints[name])
            for name, column in names
            if column in table.c and name not in left_out
        )

    def given(self, row: Found) -> dict[str, Any]:
        """Return the fields that a row has."""
        found: dict[str, Any] = {}
        for each in self._fields:
            value = getattr(row, each.column.name)
            if each.read is None or value is None:
                found[each.name] = value
            elif value != "":
                found[each.name] = each.read(value)
            elif each.optional:
                found[each.name] = None
        return found

    def value(self, row: Found, /, **more: object) -> T:
        """Return the value of a row, with fields that the row does not have."""
        return self._cls(**(self.given(row) | more))

    def columns(self, value: T, /, **more: object) -> dict[str, object]:
        """Return the columns of a value, with others that it does not have."""
        row: dict[str, object] = {}
        for each in self._fields:
            found = getattr(value, each.name)
            if found is None and not each.column.nullable:
                found = ""
            elif found is not None and each.write is not None:
                found = each.write(found)
            row[each.column.name] = found
        return row | more

    def new_row(self, value: T, /, **more: object) -> dict[str, object]:
        """Return a row to be inserted: what neither says is blank, its owner aside."""
        return self._blank | self.columns(value, **more)


def _field(name: str, column: Column[Any], hint: Any) -> _Field:
    kinds = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
    (kind,) = (each for each in kinds if each is not NoneType)
    read, write = _forms(kind)
    return _Field(name, column, read, write, optional=NoneType in kinds)


def _forms(kind: Any) -> tuple[Callable[[Any], object] | None, Callable[[Any], object] | None]:
    """Return what reads a column as this type, and what writes it."""
    if kind in _PLAIN:
        return None, None
    if isinstance(kind, EnumType):
        return kind, attrgetter("value")
    if get_origin(kind) is Mapping:
        return partial(load, dict), lambda value: dump(dict(value))
    return partial(load, kind), dump
