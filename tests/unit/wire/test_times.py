"""Instants and durations to the microsecond."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

from heartrule.wire.times import fill_duration, fill_timestamp, read_duration, read_timestamp


@given(st.datetimes(timezones=st.just(UTC)))
def test_an_instant_is_that_of_protobuf(value: datetime) -> None:
    """Our arithmetic and protobuf's own helper say the same, before 1970 too."""
    ours, theirs = Timestamp(), Timestamp()
    fill_timestamp(value, ours)
    theirs.FromDatetime(value)
    assert ours == theirs
    assert read_timestamp(ours) == value


@given(st.timedeltas())
def test_a_duration_is_that_of_protobuf(value: timedelta) -> None:
    """Both parts bear the same sign."""
    ours, theirs = Duration(), Duration()
    fill_duration(value, ours)
    theirs.FromTimedelta(value)
    assert ours == theirs
    assert read_duration(ours) == value


def test_another_zone_is_the_same_instant() -> None:
    """An instant comes back in UTC."""
    message = Timestamp()
    fill_timestamp(datetime(2026, 1, 1, 8, tzinfo=timezone(timedelta(hours=8))), message)
    assert read_timestamp(message) == datetime(2026, 1, 1, tzinfo=UTC)


def test_a_time_without_zone_is_no_instant() -> None:
    """Guessing the zone would be a silent mistake."""
    with pytest.raises(TypeError):
        fill_timestamp(datetime(2026, 1, 1), Timestamp())


def test_a_year_beyond_the_calendar_is_told() -> None:
    """A message may say more than a datetime can hold."""
    with pytest.raises(OverflowError):
        read_timestamp(Timestamp(seconds=10**15))
