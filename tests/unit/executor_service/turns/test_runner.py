"""One attempt run to its end: lease kept, time limited, every failure written down."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from executor_service.failpoints import Failpoints
from executor_service.hub import SessionHub
from executor_service.turns.runner import RunnerDeps, TurnRunner
from executor_service.turns.stop_registry import StopRegistry
from heartrule.domain.errors import ModelUnavailable, NotFound, StoreUnavailable
from heartrule.domain.events import DraftVoided, MessageCommitted, Outcome, SessionEvent, TurnEnded
from session_store.open import open_in_memory
from session_store.records import Lease, MonitorTicket, MonitorWork, Page, TurnFailure, TurnSnapshot
from session_store.sql.database.engine_sqlite import MemoryEngine
from session_store.sql.store import SqlStore
from tests.support.engine_builders import KEY, ask, engine_deps, say, script
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.store_builders import new_session, user_input
from tests.support.turn_builders import OneScript

QUESTION = ask_reply("怎么称呼你？")
DOWN = ModelUnavailable("secret address", reason="MODEL_UNAVAILABLE")
LONG = timedelta(hours=1)
AT_ONCE = timedelta(0)
ASKING = script(ask(max_rounds=1), say("bye"))
NO_SCRIPT = NotFound("script", "gone")


@dataclass
class Running:
    """A runner over the real store, and what it handed over and told."""

    model: FakeModel
    store: SqlStore = field(default_factory=open_in_memory)
    library: OneScript = field(default_factory=lambda: OneScript(ASKING))
    lease_ttl: timedelta = LONG
    turn_timeout: timedelta = LONG
    tickets: list[MonitorTicket | MonitorWork] = field(default_factory=list)
    hub: SessionHub = field(default_factory=SessionHub)
    stops: StopRegistry = field(init=False)

    def __post_init__(self) -> None:
        """Take what is asked of attempts from the store."""
        self.stops = StopRegistry(self.store)

    async def opening(self) -> TurnSnapshot:
        """Create the session and begin its opening turn."""
        await self.store.create_session(new_session(KEY.session_id, KEY.tenant))
        begun = await self.store.begin_opening(KEY, owner="me", ttl=self.lease_ttl)
        assert isinstance(begun, TurnSnapshot)
        return begun

    async def answering(self, **fields: Any) -> TurnSnapshot:
        """Run the opening and begin the turn of one input."""
        await self.run(await self.opening())
        await self.store.accept_input(KEY, user_input("m1", "小明", **fields))
        begun = await self.store.begin_turn(KEY, owner="me", ttl=self.lease_ttl)
        assert isinstance(begun, TurnSnapshot)
        return begun

    async def run(self, snapshot: TurnSnapshot) -> bool:
        """Run an attempt."""
        deps = RunnerDeps(
            store=self.store,
            hub=self.hub,
            stops=self.stops,
            scripts=self.library,
            engine=engine_deps(self.model),
            failpoints=Failpoints(),
            hand_over=self.tickets.append,
            summarize=lambda _: None,
            lease_ttl=self.lease_ttl,
            turn_timeout=self.turn_timeout,
        )
        async with asyncio.timeout(5):
            return await TurnRunner(deps).run(snapshot)

    async def told(self) -> list[SessionEvent]:
        """Return the durable events of the session."""
        return list(await self.store.read_events(KEY, 0))

    async def last_end(self) -> TurnEnded:
        """Return how the newest turn ended."""
        ends = [e.body for e in await self.told() if isinstance(e.body, TurnEnded)]
        return ends[-1]


def held() -> Reply:
    """Return an answer that never comes to its end."""
    return Reply(('{"content":"', "好"), gate=asyncio.Event())


class Stolen(SqlStore):
    """A store in which somebody else takes the session over before the lease is renewed."""

    async def renew_lease(self, lease: Lease, ttl: timedelta) -> bool:
        """Say that the lease is gone."""
        return False


class Unwritable(SqlStore):
    """A store that cannot even write a failure."""

    async def fail_turn(self, lease: Lease, failure: TurnFailure) -> tuple[SessionEvent, ...]:
        """Refuse."""
        raise StoreUnavailable("down", reason="STORE_UNAVAILABLE")


async def test_a_turn_that_ends_well_says_whether_more_waits() -> None:
    """The last step re-reads what came meanwhile."""
    running = Running(FakeModel([QUESTION, ask_reply("好。"), ask_reply("再见")]))
    snapshot = await running.answering()
    await running.store.accept_input(KEY, user_input("m2", "还有"))
    assert await running.run(snapshot)
    assert (await running.last_end()).outcome is Outcome.WAITING


async def test_a_model_that_is_down_ends_the_attempt_as_failed() -> None:
    """The problem is told, the lease is free, and the turn may run again (C24)."""
    running = Running(FakeModel([Reply((), fails=DOWN), QUESTION]))
    assert not await running.run(await running.opening())
    ended = await running.last_end()
    assert ended.problem is not None
    assert (ended.outcome, ended.problem.reason) == (Outcome.FAILED, "MODEL_UNAVAILABLE")
    again = await running.store.begin_opening(KEY, owner="other", ttl=LONG)
    assert isinstance(again, TurnSnapshot)
    assert again.attempt == 2


async def test_a_failed_attempt_takes_back_what_it_showed() -> None:
    """Drafts no commit replaced are voided, before the end is told."""
    cut = Reply(('{"content":"你好', "呀"), fails=DOWN)
    running = Running(FakeModel([cut]))
    await running.run(await running.opening())
    bodies = [event.body for event in await running.told()]
    assert isinstance(bodies[-2], DraftVoided)
    assert isinstance(bodies[-1], TurnEnded)


async def test_a_failed_attempts_calls_are_in_the_ledger() -> None:
    """What was asked is paid for, answered or not."""
    running = Running(FakeModel([Reply((), fails=DOWN)]))
    await running.run(await running.opening())
    calls, _ = await running.store.list_calls(KEY, Page())
    assert [call.error for call in calls] == ["MODEL_UNAVAILABLE"]


async def test_a_failure_tells_the_degradations_of_the_steps_before_it() -> None:
    """An end that failed hides nothing of what was done less well."""
    running = Running(FakeModel([QUESTION, '{"EXIT":', Reply((), fails=DOWN)]))
    await running.run(await running.answering())
    ended = await running.last_end()
    assert ended.outcome is Outcome.FAILED
    assert [d.reason for d in ended.degradations] == ["UNREADABLE_REPLY"]


async def test_a_turn_that_takes_too_long_is_ended() -> None:
    """DEADLINE_EXCEEDED with the stage; the model call is cancelled."""
    running = Running(FakeModel([held()]), turn_timeout=AT_ONCE)
    await running.run(await running.opening())
    problem = (await running.last_end()).problem
    assert problem is not None
    assert (problem.code, problem.reason, problem.metadata["stage"]) == (4, "TURN_TIMEOUT", "turn")


async def test_an_input_may_ask_for_less_time_and_never_for_more() -> None:
    """The shorter of the two limits counts."""
    running = Running(FakeModel([QUESTION, held()]))
    await running.run(await running.answering(turn_timeout=timedelta(microseconds=1)))
    problem = (await running.last_end()).problem
    assert problem is not None
    assert problem.reason == "TURN_TIMEOUT"


async def test_the_servers_limit_holds_for_an_input_that_wants_more() -> None:
    """A client cannot keep a turn alive beyond the server's own limit."""
    running = Running(FakeModel([QUESTION, held()]))
    snapshot = await running.answering(turn_timeout=LONG)
    running.turn_timeout = AT_ONCE
    await running.run(snapshot)
    problem = (await running.last_end()).problem
    assert problem is not None
    assert problem.reason == "TURN_TIMEOUT"


async def test_an_unforeseen_error_is_internal_and_says_nothing_of_itself(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The client gets an id; the text stays in the log under that id."""
    running = Running(FakeModel())
    await running.run(await running.opening())
    problem = (await running.last_end()).problem
    assert problem is not None
    assert (problem.code, problem.reason) == (13, "INTERNAL")
    assert "pop from empty list" not in problem.message
    error_id = problem.metadata["error_id"]
    assert error_id in [getattr(record, "error_id", "") for record in caplog.records]


async def test_each_ended_turn_is_one_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """One that failed, too."""
    caplog.set_level("INFO", logger="executor_service")
    running = Running(FakeModel([QUESTION, Reply((), fails=DOWN)]))
    await running.run(await running.answering())
    told = [vars(each) for each in caplog.records if each.msg == "turn ended"]
    assert [(each["outcome"], each["rounds"]) for each in told] == [("waiting", 1), ("failed", 0)]


async def test_a_script_that_is_gone_fails_the_turn() -> None:
    """It is an error of the turn, not of the process."""
    running = Running(FakeModel(), library=OneScript(NO_SCRIPT))
    await running.run(await running.opening())
    problem = (await running.last_end()).problem
    assert problem is not None
    assert problem.reason == "SCRIPT_NOT_FOUND"


async def test_a_lost_lease_writes_nothing() -> None:
    """The new holder decides: no failure is committed, watchers read what it wrote."""
    running = Running(FakeModel([QUESTION]), lease_ttl=AT_ONCE)
    snapshot = await running.opening()
    assert isinstance(await running.store.begin_opening(KEY, owner="other", ttl=LONG), TurnSnapshot)
    watcher = running.hub.subscribe(KEY)
    running.lease_ttl = LONG
    assert not await running.run(snapshot)
    assert not [e for e in await running.told() if isinstance(e.body, TurnEnded)]
    assert watcher.take_behind()


async def test_a_lease_lost_at_renewal_stops_the_engine() -> None:
    """A holder that was fenced off stops its model call instead of paying for it."""
    running = Running(FakeModel([held()]), store=Stolen(MemoryEngine()), lease_ttl=AT_ONCE)
    assert not await running.run(await running.opening())
    assert not [e for e in await running.told() if isinstance(e.body, TurnEnded)]


async def test_a_failure_that_cannot_be_written_is_left_to_the_sweep() -> None:
    """Nothing is raised: the orphan is found when its lease has run out."""
    running = Running(FakeModel([Reply((), fails=DOWN)]), store=Unwritable(MemoryEngine()))
    watcher = running.hub.subscribe(KEY)
    assert not await running.run(await running.opening())
    assert watcher.take_behind()


async def test_committed_rounds_are_handed_to_the_monitor_though_a_later_step_fails() -> None:
    """The round was judged and is durable, whatever becomes of the turn."""
    running = Running(FakeModel([QUESTION, ask_reply("好。"), Reply((), fails=DOWN)]))
    await running.run(await running.answering())
    assert (await running.last_end()).outcome is Outcome.FAILED
    (ticket,) = running.tickets
    assert isinstance(ticket, MonitorTicket)
    assert ticket.round == 1


async def test_a_cancelled_attempt_hands_over_what_it_committed() -> None:
    """A process that stops leaves no round unjudged that it could still hand over."""
    slow = held()
    running = Running(FakeModel([QUESTION, ask_reply("好。"), slow]))
    snapshot = await running.answering()
    attempt = asyncio.ensure_future(running.run(snapshot))
    await slow.started.wait()
    attempt.cancel()
    with pytest.raises(asyncio.CancelledError):
        await attempt
    assert len(running.tickets) == 1


@pytest.mark.parametrize(
    ("text", "outcome"), [("CRISIS", Outcome.WAITING), ("THIRD_PARTY", Outcome.FAILED)]
)
async def test_the_card_needs_no_script(text: str, outcome: Outcome) -> None:
    """A script that cannot be read fails the turn behind the card, or is not needed at all."""
    running = Running(FakeModel([QUESTION]))
    await running.run(await running.opening())
    await running.store.accept_input(KEY, user_input("m1", text))
    begun = await running.store.begin_turn(KEY, owner="me", ttl=LONG)
    assert isinstance(begun, TurnSnapshot)
    running.library.script = NO_SCRIPT
    await running.run(begun)
    *_, last = [e.body for e in await running.told() if isinstance(e.body, MessageCommitted)]
    assert "12356" in last.message.plain_text()
    assert (await running.last_end()).outcome is outcome


async def test_an_ordinary_turn_fails_without_its_script() -> None:
    """Nothing is said in its place."""
    running = Running(FakeModel([QUESTION]))
    begun = await running.answering()
    running.library.script = NO_SCRIPT
    await running.run(begun)
    problem = (await running.last_end()).problem
    assert problem is not None
    assert problem.reason == "SCRIPT_NOT_FOUND"
