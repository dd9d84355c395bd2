"""Every store answers random operations as the one in memory does."""

from __future__ import annotations

import pytest

from session_store import turn_rules
from session_store.memory.store import InMemoryStore
from session_store.ports import Store
from session_store.sql import work
from tests.support.store_builders import LONG
from tests.support.store_play import Play

MOVES = 150


@pytest.mark.parametrize("seed", range(8))
async def test_a_store_answers_as_its_twin(
    store: Store, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same random operations give the same answers, errors and events, each in its place."""
    for module in (turn_rules, work):  # no play outlives the pause after a failure
        monkeypatch.setattr(module, "RETRY_PAUSES", (LONG,) * len(turn_rules.RETRY_PAUSES))
    expected = await Play(InMemoryStore(), seed).run(MOVES)
    found = await Play(store, seed).run(MOVES)
    for number, (twin, own) in enumerate(zip(expected, found, strict=False)):
        assert own == twin, f"answer {number}"
    assert len(found) == len(expected)
