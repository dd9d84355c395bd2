"""Random operations: every database answers as SQLite in memory does, and keeps the invariants."""

from __future__ import annotations

import pytest

from session_store import turn_rules
from session_store.open import open_in_memory
from session_store.sql.store import SqlStore
from session_store.sql.turns import leases
from tests.support.invariants import violations
from tests.support.store_builders import LONG
from tests.support.store_play import Play

MOVES = 150


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no play outlive the pause after a failure."""
    for module in (turn_rules, leases):
        monkeypatch.setattr(module, "RETRY_PAUSES", (LONG,) * len(turn_rules.RETRY_PAUSES))


@pytest.mark.parametrize("seed", range(8))
async def test_a_database_answers_as_sqlite_in_memory(store: SqlStore, seed: int) -> None:
    """The same random operations give the same answers, errors and events, each in its place."""
    expected = await Play(open_in_memory(), seed).run(MOVES)
    play = Play(store, seed)
    found = await play.run(MOVES)
    for number, (twin, own) in enumerate(zip(expected, found, strict=False)):
        assert own == twin, f"answer {number}"
    assert len(found) == len(expected)
    assert await violations(store, play.emitted) == []


@pytest.mark.parametrize("seed", range(100, 120))
async def test_a_play_keeps_the_invariants(seed: int) -> None:
    """What was emitted is kept as it was, numbered without gaps, each turn with one outcome."""
    store = open_in_memory()
    play = Play(store, seed)
    await play.run(MOVES)
    assert await violations(store, play.emitted) == []
