"""Ids bound to a task."""

from __future__ import annotations

import asyncio

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
