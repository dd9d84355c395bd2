"""A lease is kept as long as its attempt runs."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from executor_service.turns.runner import Renewal
from heartrule.domain.errors import LeaseLost, StoreUnavailable
from heartrule.domain.keys import SessionKey
from session_store.records import Lease
from session_store.sql.database.engine_sqlite import MemoryEngine
from session_store.sql.store import SqlStore

LEASE = Lease(key=SessionKey("default", "ses_1"), owner="me", token=1)
SOON = timedelta(microseconds=3)


class Answers(SqlStore):
    """A store that answers renewals as it was told, then never."""

    def __init__(self, *answers: bool | Exception) -> None:
        super().__init__(MemoryEngine())
        self.answers = list(answers)
        self.asked_out = asyncio.Event()

    async def renew_lease(self, lease: Lease, ttl: timedelta) -> bool:
        """Give the next answer."""
        if not self.answers:
            self.asked_out.set()
            await asyncio.Event().wait()
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def renewed(store: Answers) -> Exception | None:
    """Renew until a failure or the last answer; return the failure."""
    renewal, stopped = Renewal(store, LEASE, SOON), asyncio.Event()
    renewal.begin(stopped.set)
    ends = [asyncio.ensure_future(each.wait()) for each in (stopped, store.asked_out)]
    async with asyncio.timeout(5):
        _, late = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    for task in late:
        task.cancel()
    await renewal.end()
    return renewal.failure


async def test_a_lease_is_renewed_again_and_again() -> None:
    """A store that is away for a while costs nothing: the commit is fenced anyway."""
    down = StoreUnavailable("down", reason="STORE_UNAVAILABLE")
    assert await renewed(Answers(True, down, True)) is None


async def test_a_lost_lease_stops_the_attempt() -> None:
    """Its new holder decides from there on."""
    assert isinstance(await renewed(Answers(True, False)), LeaseLost)


async def test_a_fault_of_the_store_stops_the_attempt() -> None:
    """An attempt whose lease nobody keeps must not go on in silence."""
    fault = ValueError("broken")
    assert await renewed(Answers(fault)) is fault


async def test_a_quick_attempt_renews_nothing() -> None:
    """It is over before the first third of its lease, and leaves no task behind."""
    store = Answers()
    renewal, before = Renewal(store, LEASE, timedelta(hours=1)), asyncio.all_tasks()
    renewal.begin(store.asked_out.set)
    await asyncio.sleep(0)
    await renewal.end()
    assert asyncio.all_tasks() == before
    assert not store.asked_out.is_set()
