"""Rows as dataclasses: what None, an enum and an empty column become."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import SimpleNamespace

import sqlalchemy as sa

from session_store.sql.rows_of import RowsOf


class Colour(StrEnum):
    """A word."""

    RED = "red"


@dataclass(frozen=True)
class Thing:
    """A value with a field of each form."""

    name: str
    colour: Colour | None = None
    end: str | None = None
    parts: tuple[int, ...] = (1,)


TABLE = sa.Table(
    "things",
    sa.MetaData(),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("colour", sa.Text, nullable=False),
    sa.Column("end", sa.Text),
    sa.Column("parts", sa.Text, nullable=False),
)
THINGS = RowsOf(Thing, TABLE, name="title")


def test_a_value_is_read_as_it_was_written() -> None:
    """Enums are kept as their values, tuples as JSON, under the columns' names."""
    thing = Thing(name="a", colour=Colour.RED, end="b", parts=(2, 3))
    row = THINGS.columns(thing)
    assert row == {"title": "a", "colour": "red", "end": "b", "parts": "[2,3]"}
    assert THINGS.value(SimpleNamespace(**row)) == thing


def test_none_is_null_or_an_empty_text() -> None:
    """A column that cannot be null has the empty text, which is read as None again."""
    row = THINGS.columns(Thing(name="a"))
    assert (row["colour"], row["end"]) == ("", None)
    assert THINGS.value(SimpleNamespace(**row)) == Thing(name="a")


def test_an_empty_text_gives_the_default() -> None:
    """Rows may leave JSON empty."""
    row = SimpleNamespace(title="a", colour="", end=None, parts="")
    assert THINGS.value(row) == Thing(name="a", parts=(1,))
