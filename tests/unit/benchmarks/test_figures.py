"""The benchmark's own arithmetic."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.benchmarks.figures import (
    FLOOR,
    OURS,
    Block,
    Cell,
    Spread,
    aims,
    cpu_ratio,
    percentile,
    tables,
)
from tests.benchmarks.language import Cost, Growth, language_table
from tests.benchmarks.stored import Stored, stored_bytes


def block(cpu_s: float, *, turns: int = 10, beyond_ms: tuple[float, ...] = (1.0,)) -> Block:
    return Block(
        turns=turns,
        seconds=2.0,
        cpu_s={"server": cpu_s, "load": 0.2, "model": 0.1},
        beyond_ms=beyond_ms,
        prompt_bytes=100,
    )


@pytest.mark.parametrize(("percent", "value"), [(50, 5), (95, 10), (90, 9), (1, 1), (100, 10)])
def test_a_percentile_is_a_value_that_was_measured(percent: float, value: float) -> None:
    """Nearest rank: no figure that nobody measured is printed."""
    assert percentile(range(10, 0, -1), percent) == value


def test_cpu_is_counted_per_turn() -> None:
    """Half a second over ten turns is fifty milliseconds each."""
    assert block(0.5).cpu_ms == 50.0


def test_a_ratio_compares_neighbours() -> None:
    """A block that a noisy minute made dear is divided by the floor of the same minute."""
    pairs = {OURS: [block(0.2), block(0.8)], FLOOR: [block(0.1), block(0.4)]}
    assert cpu_ratio(pairs) == Spread(2.0, 2.0, 2.0)


@pytest.mark.parametrize(("cpu_s", "verdict"), [(0.25, "reached"), (0.3, "missed by 0.50")])
def test_the_aim_is_judged_with_an_instant_model(cpu_s: float, verdict: str) -> None:
    """Two and a half times the floor is reached; a paced cell has no aim."""
    blocks = {OURS: [block(cpu_s)], FLOOR: [block(0.1)]}
    told = aims({Cell("instant", 16): blocks, Cell("paced", 16): blocks})
    assert [sentence.rpartition(": ")[2] for sentence in told] == [verdict]


def test_a_table_has_a_line_for_each_cell_and_target() -> None:
    """Nothing measured is left out of what is printed."""
    blocks = {OURS: [block(0.25)], FLOOR: [block(0.1)]}
    lines = tables({Cell("instant", 1): blocks, Cell("paced", 1): blocks}).splitlines()
    assert len([line for line in lines if line.startswith(("instant", "paced"))]) == 2 + 4


def test_the_whole_language_is_told_beside_the_plain_script() -> None:
    """A ratio is of neighbouring blocks, and is held against its aim."""
    cost = Cost(kind="judged", sessions=1, plain_ms=(10.0, 10.0), whole_ms=(11.0, 13.0))
    growth = Growth(turn=10, stored=18_000.0, written=140_000.0)
    assert (cost.ratio.low, cost.ratio.high) == (1.1, 1.3)
    table = language_table([cost], [growth])
    assert "missed by 0.05" in table
    assert "18,000" in table


def test_bytes_are_those_of_the_values(tmp_path: Path) -> None:
    """Text counts as UTF-8, nothing counts nothing, every table counts."""
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript("CREATE TABLE a (x, y); CREATE TABLE b (z);")
        db.execute("INSERT INTO a VALUES ('你', NULL)")
        db.execute("INSERT INTO b VALUES (x'0102')")
        db.commit()
    assert stored_bytes(path) == Stored(5, 0)
