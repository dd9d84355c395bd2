"""Any order in which a client, turns, crashes and slow or lost monitor answers can meet."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from heartrule.domain.conversation import Role
from heartrule.domain.events import AdviceChanged, SessionEvent
from heartrule.domain.monitoring import AdviceState
from session_store.ports import Store
from session_store.records import ActionInstance, InstanceState, MonitorWork, TurnSnapshot
from tests.support.store_builders import (
    AT_ONCE,
    LONG,
    accept,
    advice,
    analysed,
    at_round,
    begun,
    failure,
    instance,
    judged,
    last_step,
    opened,
    said,
)

_T = TypeVar("_T")
_WHICH = st.integers(min_value=0, max_value=1_000)


@dataclass(frozen=True, slots=True)
class _Made:
    """An advice the store took in, as the test knows it."""

    instance_id: str
    about_round: int
    judged_turn_no: int


class MonitorInterleavings(RuleBasedStateMachine):
    """One session: every rule is something that may happen next, whatever happened before.

    Each begun turn is held against RESOLUTIONS C10 to C12: its advice is of the running instance,
    about an earlier round, young enough, the newest known, and was in no committed prompt before.
    """

    def __init__(self) -> None:
        """Begin with an open session, as a first question leaves it."""
        super().__init__()
        self._runner = asyncio.Runner()
        self._manager = self.open_store()
        self._store = self._run(self._manager.__aenter__())
        self._instance, self._round, self._turns = 1, 1, 0
        self._waiting = False
        self._words: dict[tuple[str, int], str] = {}
        self._judged: dict[tuple[str, int], int] = {}
        self._works: list[MonitorWork] = []
        self._made: dict[str, _Made] = {}
        self._used: set[str] = set()

    def open_store(self) -> AbstractAsyncContextManager[Store]:
        """Return a fresh store."""
        raise NotImplementedError

    def teardown(self) -> None:
        """Close the store."""
        self._run(self._manager.__aexit__(None, None, None))
        self._runner.close()

    @initialize()
    def open_session(self) -> None:
        """The opening turn asks the first question."""
        self._key = self._run(opened(self._store))

    # --- the client and its turns -----------------------------------------------------------------

    @rule(ends=st.sampled_from([False, False, False, True]))
    def turn(self, *, ends: bool) -> None:
        """A turn judges what the client said; its prompt holds the advice it was given."""
        self._commit(self._begin(), ends=ends and self._round > 1)

    @rule()
    def crash(self) -> None:
        """The process dies in a turn before anything is committed; the lease runs out."""
        self._begin(lost=True)

    @rule()
    def failed_turn(self) -> None:
        """The model fails: nothing is consumed, the same words are judged by the next attempt."""
        snapshot = self._begin()
        self._run(self._store.fail_turn(snapshot.lease, failure(snapshot)))

    # --- the monitor ------------------------------------------------------------------------------

    @rule(lost=st.booleans())
    def claims(self, *, lost: bool) -> None:
        """A worker takes up what is due; `lost`: it will be found again at once."""
        ttl = AT_ONCE if lost else LONG
        for due in self._run(self._store.due_monitor_requests(10)):
            if due.exhausted:
                self._take_in(self._run(self._store.finish_analysis(analysed(due))))
                continue
            work = self._run(self._store.claim_monitor_request(due, owner="me", ttl=ttl))
            if work is not None:
                self._check_input(work)
                self._works.append(work)

    @rule(which=_WHICH, how=st.sampled_from(["advice", "advice", "silence", "failure"]))
    def answers(self, which: int, how: str) -> None:
        """Any answer arrives: the newest or the oldest, once or again, or one thought lost."""
        if not self._works:
            return
        work = self._works[which % len(self._works)]
        name = f"adv_{len(self._made)}_{work.ticket.action_instance_id}_{work.ticket.round}"
        given = None
        if how == "advice":
            given = advice(
                name,
                work.ticket.round,
                action_instance_id=work.ticket.action_instance_id,
            )
        again = AT_ONCE if how == "failure" else None
        record = analysed(work.ticket, given, retry_after=again, judged_turn_id=work.turn_id)
        self._take_in(self._run(self._store.finish_analysis(record)))

    @rule(order=st.permutations(range(3)))
    def slow_monitor(self, order: list[int]) -> None:
        """It falls behind by three rounds, and then answers them in any order."""
        for _ in order:
            self.turn(ends=False)
        self.claims(lost=False)
        for which in order:
            self.answers(max(0, len(self._works) - 1 - which), "advice")

    # --- what must hold ---------------------------------------------------------------------------

    def _begin(self, *, lost: bool = False) -> TurnSnapshot:
        if not self._waiting:
            self._turns, self._waiting = self._turns + 1, True
        # A repeat asks for a failed turn again; of a running one it changes nothing.
        words = f"answer {self._turns}"
        self._run(accept(self._store, self._key, f"m{self._turns}", words))
        snapshot = self._run(begun(self._store, self._key, AT_ONCE if lost else LONG))
        self._take_in(snapshot.events)
        self._check(snapshot)
        return snapshot

    def _commit(self, snapshot: TurnSnapshot, *, ends: bool) -> None:
        name = self._name()
        used = snapshot.advice.advice_id if snapshot.advice else ""
        self._words[name, self._round] = f"answer {self._turns}"
        self._judged[name, self._round] = snapshot.turn_no
        result = judged(self._round, action_instance_id=name, completed=ends)
        over = instance(name, self._instance, state=InstanceState.COMPLETED)
        rows: tuple[ActionInstance, ...] = (over,) if ends else ()
        if ends:
            self._instance, self._round = self._instance + 1, 1
            rows += (instance(self._name(), self._instance),)
        else:
            self._round += 1
        done = last_step(
            snapshot,
            said("next question", action_instance_id=name),
            position=at_round(self._round, action_instance_id=self._name()),
            result=result,
            instances=rows,
            advice_consumed=used,
            monitor_requested=True,
        )
        self._waiting = False
        if used:
            assert used not in self._used, "an advice was used twice"
            self._used.add(used)
        self._take_in(self._run(self._store.commit_step(snapshot.lease, done)).events)

    def _check(self, snapshot: TurnSnapshot) -> None:
        given = snapshot.advice
        if given is None:
            return
        made = self._made[given.advice_id]
        assert made.instance_id == self._name(), "advice of another action"
        assert made.about_round < self._round, "advice about a round to come"
        assert snapshot.turn_no - made.judged_turn_no <= given.ttl_turns, "stale advice"
        assert given.advice_id not in self._used, "used advice"
        newer = [
            other
            for other in self._made.values()
            if other.instance_id == made.instance_id and other.about_round > made.about_round
        ]
        assert newer == [], "superseded advice"

    def _check_input(self, work: MonitorWork) -> None:
        name = (work.ticket.action_instance_id, work.ticket.round)
        replies = [line.text for line in work.dialogue if line.role is Role.CLIENT]
        assert replies == [self._words[name]], "a monitor does not see the reply it judges"

    def _take_in(self, events: tuple[SessionEvent, ...]) -> None:
        for event in events:
            if isinstance(event.body, AdviceChanged):
                told = event.body.advice
                if told.state is AdviceState.CONSUMED:
                    assert told.advice_id in self._used, "consumed by nobody"
                name = (told.action_instance_id, told.about_round)
                self._made.setdefault(
                    told.advice_id, _Made(*name, judged_turn_no=self._judged[name])
                )

    def _name(self) -> str:
        return f"ai_{self._instance}"

    def _run(self, work: Coroutine[Any, Any, _T]) -> _T:
        return self._runner.run(work)
