"""Values as PostgreSQL is sent them, and as it gives them."""

from __future__ import annotations

from datetime import UTC, datetime

import psycopg
import pytest
import sqlalchemy as sa

from heartrule.domain.conversation import Role
from session_store.sql.postgres_text import from_text, numbered, to_text
from session_store.sql.types import Moment, Span

NOW = datetime(2026, 11, 22, 5, 30, 1, 20, UTC)


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (None, None),
        ("二", "二".encode()),
        (-7, b"-7"),
        (True, b"t"),
        (False, b"f"),
        (NOW, b"2026-11-22 05:30:01.000020+00:00"),
        (Role.CLIENT, b"client"),
    ],
)
def test_values_are_sent_as_text(value: object, sent: bytes | None) -> None:
    """Each type of our tables has one form; an enum that is a text is its value."""
    assert to_text([value]) == [sent]


def test_text_with_nul_is_refused() -> None:
    """It would be cut there in silence."""
    with pytest.raises(psycopg.DataError):
        to_text(["a\0b"])


def test_half_a_surrogate_pair_is_refused() -> None:
    """No database holds it."""
    with pytest.raises(UnicodeEncodeError):
        to_text(["\ud800"])


def test_parameters_are_numbered_by_name() -> None:
    """A name met twice is one parameter; a doubled percent sign is one."""
    text = "SELECT %(b)s::INTEGER %% 2 WHERE x = %(a)s AND y = %(b)s::INTEGER"
    found = "SELECT $1::INTEGER % 2 WHERE x = $2 AND y = $1::INTEGER"
    assert numbered(text) == (found, ["b", "a"])


def test_columns_are_read_by_their_types() -> None:
    """What was sent comes back; moments with the server's offset."""
    readers = from_text([sa.Text(), sa.Integer(), sa.Boolean(), Moment(), Span()])
    given = ["二".encode(), b"12", b"t", b"2026-11-22 13:30:01.00002+08", b"5"]
    assert readers is not None
    found = [read(each) for read, each in zip(readers, given, strict=True)]
    assert found == ["二", 12, True, NOW, 5]


def test_bytes_are_left_to_the_driver() -> None:
    """A picture is read seldom, and by psycopg."""
    assert from_text([sa.Text(), sa.LargeBinary()]) is None
