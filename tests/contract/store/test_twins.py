"""Every store answers random operations as the one in memory does."""

from __future__ import annotations

import pytest

from session_store.memory.store import InMemoryStore
from session_store.ports import Store
from tests.support.store_play import Play

MOVES = 150


@pytest.mark.parametrize("seed", range(8))
async def test_a_store_answers_as_its_twin(store: Store, seed: int) -> None:
    """The same random operations give the same answers, errors and events, each in its place."""
    expected = await Play(InMemoryStore(), seed).run(MOVES)
    found = await Play(store, seed).run(MOVES)
    for number, (twin, own) in enumerate(zip(expected, found, strict=False)):
        assert own == twin, f"answer {number}"
    assert len(found) == len(expected)
