"""One worker a session: it runs turns as long as there are any."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from heartrule.domain.errors import HeartRuleError, NotFound, StoreUnavailable
from heartrule.domain.events import Outcome
from heartrule.domain.keys import SessionKey
from session_store.records import NoTurn, TurnSnapshot
from tests.support.engine_builders import KEY
from tests.support.store_builders import user_input
from tests.support.turn_builders import SOON_S, house, idle, session
from tests.support.worker_builders import NOW, Runs, WrittenStore, settled, turn, worked, workers_of

OTHER = SessionKey("default", "ses_2")


async def test_turns_run_until_nothing_waits() -> None:
    """Each that ends well is followed by a look for the next."""
    store, runs = WrittenStore(begins=[turn(), turn()]), Runs()
    await worked(store, runs)
    assert (runs.ended, store.asked) == (2, ["turn"] * 3)


async def test_an_attempt_that_failed_is_not_repeated_at_once() -> None:
    """Somebody has to ask for it: a repeat, a new input, or the sweep."""
    store, runs = WrittenStore(begins=[turn(), turn()]), Runs(more=[False])
    await worked(store, runs)
    assert runs.ended == 1


async def test_the_opening_is_begun_before_the_turns() -> None:
    """Once it is done, waiting inputs follow."""
    store, runs = WrittenStore(openings=[turn()], begins=[turn()]), Runs()
    await worked(store, runs, opening=True)
    assert (store.asked, runs.ended) == (["opening", "turn", "turn"], 2)


async def test_an_opening_the_store_did_not_take_is_begun_again() -> None:
    """Nobody else would: no row tells of it, and its client waits on a stream that lives."""
    away = StoreUnavailable("the database is away", reason="STORE_UNAVAILABLE")
    store, runs = WrittenStore(openings=[away, away, turn()]), Runs()
    workers = workers_of(store, runs, reopen_after_s=0)
    workers.wake(KEY, opening=True)
    async with asyncio.timeout(SOON_S):
        await runs.begun.wait()
    await settled(workers)
    assert (store.asked, runs.ended) == (["opening"] * 3 + ["turn"], 1)


async def test_an_opening_that_is_refused_is_not_begun_again() -> None:
    """A session that is gone stays so."""
    store, runs = WrittenStore(openings=[NotFound("session", "s"), turn()]), Runs()
    await worked(store, runs, opening=True)
    assert (store.asked, runs.ended) == (["opening"], 0)


async def test_an_opening_that_is_done_leads_to_the_turns() -> None:
    """IDLE from the opening means to look for inputs."""
    store, runs = WrittenStore(begins=[turn()]), Runs()
    await worked(store, runs, opening=True)
    assert (store.asked[0], runs.ended) == ("opening", 1)


@pytest.mark.parametrize("opening", [True, False])
async def test_a_session_another_process_holds_is_left_to_it(*, opening: bool) -> None:
    """HELD ends the worker: the holder reads what waits with its last step."""
    store, runs = WrittenStore(openings=[NoTurn.HELD], begins=[NoTurn.HELD, turn()]), Runs()
    await worked(store, runs, opening=opening)
    assert (runs.ended, len(store.asked)) == (0, 1)


@pytest.mark.parametrize("opening", [True, False])
async def test_an_urgent_input_takes_over_from_a_holder_that_is_silent(*, opening: bool) -> None:
    """Its process may be dead: nobody in danger waits for the end of a lease."""
    store = WrittenStore(openings=[NoTurn.URGENT], begins=[turn()])
    if not opening:
        store.begins.insert(0, NoTurn.URGENT)
    runs = Runs()
    await worked(store, runs, opening=opening)
    assert (store.asked[1], runs.ended) == ("over", 1)


async def test_a_holder_that_lives_keeps_its_session() -> None:
    """It has begun the turn of the urgent input meanwhile."""
    store, runs = WrittenStore(begins=[NoTurn.URGENT, NoTurn.HELD, turn()]), Runs()
    await worked(store, runs)
    assert (store.asked, runs.ended) == (["turn", "over"], 0)


async def test_a_merge_window_is_waited_for() -> None:
    """A turn that begins later is asked for again when its window closes."""
    store, runs = WrittenStore(begins=[NOW, turn()]), Runs()
    await worked(store, runs)
    assert (runs.ended, len(store.asked)) == (1, 3)


async def test_what_is_asked_meanwhile_is_looked_at_again() -> None:
    """An input that comes while its session is worked makes the worker look once more."""
    store, runs = WrittenStore(begins=[turn(), turn()]), Runs(more=[False], gate=asyncio.Event())
    workers = workers_of(store, runs)
    workers.wake(KEY)
    await runs.begun.wait()
    workers.wake(KEY)
    assert runs.gate is not None
    runs.gate.set()
    await settled(workers)
    assert runs.ended == 2


async def test_an_opening_asked_for_meanwhile_is_begun() -> None:
    """The wish is kept until the worker comes round."""
    store = WrittenStore(begins=[turn()], openings=[turn()])
    runs = Runs(more=[False], gate=asyncio.Event())
    workers = workers_of(store, runs)
    workers.wake(KEY)
    await runs.begun.wait()
    workers.wake(KEY, opening=True)
    assert runs.gate is not None
    runs.gate.set()
    await settled(workers)
    assert "opening" in store.asked


async def test_a_wish_to_open_survives_a_wish_to_go_on() -> None:
    """Whoever asks next does not take it back."""
    store = WrittenStore(openings=[turn()])
    workers = workers_of(store, Runs())
    workers.wake(KEY, opening=True)
    workers.wake(KEY)
    await settled(workers)
    assert store.asked[0] == "opening"


async def test_a_session_has_one_worker() -> None:
    """However often it is asked for, one turn runs at a time."""
    store, runs = WrittenStore(begins=[turn()]), Runs(gate=asyncio.Event())
    workers = workers_of(store, runs)
    for _ in range(3):
        workers.wake(KEY)
    await runs.begun.wait()
    assert len(workers._workers) == 1
    await workers.drain(0)


@pytest.mark.parametrize(
    "error", [StoreUnavailable("down", reason="STORE_UNAVAILABLE"), HeartRuleError("x", reason="X")]
)
async def test_a_store_that_fails_ends_the_worker_and_no_more(error: HeartRuleError) -> None:
    """The next one who asks begins anew."""
    store, runs = WrittenStore(begins=[error, turn()]), Runs()
    workers = await worked(store, runs)
    workers.wake(KEY)
    await settled(workers)
    assert runs.ended == 1


async def test_an_unforeseen_error_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A worker that breaks leaves its reason in the log, and the session free for the sweep."""

    async def broken(snapshot: TurnSnapshot) -> bool:
        raise ZeroDivisionError

    workers = workers_of(WrittenStore(begins=[turn()]), broken)
    workers.wake(KEY)
    await settled(workers)
    assert [record.exc_info is not None for record in caplog.records] == [True]
    assert workers._workers == {}


async def test_the_sweep_takes_up_what_lies_about() -> None:
    """Every session with work gets a worker."""
    store, runs = WrittenStore(begins=[turn(), NoTurn.IDLE, turn()], work=(KEY, OTHER)), Runs()
    workers = workers_of(store, runs)
    await workers.sweep()
    assert set(workers._workers) == {KEY, OTHER}
    await settled(workers)


async def test_a_dead_holders_turn_is_taken_up_as_its_lease_ends() -> None:
    """The sweep waits for a lease that nobody renews, and no longer; its own turns it lets be."""
    runs = Runs()
    store = WrittenStore(begins=[turn()], lapsing=((KEY, timedelta(0)), (OTHER, timedelta(days=1))))
    workers = workers_of(store, runs)
    await workers.sweep()
    assert workers._workers == {}
    async with asyncio.timeout(SOON_S):
        await runs.begun.wait()
    await settled(workers)
    assert store.asked == ["turn", "turn"]


async def test_a_drain_lets_the_running_turn_end_and_begins_no_other() -> None:
    """What waits is left to the next process."""
    store, runs = WrittenStore(begins=[turn(), turn()]), Runs(gate=asyncio.Event())
    workers = workers_of(store, runs)
    workers.wake(KEY)
    await runs.begun.wait()
    draining = asyncio.ensure_future(workers.drain(SOON_S))
    await asyncio.wait({draining}, timeout=0)
    assert runs.gate is not None
    runs.gate.set()
    await draining
    workers.wake(KEY)
    assert (runs.ended, workers._workers) == (1, {})


async def test_a_drain_cancels_what_outlasts_the_grace() -> None:
    """The lease runs out, and another process takes the turn up."""
    runs = Runs(gate=asyncio.Event())
    workers = workers_of(WrittenStore(begins=[turn()]), runs)
    workers.wake(KEY)
    await runs.begun.wait()
    await workers.drain(0)
    assert (runs.cancelled, runs.ended) == (1, 0)


async def test_who_waits_for_idleness_waits_for_every_session() -> None:
    """Also for turns that begin meanwhile."""
    runs = Runs(gate=asyncio.Event())
    workers = workers_of(WrittenStore(begins=[turn(), turn()]), runs)
    workers.wake(KEY)
    waiting = asyncio.ensure_future(workers.idle())
    await runs.begun.wait()
    workers.wake(OTHER)
    assert (workers.running, waiting.done()) == (2, False)
    assert runs.gate is not None
    runs.gate.set()
    await waiting
    assert (workers.running, runs.ended) == (0, 2)


async def test_a_drain_without_work_is_over_at_once() -> None:
    """Nothing runs, nothing is waited for."""
    await workers_of(WrittenStore(), Runs()).drain(SOON_S)


async def test_fragments_that_come_during_a_turn_are_the_next_turn() -> None:
    """What waits behind the opening is answered together."""
    home = house(Outcome.WAITING)
    await session(home)
    home.attempts.gate = asyncio.Event()
    home.turns.wake(KEY, opening=True)
    await home.attempts.begun.wait()
    for name in ("m1", "m2", "m3"):
        await home.turns.accept(KEY, user_input(name))
    home.attempts.gate.set()
    await idle(home)
    assert home.attempts.merged() == [[], ["m1", "m2", "m3"]]


async def test_the_beginning_of_a_turn_is_published_before_it_runs() -> None:
    """A watcher receives TurnStarted before the first draft."""
    home = house()
    await session(home)
    watcher = home.hub.subscribe(KEY)
    home.attempts.gate = asyncio.Event()
    home.turns.wake(KEY, opening=True)
    await home.attempts.begun.wait()
    assert watcher.take() == home.attempts.run[0].events[0]
    await home.turns.drain(0)
