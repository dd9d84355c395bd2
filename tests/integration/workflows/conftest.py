"""A world with one session, for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.driven_runs import RunWorld, a_world


@pytest.fixture
async def world() -> AsyncIterator[RunWorld]:
    """Give a world, and close its store."""
    made = await a_world()
    yield made
    await made.store.aclose()
