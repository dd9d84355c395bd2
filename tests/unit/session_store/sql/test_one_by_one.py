"""A session's transactions go one after the other, those of others beside them."""

from __future__ import annotations

import asyncio

from heartrule.domain.keys import SessionKey
from session_store.sql.one_by_one import OneByOne

KEY, OTHER = SessionKey("default", "one"), SessionKey("default", "two")


class Visits:
    """Callers that stay inside until they are let go."""

    def __init__(self) -> None:
        self.order = OneByOne()
        self.inside: list[str] = []
        self.go: dict[str, asyncio.Event] = {}

    def begin(self, name: str, key: SessionKey = KEY) -> asyncio.Task[None]:
        self.go[name] = asyncio.Event()
        return asyncio.ensure_future(self._visit(name, key))

    async def _visit(self, name: str, key: SessionKey) -> None:
        async with self.order.of(key):
            self.inside.append(name)
            await self.go[name].wait()


async def settled() -> None:
    """Give every task that can go on its turns."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_who_comes_second_waits() -> None:
    """It enters once the first has left, in the order of their coming."""
    visits = Visits()
    tasks = [visits.begin(name) for name in "abc"]
    await settled()
    assert visits.inside == ["a"]
    for name in "abc":
        visits.go[name].set()
    await asyncio.gather(*tasks)
    assert visits.inside == ["a", "b", "c"]


async def test_another_session_does_not_wait() -> None:
    """Each key has its own row of callers."""
    visits = Visits()
    tasks = [visits.begin("a"), visits.begin("b", OTHER)]
    await settled()
    assert visits.inside == ["a", "b"]
    for name in "ab":
        visits.go[name].set()
    await asyncio.gather(*tasks)


async def test_who_gives_up_is_passed_over() -> None:
    """One that was cancelled while it waited holds nobody up, and nor does one let in just then."""
    visits = Visits()
    first, waits, let_in, last = (visits.begin(name) for name in "abcd")
    await settled()
    waits.cancel()
    await settled()
    visits.go["a"].set()
    await first
    let_in.cancel()
    visits.go["d"].set()
    await last
    assert visits.inside[-1] == "d"


async def test_nothing_is_kept_of_a_session_that_nobody_visits() -> None:
    """The last to leave leaves nothing."""
    visits = Visits()
    task = visits.begin("a")
    visits.go["a"].set()
    await task
    assert vars(visits.order)["_waiting"] == {}
