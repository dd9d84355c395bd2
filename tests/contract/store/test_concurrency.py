"""Calls at the same moment act one after the other."""

from __future__ import annotations

import asyncio

from heartrule.domain.errors import LeaseLost
from session_store.ports import Store
from session_store.records import NoTurn, TurnSnapshot
from tests.support.store_builders import (
    LONG,
    accept,
    advice,
    analysed,
    begun,
    claimed,
    ended,
    judged_turn,
    new_session,
    opened,
    said,
    ticket,
)


async def test_of_eight_that_begin_one_gets_the_turn(store: Store) -> None:
    """Concurrent calls of begin_turn give exactly one snapshot; the others are held off."""
    key = await opened(store)
    await accept(store, key)
    got = await asyncio.gather(
        *(store.begin_turn(key, owner=f"w{number}", ttl=LONG) for number in range(8))
    )
    assert sum(isinstance(each, TurnSnapshot) for each in got) == 1
    assert sum(each is NoTurn.HELD for each in got) == 7


async def test_ten_sends_of_one_id_are_one_input(store: Store) -> None:
    """One of ten equal sends is stored; all ten name the same message and number."""
    key = await opened(store)
    got = await asyncio.gather(*(accept(store, key) for _ in range(10)))
    assert sum(not each.duplicate for each in got) == 1
    assert len({(each.message.message_id, each.sequence) for each in got}) == 1


async def test_concurrent_inputs_have_numbers_of_their_own(store: Store) -> None:
    """Inputs that come at once are all stored, numbered without a gap."""
    key = await opened(store)
    last = (await store.get_session(key)).last_sequence
    got = await asyncio.gather(*(accept(store, key, f"m{number}") for number in range(12)))
    assert sorted(each.sequence for each in got) == list(range(last + 1, last + 13))


async def test_concurrent_creations_of_one_request_are_one_session(store: Store) -> None:
    """The same request sent five times at once makes one session."""
    news = [new_session(f"s{number}", request_id="r") for number in range(5)]
    made = await asyncio.gather(*(store.create_session(new) for new in news))
    assert len({each.key for each in made}) == 1


async def test_a_last_step_is_committed_once(store: Store) -> None:
    """Of two commits of the same last step one is fenced off."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    got = await asyncio.gather(
        *(ended(store, snapshot, said("once")) for _ in range(2)), return_exceptions=True
    )
    assert sum(isinstance(each, LeaseLost) for each in got) == 1


async def test_of_four_that_claim_one_gets_the_request(store: Store) -> None:
    """Concurrent claims of one monitor request give exactly one the work."""
    await judged_turn(store, await opened(store))
    got = await asyncio.gather(
        *(store.claim_monitor_request(ticket(), owner=f"w{n}", ttl=LONG) for n in range(4))
    )
    assert sum(work is not None for work in got) == 1


async def test_an_analysis_is_told_once(store: Store) -> None:
    """Of outcomes that come at once the first is told, the others change nothing."""
    await judged_turn(store, await opened(store))
    await claimed(store)
    records = [analysed(ticket(), advice(f"adv_{number}")) for number in range(4)]
    told = await asyncio.gather(*(store.finish_analysis(record) for record in records))
    assert sorted(len(events) for events in told) == [0, 0, 0, 2]


async def test_writers_of_all_kinds_leave_no_gap(store: Store) -> None:
    """Inputs, a step and an analysis written at once share one row of numbers."""
    key = await opened(store)
    await judged_turn(store, key)
    await claimed(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    await asyncio.gather(
        *(accept(store, key, f"n{number}") for number in range(6)),
        ended(store, snapshot, said("one"), said("two")),
        store.finish_analysis(analysed(ticket(), advice())),
    )
    events = await store.read_events(key, 0)
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
