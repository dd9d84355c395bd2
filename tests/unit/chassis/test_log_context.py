"""Ids bound to a task."""

from __future__ import annotations

import asyncio

import pytest

from heartrule.chassis.log_context import bind, bound, remember


def test_a_block_binds_and_unbinds() -> None:
    """Ids hold inside the block, empty ones are left out, and end with it."""
    with bind(session_id="s", turn_id=""):
        assert bound() == {"session_id": "s"}
    assert bound() == {}


async def test_a_task_inherits_and_keeps_its_own() -> None:
    """What a task binds for itself is not seen by the one that started it."""

    async def child() -> dict[str, str]:
        remember(turn_id="t")
        return dict(bound())

    with bind(session_id="s"):
        assert await asyncio.create_task(child()) == {"session_id": "s", "turn_id": "t"}
        assert bound() == {"session_id": "s"}


@pytest.mark.parametrize("text", ["x" * 257, "好" * 86, "a\x00b", "a\nb", "\u202e"])
def test_what_is_no_id_is_not_bound(text: str) -> None:
    """A caller's text reaches a log only where it may be an id."""
    with bind(session_id=text, turn_id="t"):
        assert bound() == {"turn_id": "t"}
