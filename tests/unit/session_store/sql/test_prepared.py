"""Statements that SQLAlchemy writes and the driver runs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy import bindparam, select

from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import Microseconds, Moment

things = sa.Table(
    "things",
    sa.MetaData(),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("at", Moment),
    sa.Column("span", Microseconds),
    sa.Column("big", sa.Boolean),
)
NOW = datetime(2026, 11, 21, 12, 30, 0, 123456, UTC)
INSERT = Prepared(things.insert())
BY_NAME = Prepared(select(things).where(things.c.name == bindparam("at_name")))
ALL = Prepared(select(things).order_by(things.c.name))


@pytest.fixture
def db() -> Iterator[sa.Connection]:
    """Give a database with one row."""
    with sa.create_engine("sqlite://", poolclass=sa.NullPool).begin() as connection:
        things.create(connection)
        INSERT.run(connection, row("one"))
        yield connection


def row(name: str) -> dict[str, object]:
    """Return the columns of a thing."""
    return {"name": name, "at": NOW, "span": timedelta(milliseconds=3), "big": True}


def test_rows_come_back_as_written(db: sa.Connection) -> None:
    """The columns' types convert both ways, booleans, moments and spans included."""
    assert BY_NAME.row(db, {"at_name": "one"})._asdict() == row("one")


def test_moments_and_spans_may_be_null(db: sa.Connection) -> None:
    """A column without a value is None."""
    INSERT.run(db, {"name": "none", "at": None, "span": None, "big": None})
    assert tuple(BY_NAME.row(db, {"at_name": "none"}))[1:] == (None, None, None)


def test_no_row_is_none(db: sa.Connection) -> None:
    """What is not there is None, as a row and as a value."""
    assert BY_NAME.row(db, {"at_name": "no"}) is None
    assert BY_NAME.scalar(db, {"at_name": "no"}) is None


def test_rows_may_be_asked_for_before_others(db: sa.Connection) -> None:
    """What is asked first may be looked at last."""
    first, second = ALL.ask(db, {}), BY_NAME.ask(db, {"at_name": "no"})
    assert (second.rows(), [each.name for each in first.rows()]) == ([], ["one"])


def test_an_update_writes_the_columns_it_is_given(db: sa.Connection) -> None:
    """Other columns, and other calls' columns, stay as they are."""
    change = Prepared(things.update().where(things.c.name == bindparam("at_name")))
    change.run(db, {"at_name": "one", "big": False})
    change.run(db, {"at_name": "one", "span": None})
    assert tuple(BY_NAME.row(db, {"at_name": "one"})) == ("one", NOW, None, False)


def test_constants_of_a_statement_are_kept(db: sa.Connection) -> None:
    """A value written into the statement needs no parameter."""
    late = things.c.at >= NOW - timedelta(days=1)
    assert Prepared(select(things.c.name).where(late).limit(1)).scalar(db, {}) == "one"


def test_many_rows_are_written_at_once(db: sa.Connection) -> None:
    """None, one or several rows are all the same to the caller."""
    for names in ([], ["two"], ["three", "four"]):
        INSERT.run_each(db, [row(name) for name in names])
    assert [each.name for each in ALL.rows(db, {})] == ["four", "one", "three", "two"]


def test_a_statement_may_return_what_it_wrote(db: sa.Connection) -> None:
    """RETURNING gives rows as a select does."""
    delete = Prepared(things.delete().returning(things.c.at))
    assert delete.scalar(db, {}) == NOW


def test_what_is_rolled_back_is_gone(db: sa.Connection) -> None:
    """Prepared statements are part of SQLAlchemy's transaction."""
    with db.begin_nested() as savepoint:
        INSERT.run(db, row("two"))
        savepoint.rollback()
    assert len(ALL.rows(db, {})) == 1
