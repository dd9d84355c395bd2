"""A process that is told where to die, and whether it has come by."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.services import Trigger


@pytest.mark.parametrize("visits", [1, 2])
def test_who_came_by_as_often_as_asked_is_dead_or_about_to_be(tmp_path: Path, visits: int) -> None:
    """Whoever disarms it knows so, although nobody has seen the process end yet."""
    trigger = Trigger(tmp_path / "trigger")
    trigger.arm("in_commit", 2)
    with trigger.path.open("r+b") as memory:
        memory.seek(1)
        memory.write(bytes([2 - visits]))
    assert trigger.disarm() is (visits == 2)
