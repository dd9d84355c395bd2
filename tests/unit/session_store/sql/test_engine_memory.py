"""What is the own of a store that keeps its rows in memory."""

from __future__ import annotations

from datetime import timedelta

from heartrule.domain.model_call import ParseDiagnosis, ParseError
from session_store.open import open_in_memory
from session_store.ports import Store
from session_store.records import Page
from tests.support.clock import ManualClock
from tests.support.store_builders import call, judged_turn, opened


async def test_it_is_a_store() -> None:
    """A store in memory fulfils the whole port and starts, answers and closes at once."""
    store: Store = open_in_memory()
    await store.start()
    await store.ping()
    await store.aclose()


async def test_nobody_else_writes_to_it() -> None:
    """There are no changes by other processes: waiting for them ends at once."""
    store = open_in_memory()
    await opened(store)
    assert [key async for key in store.changes()] == []


async def test_two_stores_share_nothing() -> None:
    """Each store keeps its own sessions."""
    for store in (open_in_memory(), open_in_memory()):
        await opened(store)


async def test_a_trimmed_diagnosis_quotes_nothing() -> None:
    """Where a reply could not be read, trimming takes it out of the diagnosis as well."""
    clock = ManualClock()
    store = open_in_memory(clock)
    key = await opened(store)
    error = ParseError(retry_count=3, strategies=(), final_error="e", raw_response="secret")
    await judged_turn(store, key, calls=(call(parse=ParseDiagnosis(parse_error=error)),))
    clock.move(timedelta(days=2))
    assert await store.trim_ledger(timedelta(days=1)) == 1
    kept, _ = await store.list_calls(key, Page())
    assert "secret" not in repr(kept)
