"""datetime and timedelta to and from Timestamp and Duration, to the microsecond."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from google.protobuf.duration_pb2 import Duration
    from google.protobuf.timestamp_pb2 import Timestamp

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_S = 86_400


def fill_timestamp(value: datetime, target: Timestamp) -> None:
    """Make `target` the instant of `value`.

    Raises:
        TypeError: `value` has no time zone, so it names no instant.
    """
    since = value - _EPOCH
    target.seconds = since.days * _DAY_S + since.seconds
    target.nanos = since.microseconds * 1000


def read_timestamp(source: Timestamp) -> datetime:
    """Return the instant in UTC.

    Raises:
        ValueError: it lies outside the years 1 to 9999.
    """
    return source.ToDatetime(UTC)


def fill_duration(value: timedelta, target: Duration) -> None:
    """Make `target` last as long as `value`; a length of zero is there, too."""
    target.FromTimedelta(value)
    target.SetInParent()


def read_duration(source: Duration) -> timedelta:
    """Return the duration, cut towards zero.

    Raises:
        OverflowError: it is longer than a timedelta can be.
    """
    return source.ToTimedelta()
