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
def test_an_instant_comes_back(value: datetime) -> None:
    """No microsecond is lost, before 1970 too."""
    message = Timestamp()
    fill_timestamp(value, message)
    assert read_timestamp(message) == value


@given(st.timedeltas())
def test_a_duration_comes_back(value: timedelta) -> None:
    """No microsecond is lost, below zero too."""
    message = Duration()
    fill_duration(value, message)
    assert read_duration(message) == value


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
    with pytest.raises(ValueError, match="Seconds"):
        read_timestamp(Timestamp(seconds=10**15))
