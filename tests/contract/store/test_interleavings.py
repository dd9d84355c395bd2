"""Advice in any order of events: never stale, never superseded, never used twice."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from session_store.open import open_in_memory
from session_store.ports import Store
from tests.support.interleavings import MonitorInterleavings
from tests.support.stores import sqlite_store

MANY = int(os.environ.get("INTERLEAVINGS", "200"))
"""How many orders are tried in memory; the figure of docs/reference/traceability.md is 10,000."""
SOME = 40
"""How many of them `make test` tries."""
FEW = 8
"""How many are tried on SQLite, whose transactions take longer."""
STEPS = 30
HERE = "tests/contract/store/test_interleavings.py"
LONG = pytest.mark.long(
    short=f"{HERE}::test_no_order_of_events_breaks_the_freshness_of_advice[{SOME}]"
)


@asynccontextmanager
async def in_memory() -> AsyncIterator[Store]:
    """Give a store in memory."""
    async with aclosing(open_in_memory()) as store:
        yield store


@asynccontextmanager
async def on_sqlite() -> AsyncIterator[Store]:
    """Give a store on a file of its own."""
    with tempfile.TemporaryDirectory() as folder:
        async with sqlite_store(Path(folder) / "data") as store:
            yield store


class InMemory(MonitorInterleavings):
    """Against the rules alone."""

    def open_store(self) -> AbstractAsyncContextManager[Store]:
        """Return a store in memory."""
        return in_memory()


class OnSqlite(MonitorInterleavings):
    """Against rows and transactions."""

    def open_store(self) -> AbstractAsyncContextManager[Store]:
        """Return a store on SQLite."""
        return on_sqlite()


@pytest.mark.parametrize("orders", [SOME, pytest.param(MANY, marks=LONG)])
def test_no_order_of_events_breaks_the_freshness_of_advice(orders: int) -> None:
    """Slow, lost, repeated and reordered answers, crashes and failures, in memory."""
    wanted = settings(max_examples=orders, stateful_step_count=STEPS)
    run_state_machine_as_test(InMemory, settings=wanted)


def test_the_same_holds_on_a_database() -> None:
    """A sample of the same orders."""
    wanted = settings(max_examples=FEW, stateful_step_count=STEPS)
    run_state_machine_as_test(OnSqlite, settings=wanted)
