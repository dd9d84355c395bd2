"""Two executors on one PostgreSQL: one turn at a time, nothing lost."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from heartrule.domain.errors import LeaseLost, SessionBusy
from heartrule.domain.events import HistoryRewound, InputAccepted
from heartrule.domain.keys import SessionKey
from heartrule.domain.variables import VariableScope
from session_store.ports import Store
from session_store.records import NoTurn, RetryOrder, TurnSnapshot
from tests.support.store_builders import (
    AT_ONCE,
    LONG,
    accept,
    begun,
    ended,
    last_step,
    opened,
    said,
    ticket,
    variable,
)
from tests.support.store_builders import judged_turn as judge
from tests.support.store_safety import raised
from tests.support.stores import postgres_store

GLOBAL = VariableScope.GLOBAL


async def test_ten_that_begin_at_once_are_one_turn(address: str) -> None:
    """However many try, one gets the lease and all others hear HELD."""
    async with postgres_store(address) as one, postgres_store(address) as two:
        key = await opened(one)
        await accept(one, key)
        tries = [store.begin_turn(key, owner="x", ttl=LONG) for store in (one, two) * 5]
        found = await asyncio.gather(*tries)
    assert [type(each) for each in found].count(TurnSnapshot) == 1
    assert found.count(NoTurn.HELD) == 9


async def test_ten_sends_of_one_id_are_one_input(address: str) -> None:
    """Concurrent repeats on two executors store the input once and answer alike."""
    async with postgres_store(address) as one, postgres_store(address) as two:
        key = await opened(one)
        found = await asyncio.gather(*(accept(store, key) for store in (one, two) * 5))
        stored = [each.body for each in await one.read_events(key, 0)]
    assert [each.duplicate for each in found].count(False) == 1
    assert len({each.sequence for each in found}) == 1
    assert [type(body) for body in stored].count(InputAccepted) == 1


async def test_two_that_retry_at_once_take_back_one_turn(address: str) -> None:
    """A repeat of one request is answered alike everywhere; another one finds the input waiting."""
    async with postgres_store(address) as one, postgres_store(address) as two:
        key = await opened(one)
        await judge(one, key)
        request = RetryOrder(key=key, request_id="r")
        same = await asyncio.gather(*(store.retry_turn(request) for store in (one, two) * 3))
        assert len({(each.rewound_sequence, each.message.message_id) for each in same}) == 1
        with pytest.raises(SessionBusy):
            await two.retry_turn(RetryOrder(key=key, request_id="other"))
        told = [type(each.body) for each in await two.read_events(key, 0)]
        assert told.count(HistoryRewound) == 1


async def test_another_store_takes_over(address: str) -> None:
    """When a holder's time is over another goes on, and the late commit is refused."""
    async with postgres_store(address) as one, postgres_store(address) as two:
        key = await opened(one)
        await accept(one, key)
        old = await begun(one, key, ttl=timedelta(milliseconds=300))
        assert await two.begin_turn(key, owner="two", ttl=LONG) is NoTurn.HELD
        new = await taken_over(two, key)
        with pytest.raises(LeaseLost):
            await ended(one, old, said("late"))
        await ended(two, new, said("mine"))
        assert (new.turn_id, new.attempt) == (old.turn_id, 2)
        assert (await one.get_session(key)).last_ai_message == "mine"


async def taken_over(store: Store, key: SessionKey) -> TurnSnapshot:
    """Ask again and again, as a sweep does, until the lease has run out."""
    while True:
        found = await store.begin_turn(key, owner="two", ttl=LONG)
        if isinstance(found, TurnSnapshot):
            return found
        assert found is NoTurn.HELD


async def test_a_renewed_lease_is_not_taken(address: str) -> None:
    """Renewing on one executor is seen by the other at once."""
    async with postgres_store(address) as one, postgres_store(address) as two:
        key = await opened(one)
        await accept(one, key)
        lease = (await begun(one, key, ttl=AT_ONCE)).lease
        assert await one.renew_lease(lease, LONG)
        assert await two.begin_turn(key, owner="two", ttl=LONG) is NoTurn.HELD


async def test_sequences_have_no_gap(address: str) -> None:
    """Inputs from two executors and a turn that runs meanwhile share one row of numbers."""
    async with postgres_store(address) as one, postgres_store(address) as two:
        key = await opened(one)
        await accept(one, key)
        snapshot = await begun(one, key)
        sends = [accept(store, key, f"n{n}") for n, store in enumerate((one, two) * 5)]
        await asyncio.gather(ended(one, snapshot, said("answer")), *sends)
        numbers = [event.sequence for event in await two.read_events(key, 0)]
    assert numbers == list(range(1, len(numbers) + 1))


async def test_two_sessions_of_a_user_never_lock_each_other(address: str) -> None:
    """Steps that write a user's globals in opposite order both commit."""
    async with postgres_store(address) as one, postgres_store(address) as two:
        names = ["a", "b", "c", "d", "e"]
        for turn in range(5):
            steps = []
            for store, order in ((one, names), (two, names[::-1])):
                key = await opened(store, f"{order[0]}{turn}", user_id="u")
                await accept(store, key)
                snapshot = await begun(store, key)
                values = tuple(variable(name, turn, GLOBAL) for name in order)
                done = last_step(snapshot, variables=values)
                steps.append(store.commit_step(snapshot.lease, done))
            await asyncio.gather(*steps)


async def test_a_request_is_claimed_once(address: str) -> None:
    """Of two executors that find a monitor request, one gets it."""
    async with postgres_store(address) as one, postgres_store(address) as two:
        await judge(one, await opened(one))
        claims = [
            store.claim_monitor_request(ticket(), owner="x", ttl=LONG) for store in (one, two)
        ]
        found = await asyncio.gather(*claims)
    assert [each is None for each in found].count(True) == 1


async def test_an_alert_is_claimed_by_one_executor(address: str) -> None:
    """Of executors that look at the same time each gets other alerts, and all are claimed."""
    async with postgres_store(address) as one, postgres_store(address) as two:
        key = await opened(one)
        for number in range(12):
            await one.record_refused(key, f"m{number}", raised())
        claims = [
            store.claim_alerts(f"executor-{number}", 3, LONG)
            for number, store in enumerate((one, two) * 2)
        ]
        found = [
            each.event.safety_event_id for got in await asyncio.gather(*claims) for each in got
        ]
        rest = await two.claim_alerts("x", 12, LONG)
    names = [*found, *(each.event.safety_event_id for each in rest)]
    assert len(names) == len(set(names)) == 12
