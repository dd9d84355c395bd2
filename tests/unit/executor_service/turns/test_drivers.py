"""One driver a session: it runs turns as long as there are any."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from executor_service.turns.drivers import Drivers
from heartrule.domain.errors import HeartRuleError, NotFound, StoreUnavailable
from heartrule.domain.events import Outcome
from heartrule.domain.keys import SessionKey
from session_store.records import NoTurn, TurnSnapshot
from tests.support.driver_builders import NOW, Desk, Runs, driven, settled, turn
from tests.support.engine_builders import KEY
from tests.support.store_builders import user_input
from tests.support.turn_builders import SOON_S, TTL, house, idle, session

OTHER = SessionKey("default", "ses_2")


async def test_turns_run_until_nothing_waits() -> None:
    """Each that ends well is followed by a look for the next."""
    desk, runs = Desk(begins=[turn(), turn()]), Runs()
    await driven(desk, runs)
    assert (runs.ended, desk.asked) == (2, ["turn"] * 3)


async def test_an_attempt_that_failed_is_not_repeated_at_once() -> None:
    """Somebody has to ask for it: a repeat, a new input, or the sweep."""
    desk, runs = Desk(begins=[turn(), turn()]), Runs(more=[False])
    await driven(desk, runs)
    assert runs.ended == 1


async def test_the_opening_is_begun_before_the_turns() -> None:
    """Once it is done, waiting inputs follow."""
    desk, runs = Desk(openings=[turn()], begins=[turn()]), Runs()
    await driven(desk, runs, opening=True)
    assert (desk.asked, runs.ended) == (["opening", "turn", "turn"], 2)


async def test_an_opening_the_store_did_not_take_is_begun_again() -> None:
    """Nobody else would: no row tells of it, and its client waits on a stream that lives."""
    away = StoreUnavailable("the database is away", reason="STORE_UNAVAILABLE")
    desk, runs = Desk(openings=[away, away, turn()]), Runs()
    drivers = Drivers(desk, runs, owner="me", ttl=TTL, again_s=0)
    drivers.drive(KEY, opening=True)
    async with asyncio.timeout(SOON_S):
        await runs.begun.wait()
    await settled(drivers)
    assert (desk.asked, runs.ended) == (["opening"] * 3 + ["turn"], 1)


async def test_an_opening_that_is_refused_is_not_begun_again() -> None:
    """A session that is gone stays so."""
    desk, runs = Desk(openings=[NotFound("session", "s"), turn()]), Runs()
    await driven(desk, runs, opening=True)
    assert (desk.asked, runs.ended) == (["opening"], 0)


async def test_an_opening_that_is_done_leads_to_the_turns() -> None:
    """IDLE from the opening means to look for inputs."""
    desk, runs = Desk(begins=[turn()]), Runs()
    await driven(desk, runs, opening=True)
    assert (desk.asked[0], runs.ended) == ("opening", 1)


@pytest.mark.parametrize("opening", [True, False])
async def test_a_session_another_process_holds_is_left_to_it(*, opening: bool) -> None:
    """HELD ends the driver: the holder reads what waits with its last step."""
    desk, runs = Desk(openings=[NoTurn.HELD], begins=[NoTurn.HELD, turn()]), Runs()
    await driven(desk, runs, opening=opening)
    assert (runs.ended, len(desk.asked)) == (0, 1)


async def test_a_merge_window_is_waited_for() -> None:
    """A turn that begins later is asked for again when its window closes."""
    desk, runs = Desk(begins=[NOW, turn()]), Runs()
    await driven(desk, runs)
    assert (runs.ended, len(desk.asked)) == (1, 3)


async def test_what_is_asked_meanwhile_is_looked_at_again() -> None:
    """An input that comes while its session is driven makes the driver look once more."""
    desk, runs = Desk(begins=[turn(), turn()]), Runs(more=[False], gate=asyncio.Event())
    drivers = Drivers(desk, runs, owner="me", ttl=TTL)
    drivers.drive(KEY)
    await runs.begun.wait()
    drivers.drive(KEY)
    assert runs.gate is not None
    runs.gate.set()
    await settled(drivers)
    assert runs.ended == 2


async def test_an_opening_asked_for_meanwhile_is_begun() -> None:
    """The wish is kept until the driver comes round."""
    desk = Desk(begins=[turn()], openings=[turn()])
    runs = Runs(more=[False], gate=asyncio.Event())
    drivers = Drivers(desk, runs, owner="me", ttl=TTL)
    drivers.drive(KEY)
    await runs.begun.wait()
    drivers.drive(KEY, opening=True)
    assert runs.gate is not None
    runs.gate.set()
    await settled(drivers)
    assert "opening" in desk.asked


async def test_a_wish_to_open_survives_a_wish_to_go_on() -> None:
    """Whoever asks next does not take it back."""
    desk = Desk(openings=[turn()])
    drivers = Drivers(desk, Runs(), owner="me", ttl=TTL)
    drivers.drive(KEY, opening=True)
    drivers.drive(KEY)
    await settled(drivers)
    assert desk.asked[0] == "opening"


async def test_a_session_has_one_driver() -> None:
    """However often it is asked for, one turn runs at a time."""
    desk, runs = Desk(begins=[turn()]), Runs(gate=asyncio.Event())
    drivers = Drivers(desk, runs, owner="me", ttl=TTL)
    for _ in range(3):
        drivers.drive(KEY)
    await runs.begun.wait()
    assert len(drivers._drivers) == 1
    await drivers.drain(0)


@pytest.mark.parametrize(
    "error", [StoreUnavailable("down", reason="STORE_UNAVAILABLE"), HeartRuleError("x", reason="X")]
)
async def test_a_store_that_fails_ends_the_driver_and_no_more(error: HeartRuleError) -> None:
    """The next one who asks begins anew."""
    desk, runs = Desk(begins=[error, turn()]), Runs()
    drivers = await driven(desk, runs)
    drivers.drive(KEY)
    await settled(drivers)
    assert runs.ended == 1


async def test_an_unforeseen_error_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A driver that breaks leaves its reason in the log, and the session free for the sweep."""

    async def broken(snapshot: TurnSnapshot) -> bool:
        raise ZeroDivisionError

    drivers = Drivers(Desk(begins=[turn()]), broken, owner="me", ttl=TTL)
    drivers.drive(KEY)
    await settled(drivers)
    assert [record.exc_info is not None for record in caplog.records] == [True]
    assert drivers._drivers == {}


async def test_the_sweep_takes_up_what_lies_about() -> None:
    """Every session with work gets a driver."""
    desk, runs = Desk(begins=[turn(), NoTurn.IDLE, turn()], work=(KEY, OTHER)), Runs()
    drivers = Drivers(desk, runs, owner="me", ttl=TTL)
    await drivers.sweep()
    assert set(drivers._drivers) == {KEY, OTHER}
    await settled(drivers)


async def test_a_dead_holders_turn_is_taken_up_as_its_lease_ends() -> None:
    """The sweep waits for a lease that nobody renews, and no longer; its own turns it lets be."""
    runs = Runs()
    desk = Desk(begins=[turn()], lapsing=((KEY, timedelta(0)), (OTHER, timedelta(days=1))))
    drivers = Drivers(desk, runs, owner="me", ttl=TTL)
    await drivers.sweep()
    assert drivers._drivers == {}
    async with asyncio.timeout(SOON_S):
        await runs.begun.wait()
    await settled(drivers)
    assert desk.asked == ["turn", "turn"]


async def test_a_drain_lets_the_running_turn_end_and_begins_no_other() -> None:
    """What waits is left to the next process."""
    desk, runs = Desk(begins=[turn(), turn()]), Runs(gate=asyncio.Event())
    drivers = Drivers(desk, runs, owner="me", ttl=TTL)
    drivers.drive(KEY)
    await runs.begun.wait()
    draining = asyncio.ensure_future(drivers.drain(SOON_S))
    await asyncio.wait({draining}, timeout=0)
    assert runs.gate is not None
    runs.gate.set()
    await draining
    drivers.drive(KEY)
    assert (runs.ended, drivers._drivers) == (1, {})


async def test_a_drain_cancels_what_outlasts_the_grace() -> None:
    """The lease runs out, and another process takes the turn up."""
    runs = Runs(gate=asyncio.Event())
    drivers = Drivers(Desk(begins=[turn()]), runs, owner="me", ttl=TTL)
    drivers.drive(KEY)
    await runs.begun.wait()
    await drivers.drain(0)
    assert (runs.cancelled, runs.ended) == (1, 0)


async def test_who_waits_for_idleness_waits_for_every_session() -> None:
    """Also for turns that begin meanwhile."""
    runs = Runs(gate=asyncio.Event())
    drivers = Drivers(Desk(begins=[turn(), turn()]), runs, owner="me", ttl=TTL)
    drivers.drive(KEY)
    waiting = asyncio.ensure_future(drivers.idle())
    await runs.begun.wait()
    drivers.drive(OTHER)
    assert (drivers.are_idle, waiting.done()) == (False, False)
    assert runs.gate is not None
    runs.gate.set()
    await waiting
    assert (drivers.are_idle, runs.ended) == (True, 2)


async def test_a_drain_without_work_is_over_at_once() -> None:
    """Nothing runs, nothing is waited for."""
    await Drivers(Desk(), Runs(), owner="me", ttl=TTL).drain(SOON_S)


async def test_fragments_that_come_during_a_turn_are_the_next_turn() -> None:
    """What waits behind the opening is answered together (ARCHITECTURE section 4.2)."""
    home = house(Outcome.WAITING)
    await session(home)
    home.attempts.gate = asyncio.Event()
    home.turns.open(KEY)
    await home.attempts.begun.wait()
    for name in ("m1", "m2", "m3"):
        await home.turns.accept(KEY, user_input(name))
    home.attempts.gate.set()
    await idle(home)
    assert home.attempts.merged() == [[], ["m1", "m2", "m3"]]
