"""The time, and the session's local time."""

from __future__ import annotations

from datetime import UTC, datetime

from heartrule.domain.time_zones import zone_of


def local_time(now: datetime, time_zone: str) -> datetime:
    """Return `now` in an IANA time zone; in the server's where the name is empty or unknown."""
    return now.astimezone(zone_of(time_zone))


def now_utc() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)
