"""An input that comes while nothing runs starts the worker, and its turn with it (ADR 19)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from heartrule.domain.errors import SessionBusy
from session_store.records import TurnSnapshot
from tests.support.engine_builders import KEY
from tests.support.store_builders import user_input
from tests.support.turn_builders import SOON_S
from tests.support.worker_builders import (
    NOW,
    AcceptingStore,
    Runs,
    Visited,
    settled,
    turn,
    workers_of,
)


async def test_an_input_and_its_turn_are_one_call() -> None:
    """A session without a worker stores the input and begins at once; then it looks for more."""
    store, runs = AcceptingStore(begins=[turn()]), Runs()
    workers = workers_of(store, runs)
    await workers.accept(KEY, user_input("m1"))
    await settled(workers)
    assert (store.asked, runs.ended) == (["both", "turn"], 1)


@pytest.mark.parametrize(
    ("repeated", "expected"),
    [
        (False, ["after_accept", "after_begin", "answered", "turn"]),
        (True, ["after_accept", "answered", "after_begin", "turn"]),
    ],
)
async def test_a_beginning_is_published_with_its_input_or_after_a_repeat_is_answered(
    *, repeated: bool, expected: list[str]
) -> None:
    """Only a repeat's replay comes before it; the sender receives every draft of the turn."""
    visited = Visited()
    order = visited.places

    async def run(snapshot: TurnSnapshot) -> bool:
        order.append("turn")
        return False

    store = AcceptingStore(begins=[turn()], repeated=repeated)
    workers = workers_of(store, run, failpoints=visited)
    await workers.accept(KEY, user_input("m1"))
    order.append("answered")
    await settled(workers)
    assert order == expected


async def test_an_input_during_a_turn_waits() -> None:
    """A worker that works takes it up when it comes round."""
    store, runs = AcceptingStore(begins=[turn(), turn()]), Runs(more=[False], gate=asyncio.Event())
    workers = workers_of(store, runs)
    workers.wake(KEY)
    await runs.begun.wait()
    await workers.accept(KEY, user_input("m1"))
    assert runs.gate is not None
    runs.gate.set()
    await settled(workers)
    assert (store.asked, runs.ended) == (["turn", "input", "turn", "turn"], 2)


async def test_a_merge_window_behind_an_input_is_waited_for() -> None:
    """The turn is asked for again when the window closes."""
    store, runs = AcceptingStore(begins=[NOW, turn()]), Runs()
    workers = workers_of(store, runs)
    await workers.accept(KEY, user_input("m1"))
    await settled(workers)
    assert (runs.ended, store.asked[:2]) == (1, ["both", "turn"])


@pytest.mark.parametrize("raised", [SessionBusy("x", reason="X"), ZeroDivisionError("a bug")])
async def test_what_is_wrong_with_an_input_is_for_its_sender(
    raised: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """The worker it would have started ends, and has nothing to log."""

    class Refusing(AcceptingStore):
        async def accept_and_begin(self, *_: object, **__: object) -> Any:
            raise raised

    workers = workers_of(Refusing(), Runs())
    with pytest.raises(type(raised)):
        await workers.accept(KEY, user_input("m1"))
    await settled(workers)
    assert (workers._workers, caplog.records) == ({}, [])


async def test_an_input_runs_though_its_sender_has_gone() -> None:
    """A stream that is cancelled while its input is stored takes nothing back."""
    store, runs = AcceptingStore(begins=[turn()], gate=asyncio.Event()), Runs()
    visited = Visited()
    workers = workers_of(store, runs, failpoints=visited)
    sending = asyncio.ensure_future(workers.accept(KEY, user_input("m1")))
    await store.arrived.wait()
    sending.cancel()
    assert store.gate is not None
    store.gate.set()
    await settled(workers)
    assert (sending.cancelled(), visited.places[0], runs.ended) == (True, "after_accept", 1)


async def test_a_drain_waits_for_the_input_under_way_and_its_turn() -> None:
    """Its lease is taken: the turn is run to its end, and none after it begins."""
    store, runs = AcceptingStore(begins=[turn(), turn()], gate=asyncio.Event()), Runs()
    workers = workers_of(store, runs)
    sending = asyncio.ensure_future(workers.accept(KEY, user_input("m1")))
    await store.arrived.wait()
    draining = asyncio.ensure_future(workers.drain(SOON_S))
    await asyncio.wait({draining}, timeout=0)
    assert store.gate is not None
    store.gate.set()
    await draining
    assert (sending.done(), runs.ended, store.asked) == (True, 1, ["both"])


async def test_a_drain_that_cuts_an_input_off_leaves_no_sender_waiting() -> None:
    """The input may be durable or not; its sender asks again."""
    store = AcceptingStore(gate=asyncio.Event())
    workers = workers_of(store, Runs())
    sending = asyncio.ensure_future(workers.accept(KEY, user_input("m1")))
    await store.arrived.wait()
    await workers.drain(0)
    with pytest.raises(asyncio.CancelledError):
        await sending
