"""Random operations: every database answers as SQLite in memory does, and keeps the invariants."""

from __future__ import annotations

import pytest

from session_store import turn_rules
from session_store.open import open_in_memory
from session_store.sql.store import SqlStore
from session_store.sql.turns import leases
from tests.support.invariants import violations
from tests.support.row_rules import row_violations
from tests.support.session_rows import whole_life
from tests.support.store_builders import LONG
from tests.support.store_play import Play

MOVES = 150
HERE = "tests/contract/store/test_twins.py"
TWINS = pytest.mark.long(short=f"{HERE}::test_a_database_answers_as_sqlite_in_memory[sqlite-0]")
PLAYS = pytest.mark.long(short=f"{HERE}::test_a_play_keeps_the_invariants[100]")
FAULTS = {
    "the newest state is there and says whether the position is frozen": (
        "UPDATE sessions SET frozen = NOT frozen"
    ),
    "a state has the number of an event": "DELETE FROM events",
    "a decision has the number of its event": "UPDATE decisions SET sequence = 0",
    "a revision has the number of its event": "UPDATE workflows SET sequence = 0",
    "a run has the number of its event": "UPDATE runs SET sequence = 0",
    "a node has the number of its event": "UPDATE node_runs SET sequence = 0",
    "the ends that wait for a turn are counted": "UPDATE sessions SET runs_waiting = 9",
    "values, files and nodes belong to runs": "DELETE FROM runs",
    "a thread has the number of its event": "UPDATE sub_threads SET sequence = 0",
    "the results that wait are counted": "UPDATE sessions SET results_waiting = 9",
    "a thread that has ended leaves no placeholder": "UPDATE messages SET replaced_by = 0",
    "what is replaced is so in its turn": "UPDATE messages SET replaces = ''",
    "no thread outlives its run": "UPDATE sub_threads SET state = 'running'",
    "what is said in threads belongs to them": "DELETE FROM sub_threads",
    "the newest summary is the one that is named": "DELETE FROM summaries",
    "no summary covers a turn to come": "UPDATE sessions SET next_turn = 1",
    "an alert has its hit": "DELETE FROM safety_events",
    "parts of prompts belong to calls": "DELETE FROM model_calls",
    "an erasure leaves no row": "UPDATE sessions SET deleted = TRUE",
}
"""Sentences of `row_rules`, and what makes them false."""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no play outlive the pause after a failure, and summaries be due as early as may be."""
    monkeypatch.setattr(turn_rules, "KEPT_TURNS", 1)
    monkeypatch.setattr(turn_rules, "LEAST_SUMMARIZED", 1)
    for module in (turn_rules, leases):
        monkeypatch.setattr(module, "RETRY_PAUSES", (LONG,) * len(turn_rules.RETRY_PAUSES))


@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(n, marks=TWINS) for n in range(3, 8))])
async def test_a_database_answers_as_sqlite_in_memory(store: SqlStore, seed: int) -> None:
    """The same random operations give the same answers, errors and events, each in its place."""
    twin, play = Play(open_in_memory(), seed), Play(store, seed)
    await twin.run(MOVES)
    await play.run(MOVES)
    assert await violations(store, play.emitted) == []
    expected, found = await twin.age(), await play.age()
    for number, (theirs, own) in enumerate(zip(expected, found, strict=False)):
        assert own == theirs, f"answer {number}"
    assert len(found) == len(expected)
    assert await store._engine.read(row_violations) == []


@pytest.mark.parametrize(
    "seed", [*range(100, 108), *(pytest.param(n, marks=PLAYS) for n in range(108, 120))]
)
async def test_a_play_keeps_the_invariants(seed: int) -> None:
    """What was emitted is kept as it was, numbered without gaps, each turn with one outcome."""
    store = open_in_memory()
    play = Play(store, seed)
    await play.run(MOVES)
    assert await violations(store, play.emitted) == []
    await play.age()
    assert await store._engine.read(row_violations) == []


@pytest.mark.parametrize(("sentence", "fault"), FAULTS.items())
async def test_a_planted_fault_is_found(sentence: str, fault: str) -> None:
    """Each rule about rows fails where it should."""
    store = open_in_memory()
    await whole_life(store)
    assert await store._engine.read(row_violations) == []
    await store._engine.write(lambda db: db.exec_driver_sql(fault))
    found = await store._engine.read(row_violations)
    assert sentence in {each.rule for each in found}
