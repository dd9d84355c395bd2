"""What is the in-memory store's own."""

from __future__ import annotations

from session_store.memory.store import InMemoryStore
from session_store.ports import Store
from tests.support.store_builders import opened


async def test_it_is_a_store() -> None:
    """The in-memory store fulfils the whole port and starts, answers and closes at once."""
    store: Store = InMemoryStore()
    await store.start()
    await store.ping()
    await store.aclose()


async def test_nobody_else_writes_to_it() -> None:
    """There are no changes by other processes: waiting for them ends at once."""
    store = InMemoryStore()
    await opened(store)
    assert [key async for key in store.changes()] == []


async def test_two_stores_share_nothing() -> None:
    """Each store keeps its own sessions."""
    for store in (InMemoryStore(), InMemoryStore()):
        await opened(store)
