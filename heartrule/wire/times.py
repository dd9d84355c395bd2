"""datetime and timedelta to and from Timestamp and Duration, without protobuf's slow helpers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from google.protobuf.duration_pb2 import Duration
    from google.protobuf.timestamp_pb2 import Timestamp

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = 86_400
MICROSECOND = timedelta(microseconds=1)


def fill_timestamp(value: datetime, target: Timestamp) -> None:
    """Make `target` the instant of `value`.

    Raises:
        TypeError: `value` has no time zone, so it names no instant.
    """
    since = value - EPOCH
    target.seconds = since.days * DAY + since.seconds
    target.nanos = since.microseconds * 1000


def read_timestamp(source: Timestamp) -> datetime:
    """Return the instant in UTC, to the microsecond.

    Raises:
        OverflowError: it lies outside the years 1 to 9999.
    """
    return EPOCH + timedelta(seconds=source.seconds, microseconds=source.nanos // 1000)


def fill_duration(value: timedelta, target: Duration) -> None:
    """Make `target` last as long as `value`; its two parts have the same sign."""
    seconds, micros = divmod(abs(value) // MICROSECOND, 1_000_000)
    sign = -1 if value < timedelta() else 1
    target.seconds = sign * seconds
    target.nanos = sign * micros * 1000
    target.SetInParent()


def read_duration(source: Duration) -> timedelta:
    """Return the duration, to the microsecond towards zero.

    Raises:
        OverflowError: it is longer than a timedelta can be.
    """
    return timedelta(seconds=source.seconds, microseconds=int(source.nanos / 1000))
