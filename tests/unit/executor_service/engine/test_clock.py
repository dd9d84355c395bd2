"""The client's own time."""

from __future__ import annotations

import pytest

from executor_service.engine.clock import local_time
from tests.support.engine_builders import NOW


def test_time_is_told_in_the_sessions_zone() -> None:
    """Noon in Greenwich is eight in the evening in Shanghai."""
    assert local_time(NOW, "Asia/Shanghai").hour == 20


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd", "\x00"])
def test_a_zone_that_is_none_is_the_servers(zone: str) -> None:
    """An unknown name changes where the clock hangs, never the moment."""
    assert local_time(NOW, zone) == NOW
