"""What a turn costs its store does not grow with the session; limits that noise cannot trip."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from session_store.open import open_store
from tests.benchmarks.store_turns import StoreTurns
from tests.benchmarks.stored import stored_bytes
from tests.support.statements import watched
from tests.support.store_builders import opened

TURNS = 20
"""Of one block; the history's window moves on by ten."""


@dataclass
class Costs:
    """Of one block of turns."""

    statements: int = 0
    bytes: int = 0
    cpu_s: float = 0.0


async def block(ours: StoreTurns, database: Path) -> Costs:
    """Run some turns and weigh them; the least CPU of three blocks counts."""
    found = []
    for _ in range(3):
        cost = Costs(bytes=-_kept(database), cpu_s=-time.process_time())

        def note(_text: str, _values: object, cost: Costs = cost) -> None:
            cost.statements += 1

        with watched(note):
            for _ in range(TURNS):
                await ours.turn()
        cost.cpu_s += time.process_time()
        cost.bytes += _kept(database)
        found.append(cost)
    return min(found, key=lambda each: each.cpu_s)


def _kept(database: Path) -> int:
    """Return the bytes of all rows but the ledger's text."""
    stored = stored_bytes(database)
    return stored.all - stored.ledger


async def test_turn_300_costs_what_turn_30_costs(tmp_path: Path) -> None:
    """The same statements, the same bytes but for the digits of numbers, no more than twice CPU."""
    database = tmp_path / "cost.db"
    store = open_store(database)
    await store.start()
    ours = StoreTurns(store, await opened(store))
    for _ in range(30):
        await ours.turn()
    early = await block(ours, database)
    for _ in range(300 - 30 - 3 * TURNS):
        await ours.turn()
    late = await block(ours, database)
    await store.aclose()
    assert late.statements == early.statements
    assert late.bytes <= 1.03 * early.bytes
    assert late.cpu_s <= 2 * early.cpu_s
