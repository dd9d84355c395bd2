"""What an erasure leaves of a planted marker in a SQLite file: nothing (ADR 17)."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from heartrule.domain.keys import SessionKey
from heartrule.domain.replacement import ActionReplacement
from session_store.records import ForkOrder, RetryOrder
from tests.support.marked_talks import MARKER, OTHER, files_with, talk, talks
from tests.support.store_builders import AT_ONCE, judged_turn, opened, variable
from tests.support.store_decisions import turn_with
from tests.support.store_threads import going_on, nested, says, well, wrote
from tests.support.stores import sqlite_store


# With secure_delete alone, these left the marker in the gaps of pages that rows had moved from.
@pytest.mark.parametrize("seed", [0, 55, 63, 84])
async def test_no_byte_stays_in_a_sqlite_file(seed: int, tmp_path: Path) -> None:
    """After DeleteSession no byte is in the database, its -wal or its -shm; others' words stay."""
    async with sqlite_store(tmp_path) as store:
        marked = await talks(store, seed)
        assert files_with(MARKER, tmp_path) != set()
        await store.delete_session(marked)
        assert files_with(MARKER, tmp_path) == set()
    assert files_with(OTHER, tmp_path) == {"heartrule.db"}


async def test_no_byte_of_a_user_stays_in_a_sqlite_file(tmp_path: Path) -> None:
    """DeleteUserData erases sessions, globals and the user's id alike."""
    async with sqlite_store(tmp_path) as store:
        await talks(store, 5, user_id=f"user-{MARKER}")
        await store.delete_user_data("t", f"user-{MARKER}")
        assert files_with(MARKER, tmp_path) == set()


async def test_no_byte_of_a_fork_or_of_what_was_taken_back_stays(tmp_path: Path) -> None:
    """A fork's own rows go with it, its source's with the source."""
    tried = ActionReplacement(
        phase_id="p1", topic_id="t1", action_id="a1", config={"content": MARKER}
    )
    async with sqlite_store(tmp_path) as store:
        key = await opened(store, variables=(variable("x", MARKER),))
        await judged_turn(store, key, 1, variables=(variable("y", MARKER),))
        await store.retry_turn(RetryOrder(key=key, text=MARKER))
        fork = ForkOrder(source=key, session_id="f", replacement=tried)
        forked = (await store.fork_session(fork)).session.key
        await store.delete_session(key)
        assert files_with(MARKER, tmp_path) != set()
        await store.delete_session(forked)
        assert files_with(MARKER, tmp_path) == set()


async def test_no_byte_of_a_thread_stays(tmp_path: Path) -> None:
    """Its task, what is said in it, what it gave, and a fork's own copy of all that."""
    async with sqlite_store(tmp_path) as store:
        key, lease, _ = await going_on(store, inputs={"goal": MARKER})
        await wrote(store, lease, says(0, text=MARKER, meta={"note": MARKER}))
        await wrote(store, lease, nested("thr_2", "thr_1", "tm_0"))
        await wrote(store, lease, says(1, "thr_2", number=0, text=MARKER))
        await store.finish_thread(lease, well(MARKER, values={"found": MARKER}))
        await turn_with(store, key, "m2")
        forked = (await store.fork_session(ForkOrder(source=key, session_id="f"))).session.key
        await store.delete_session(key)
        assert files_with(MARKER, tmp_path) != set()
        await store.delete_session(forked)
        assert files_with(MARKER, tmp_path) == set()


async def test_texts_of_a_thread_that_aged_are_gone(tmp_path: Path) -> None:
    """Also from what its events say; the result is a message of the conversation."""
    async with sqlite_store(tmp_path) as store:
        _, lease, _ = await going_on(store, inputs={"goal": MARKER})
        await wrote(store, lease, says(0, text=MARKER, meta={"note": MARKER}))
        await store.finish_thread(lease, well(values={"found": MARKER}))
        await store.trim_runs(AT_ONCE)
    assert MARKER not in _rows_of(tmp_path)


def _rows_of(folder: Path) -> str:
    """Return what the rows of a database say; freed pages may hold old bytes until an erasure."""
    with closing(sqlite3.connect(folder / "heartrule.db")) as database:
        return "\n".join(database.iterdump())


async def test_erasures_at_once_leave_nothing(tmp_path: Path) -> None:
    """Several callers that erase at the same time each find nothing left when they hear of it."""
    async with sqlite_store(tmp_path) as store:
        keys = [await opened(store, f"s{number}", locale=MARKER) for number in range(4)]

        async def erase(key: SessionKey, number: int) -> set[str]:
            await talk(store, key, f"{MARKER}{number}", random.Random(number))
            await store.delete_session(key)
            return files_with(f"{MARKER}{number}", tmp_path)

        left = await asyncio.gather(*(erase(key, number) for number, key in enumerate(keys)))
    assert left == [set()] * 4
