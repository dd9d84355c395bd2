"""The time, and the session's local time."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def local_time(now: datetime, time_zone: str) -> datetime:
    """Return `now` in an IANA time zone; in the server's where the name is empty or unknown."""
    try:
        return now.astimezone(ZoneInfo(time_zone) if time_zone else None)
    except (ZoneInfoNotFoundError, ValueError):
        return now.astimezone()


def now_utc() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)
