"""A path is an address: it leads to the thread that stands there now (R19)."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records.runs import RunLease
from session_store.records.threads import MessageIndexes
from tests.support.store_builders import accept, opened
from tests.support.store_decisions import turn_with
from tests.support.store_threads import going_on, nested, says, well, wrote

NOWHERE: tuple[MessageIndexes, ...] = (
    *((), (0,), (1,), (9,), (-1,), (2**31,), (2**70,)),
    *((2, 1), (2, 0, 0), (2, 9), (2, -1), (2, 2**70)),
)


async def two_levels(store: Store) -> tuple[SessionKey, RunLease]:
    """Have a thread in the third message, and one in the first message of it."""
    key, lease, _ = await going_on(store)
    await wrote(store, lease, says(0), nested("thr_2", "thr_1", "tm_0"))
    await wrote(store, lease, says(1))
    return key, lease


async def test_a_path_leads_to_its_thread_and_back(store: Store) -> None:
    """Messages count from 0 as they stand in the conversation, and in the thread."""
    key, _ = await two_levels(store)
    assert (await store.thread_at(key, (2,))).thread.thread_id == "thr_1"
    assert (await store.thread_at(key, (2, 0))).thread.thread_id == "thr_2"
    assert await store.paths_of(key, ["thr_2", "thr_1", "thr_9"]) == {
        "thr_1": (2,),
        "thr_2": (2, 0),
    }
    assert await store.paths_of(key, []) == {}


@pytest.mark.parametrize("indexes", NOWHERE, ids=str)
async def test_a_path_may_lead_nowhere(store: Store, indexes: MessageIndexes) -> None:
    """Below 0, behind the last message, or to a message without a thread."""
    key, _ = await two_levels(store)
    with pytest.raises(NotFound):
        await store.thread_at(key, indexes)


async def test_a_result_does_not_move_the_paths_behind_it(store: Store) -> None:
    """It counts as one with its placeholder; what waits for a turn counts nothing."""
    key, lease = await two_levels(store)
    await turn_with(store, key, "m2")
    await accept(store, key, "m3")
    await store.finish_thread(lease, well())
    assert await store.paths_of(key, ["thr_1", "thr_2"]) == {"thr_1": (2,), "thr_2": (2, 0)}
    with pytest.raises(NotFound):
        await store.thread_at(key, (5,))


async def test_another_tenant_has_no_thread(store: Store) -> None:
    """Neither by its session's path nor by the thread's id."""
    key, _ = await two_levels(store)
    foreign = SessionKey("other", key.session_id)
    for read in (
        store.paths_of(foreign, ["thr_1"]),
        store.thread_at(foreign, (2,)),
        store.get_thread(foreign, "thr_1"),
    ):
        with pytest.raises(NotFound):
            await read


async def test_paths_are_of_one_session(store: Store) -> None:
    """Another one's threads are not there, whatever their ids."""
    await two_levels(store)
    beside = await opened(store, "s2")
    assert await store.paths_of(beside, ["thr_1"]) == {}
    with pytest.raises(NotFound):
        await store.thread_at(beside, (2,))
    with pytest.raises(NotFound):
        await store.paths_of(SessionKey("other", "s1"), ["thr_1"])
