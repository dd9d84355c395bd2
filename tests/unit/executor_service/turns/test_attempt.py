"""What the engine of one attempt writes to: drafts told at once, steps committed, then told."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from executor_service.failpoints import Failpoint, Failpoints
from executor_service.hub import SessionHub, Subscription
from executor_service.turn_stopping import StopToken
from executor_service.turns.attempt import Attempt
from heartrule.domain.errors import LeaseLost
from heartrule.domain.events import DraftDelta, DraftPosition, SessionEvent
from heartrule.domain.problem import Degradation
from session_store.records import CommittedStep, Lease, MonitorTicket, StepCommit
from session_store.sql.store import SqlStore
from tests.support.engine_builders import KEY, before_the_script
from tests.support.event_builders import committed
from tests.support.store_builders import call, judged, step

SNAPSHOT = before_the_script()
DRAFT = DraftDelta(at=DraftPosition(message_id="msg_1"), text="你")
STEP = step(SNAPSHOT)


@dataclass
class Journal(SqlStore):
    """A store that keeps the steps it is given, or refuses them."""

    log: list[str] = field(default_factory=list)
    steps: list[StepCommit] = field(default_factory=list)
    lost: bool = False

    async def commit_step(self, lease: Lease, step: StepCommit) -> CommittedStep:
        """Keep the step."""
        if self.lost:
            raise LeaseLost("taken over", reason="LEASE_LOST")
        self.log.append("store")
        self.steps.append(step)
        return CommittedStep(events=(committed(1),), inputs_waiting=True)


class NotedFailpoints(Failpoints):
    """Writes down which places were visited."""

    def __init__(self, log: list[str]) -> None:
        super().__init__()
        self._log = log

    def hit(self, place: Failpoint) -> None:
        """Note the place."""
        self._log.append(place.value)


class NotedHub(SessionHub):
    """Writes down when watchers are told."""

    def __init__(self, log: list[str]) -> None:
        super().__init__()
        self._log = log

    def publish(self, key: object, events: object) -> None:
        """Note that something is told, and tell it."""
        self._log.append("told")
        super().publish(key, events)  # type: ignore[arg-type]


def attempting(journal: Journal) -> tuple[Attempt, Subscription]:
    """Return an attempt and one who watches it."""
    hub = NotedHub(journal.log)
    attempt = Attempt(
        SNAPSHOT,
        store=journal,
        hub=hub,
        failpoints=NotedFailpoints(journal.log),
        stop=StopToken(),
    )
    return attempt, hub.subscribe(KEY)


async def test_a_step_is_durable_before_it_is_told() -> None:
    """The failpoints stand before and after the commit, both before anybody hears of it."""
    journal = Journal()
    attempt, _ = attempting(journal)
    await attempt.commit(STEP)
    assert journal.log == ["before_commit", "store", "after_commit", "told"]


async def test_a_draft_is_told_and_never_stored() -> None:
    """It bears turn and attempt, no number; the failpoint in mid-stream lies behind it."""
    journal = Journal()
    attempt, watcher = attempting(journal)
    attempt.emit(DRAFT)
    event = watcher.take()
    assert isinstance(event, SessionEvent)
    assert (event.body, event.sequence, event.turn_id, event.attempt) == (DRAFT, 0, "turn_1", 1)
    assert journal.log == ["told", "mid_stream"]


async def test_drafts_are_open_until_a_step_replaces_them() -> None:
    """A failure between the two takes them back."""
    attempt, _ = attempting(Journal())
    before = attempt.drafts_open
    attempt.emit(DRAFT)
    between = attempt.drafts_open
    await attempt.commit(STEP)
    assert [before, between, attempt.drafts_open] == [False, True, False]


async def test_model_calls_go_with_the_step_that_used_them() -> None:
    """Each call is in the ledger once, with the commit of its step."""
    journal = Journal()
    attempt, _ = attempting(journal)
    attempt.calls.append(call("call_1"))
    await attempt.commit(STEP)
    attempt.calls.append(call("call_2"))
    await attempt.commit(STEP)
    ids = [[one.call_id for one in kept.calls] for kept in journal.steps]
    assert (ids, attempt.calls) == ([["call_1"], ["call_2"]], [])


async def test_calls_of_a_step_that_was_refused_stay() -> None:
    """A failure will write them: nothing that was paid for is forgotten."""
    attempt, watcher = attempting(Journal(lost=True))
    attempt.calls.append(call("call_1"))
    with pytest.raises(LeaseLost):
        await attempt.commit(STEP)
    assert [one.call_id for one in attempt.calls] == ["call_1"]
    assert watcher.take() is None


async def test_the_degradations_of_committed_steps_are_the_turns() -> None:
    """Those of earlier attempts come first."""
    first, second = (Degradation(stage="parse", reason=name) for name in ("A", "B"))
    snapshot = replace(SNAPSHOT, degradations=(first,))
    attempt = Attempt(
        snapshot,
        store=Journal(),
        hub=SessionHub(),
        failpoints=Failpoints(),
        stop=StopToken(),
    )
    await attempt.commit(replace(STEP, degradations=(second,)))
    assert attempt.degradations == (first, second)


async def test_a_judged_round_leaves_a_ticket_for_the_monitor() -> None:
    """Where an analysis is asked for; named by instance and round."""
    attempt, _ = attempting(Journal())
    result = judged(2, action_instance_id="act_1")
    await attempt.commit(replace(STEP, result=result))
    await attempt.commit(replace(STEP, result=result, monitor_requested=True))
    assert attempt.tickets == [MonitorTicket(key=KEY, action_instance_id="act_1", round=2)]


async def test_what_waits_behind_the_turn_is_known_from_its_last_step() -> None:
    """The commit re-reads the waiting inputs under the session's lock."""
    attempt, _ = attempting(Journal())
    await attempt.commit(STEP)
    assert attempt.inputs_waiting
