"""A started process takes its long-lived objects out of the garbage collector's view."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from heartrule.chassis.warm_up import warm_up


@pytest.fixture
def collector() -> Iterator[None]:
    """Restore the collector's settings."""
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


@pytest.mark.usefixtures("collector")
def test_objects_of_the_start_are_frozen() -> None:
    """Objects made before the call are no longer examined; new ones are collected as before."""
    kept: list[list[int]] = [[]]
    warm_up()
    assert gc.get_freeze_count() > 0
    assert not any(each is kept for each in gc.get_objects())
    new = [1]
    assert any(each is new for each in gc.get_objects())
