"""An input that comes while nothing runs starts the driver, and its turn with it (ADR 19)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from executor_service.turns.drivers import Drivers
from heartrule.domain.errors import SessionBusy
from session_store.records import AcceptedInput, TurnSnapshot
from tests.support.driver_builders import NOW, Front, Runs, settled, turn
from tests.support.engine_builders import KEY
from tests.support.store_builders import user_input
from tests.support.turn_builders import SOON_S, TTL


async def test_an_input_and_its_turn_are_one_call() -> None:
    """A session without a driver stores the input and begins at once; then it looks for more."""
    desk, runs, stored = Front(begins=[turn()]), Runs(), list[AcceptedInput]()
    drivers = Drivers(desk, runs, owner="me", ttl=TTL)
    accepted = await drivers.accept(KEY, user_input("m1"), stored.append)
    await settled(drivers)
    assert (desk.asked, runs.ended, stored) == (["both", "turn"], 1, [accepted])


@pytest.mark.parametrize(
    ("repeated", "expected"),
    [
        (False, ["stored", "told", "answered", "turn"]),
        (True, ["stored", "answered", "told", "turn"]),
    ],
)
async def test_a_beginning_is_told_with_its_input_or_after_a_repeat_is_answered(
    *, repeated: bool, expected: list[str]
) -> None:
    """Nothing overtakes it but what a repeat has told again; the sender hears the turn's words."""
    order: list[str] = []

    async def run(snapshot: TurnSnapshot) -> bool:
        order.append("turn")
        return False

    desk = Front(begins=[turn()], repeated=repeated)
    drivers = Drivers(desk, run, owner="me", ttl=TTL, told=lambda _: order.append("told"))
    await drivers.accept(KEY, user_input("m1"), lambda _: order.append("stored"))
    order.append("answered")
    await settled(drivers)
    assert order == expected


async def test_an_input_during_a_turn_waits() -> None:
    """A driver that works takes it up when it comes round."""
    desk, runs = Front(begins=[turn(), turn()]), Runs(more=[False], gate=asyncio.Event())
    drivers = Drivers(desk, runs, owner="me", ttl=TTL)
    drivers.drive(KEY)
    await runs.begun.wait()
    await drivers.accept(KEY, user_input("m1"), lambda _: None)
    assert runs.gate is not None
    runs.gate.set()
    await settled(drivers)
    assert (desk.asked, runs.ended) == (["turn", "input", "turn", "turn"], 2)


async def test_a_merge_window_behind_an_input_is_waited_for() -> None:
    """The turn is asked for again when the window closes."""
    desk, runs = Front(begins=[NOW, turn()]), Runs()
    drivers = Drivers(desk, runs, owner="me", ttl=TTL)
    await drivers.accept(KEY, user_input("m1"), lambda _: None)
    await settled(drivers)
    assert (runs.ended, desk.asked[:2]) == (1, ["both", "turn"])


@pytest.mark.parametrize("raised", [SessionBusy("x", reason="X"), ZeroDivisionError("a bug")])
async def test_what_is_wrong_with_an_input_is_for_its_sender(
    raised: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """The driver it would have started ends, and has nothing to log."""

    class Refusing(Front):
        async def accept_and_begin(self, *_: object, **__: object) -> Any:
            raise raised

    drivers = Drivers(Refusing(), Runs(), owner="me", ttl=TTL)
    with pytest.raises(type(raised)):
        await drivers.accept(KEY, user_input("m1"), lambda _: None)
    await settled(drivers)
    assert (drivers._drivers, caplog.records) == ({}, [])


async def test_an_input_runs_though_its_sender_has_gone() -> None:
    """A stream that is cancelled while its input is stored takes nothing back."""
    desk, runs = Front(begins=[turn()], gate=asyncio.Event()), Runs()
    drivers, stored = Drivers(desk, runs, owner="me", ttl=TTL), list[AcceptedInput]()
    sending = asyncio.ensure_future(drivers.accept(KEY, user_input("m1"), stored.append))
    await desk.arrived.wait()
    sending.cancel()
    assert desk.gate is not None
    desk.gate.set()
    await settled(drivers)
    assert (sending.cancelled(), len(stored), runs.ended) == (True, 1, 1)


async def test_a_drain_waits_for_the_input_under_way_and_its_turn() -> None:
    """Its lease is taken: the turn is run to its end, and none after it begins."""
    desk, runs = Front(begins=[turn(), turn()], gate=asyncio.Event()), Runs()
    drivers = Drivers(desk, runs, owner="me", ttl=TTL)
    sending = asyncio.ensure_future(drivers.accept(KEY, user_input("m1"), lambda _: None))
    await desk.arrived.wait()
    draining = asyncio.ensure_future(drivers.drain(SOON_S))
    await asyncio.wait({draining}, timeout=0)
    assert desk.gate is not None
    desk.gate.set()
    await draining
    assert (sending.done(), runs.ended, desk.asked) == (True, 1, ["both"])


async def test_a_drain_that_cuts_an_input_off_leaves_no_sender_waiting() -> None:
    """The input may be durable or not; its sender asks again."""
    desk = Front(gate=asyncio.Event())
    drivers = Drivers(desk, Runs(), owner="me", ttl=TTL)
    sending = asyncio.ensure_future(drivers.accept(KEY, user_input("m1"), lambda _: None))
    await desk.arrived.wait()
    await drivers.drain(0)
    with pytest.raises(asyncio.CancelledError):
        await sending
