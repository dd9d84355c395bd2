"""A process that has started up lets the collector alone with what it will keep."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from heartrule.chassis.settling import settle


@pytest.fixture
def collector() -> Iterator[None]:
    """Give the collector back as it was."""
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


@pytest.mark.usefixtures("collector")
def test_what_start_up_made_is_looked_at_no_more() -> None:
    """Objects of before are out of the collector's sight; new ones are collected as ever."""
    kept: list[list[int]] = [[]]
    settle(())
    assert gc.get_freeze_count() > 0
    assert not any(each is kept for each in gc.get_objects())
    new = [1]
    assert any(each is new for each in gc.get_objects())
