"""Random operations on a store, told so that two stores can be compared.

The same seed gives the same operations wherever the outcomes agree.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

from heartrule.domain.conversation import IfBusy
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import AnalysisOutcome
from session_store.ports import Store
from session_store.records import (
    MonitorTicket,
    StepCommit,
    SummaryWork,
    TurnSnapshot,
)
from tests.support.invariants import events_in
from tests.support.random_steps import RandomSteps
from tests.support.store_age import aging, random_summary
from tests.support.store_back import random_fork, random_retry
from tests.support.store_builders import (
    AT_ONCE,
    LONG,
    advice,
    analysed,
    call,
    failure,
    new_session,
    user_input,
)
from tests.support.store_decisions import revision
from tests.support.store_edits import random_edits, with_edits
from tests.support.store_forms import as_form
from tests.support.store_plain import Plain
from tests.support.store_random_decisions import random_decision, with_decisions
from tests.support.store_random_runs import RandomRuns
from tests.support.store_random_threads import RandomThreads
from tests.support.store_reads import read_session
from tests.support.store_safety import random_safety
from tests.support.store_stops import random_stop

UNORDERED = frozenset(
    {
        *("list_variables", "find_work", "due_monitor_requests", "due_plannings"),
        *("due_runs", "orphaned_runs"),
    }
)
BROUGHT = tuple(revision(1, name).workflow for name in ("brought_1", "brought_2"))
KEYS = tuple(SessionKey("t", f"s{number}") for number in range(3))


class Play(RandomSteps):
    """One play: a store, the dice, and what has been seen so far."""

    def __init__(self, store: Store, seed: int) -> None:
        super().__init__(seed)
        self.store = store
        self.transcript: list[tuple[str, object]] = []
        self.emitted: list[SessionEvent] = []
        """Every event that a call returned."""
        self._plain = Plain()
        self._works: list[SummaryWork] = []
        self._snapshots: list[TurnSnapshot] = []
        self._live: dict[SessionKey, TurnSnapshot] = {}
        self._tickets: list[MonitorTicket] = []
        self._judged: dict[MonitorTicket, str] = {}
        self._decided: set[str] = set()
        self._decisions: dict[SessionKey, list[str]] = {}
        self._runs = RandomRuns(self._do, self.dice, KEYS)
        self._threads = RandomThreads(self._do, self.dice, KEYS)

    async def run(self, moves: int) -> list[tuple[str, object]]:
        """Create the sessions, make that many random moves, and return all that came of them."""
        for number, key in enumerate(KEYS):
            window = LONG if number == 2 else AT_ONCE
            new = new_session(
                key.session_id,
                user_id="u" * (number > 0),
                merge_window=window,
                workflows=BROUGHT[:number],
            )
            await self._do("create_session", new)
        choices: list[tuple[Callable[[], Awaitable[None]], int]] = [
            (self._accept, 9),
            (self._begin, 8),
            (self._commit, 12),
            (self._fail, 2),
            (partial(random_stop, self._do, self.dice, self._snapshots, self._live), 3),
            (self._claim, 4),
            (self._finish, 5),
            (self._look, 3),
            (self._propose, 5),
            (self._go_back, 3),
            (partial(random_safety, self._do, self.dice, KEYS), 2),
            (self._summarize, 2),
            (partial(random_decision, self._do, self.dice, KEYS), 2),
            (self._runs.move, 14),
            (self._threads.move, 14),
            (self._erase, 0 if moves < 100 else 1),
        ]
        for _ in range(moves):
            move = self.dice.choices(*zip(*choices, strict=True))[0]
            await move()
        for key in KEYS:
            await self._read(key)
        return self.transcript

    async def _do(self, method: str, *args: object, **more: object) -> object:
        """Call the store, write down what came, and return it."""
        try:
            outcome = await getattr(self.store, method)(*args, **more)
        except HeartRuleError as error:
            self.transcript.append((method, (type(error).__name__, error.reason)))
            return None
        plain = self._plain.of(outcome)
        if method in UNORDERED and isinstance(plain, list):
            plain = sorted(plain, key=repr)
        self.transcript.append((method, plain))
        self.emitted.extend(events_in(outcome))
        return outcome

    async def _accept(self) -> None:
        mode = self.dice.choice([None] * 9 + [IfBusy.QUEUE] * 3 + list(IfBusy))
        name = f"m{self.dice.choice([self._next(), self.dice.randrange(40)])}"
        text = self.dice.choice([name] * 9 + ["other"])
        sent = user_input(name, text, if_busy=mode, traceparent=self.dice.choice(["", name]))
        limited = self.dice.choice([None, timedelta(seconds=self.dice.randrange(1, 9))])
        if self.dice.random() < 0.1:
            sent = as_form(sent, self._made - self.dice.randrange(20))
        sent, key, urgent = replace(sent, turn_timeout=limited), self._key(), self._seldom()
        if self.dice.random() < 0.6:
            await self._do("accept_input", key, sent, urgent=urgent)
            return
        got = await self._do("accept_and_begin", key, sent, urgent=urgent, **self._holder())
        if isinstance(got, tuple):
            self._began(key, got[1])

    async def _begin(self) -> None:
        method = self.dice.choice(["begin_opening", "begin_turn", "begin_turn"])
        key = self._key()
        self._began(key, await self._do(method, key, **self._holder()))

    def _holder(self) -> dict[str, object]:
        ttl = self.dice.choice([AT_ONCE, LONG])
        return {"owner": self.dice.choice("ab"), "ttl": ttl}

    def _began(self, key: SessionKey, got: object) -> None:
        if isinstance(got, TurnSnapshot):
            self._snapshots.append(got)
            self._live[key] = got

    async def _commit(self) -> None:
        if not self._live and self.dice.random() < 0.9:
            await self._begin()
        if not self._snapshots:
            return
        snapshot = self._snapshot()
        done = with_edits(self.dice, snapshot, self._step(snapshot), self._decided)
        key = snapshot.lease.key
        known = self._decisions.setdefault(key, [])
        done = self._runs.in_step(key, with_decisions(self.dice, done, self._next(), known))
        done = self._threads.in_step(key, done)
        self._note_ticket(snapshot, done)
        if await self._do("commit_step", snapshot.lease, done):
            known += (each.decision.decision_id for each in done.decisions)
        if done.end is not None:
            self._live.pop(snapshot.lease.key, None)

    def _note_ticket(self, snapshot: TurnSnapshot, done: StepCommit) -> None:
        """Keep what names the analysis that a step asks for, and the turn it judges."""
        if done.monitor_requested and done.result is not None:
            name, round_no = done.result.action_instance_id, done.result.round
            key = snapshot.lease.key
            self._tickets.append(MonitorTicket(key=key, action_instance_id=name, round=round_no))
            self._judged[self._tickets[-1]] = snapshot.turn_id

    async def _fail(self) -> None:
        if not self._live:
            return
        snapshot = self._snapshot()
        await self._do("renew_lease", snapshot.lease, self.dice.choice([AT_ONCE, LONG]))
        calls = (call(self._id("call")),)
        over = failure(snapshot, drafts_shown=self._chance(), calls=calls, is_final=self._seldom())
        await self._do("fail_turn", snapshot.lease, over)
        self._live.pop(snapshot.lease.key, None)

    async def _claim(self) -> None:
        if self._tickets:
            ticket = self.dice.choice(self._tickets[-4:])
            ttl = self.dice.choice([AT_ONCE, LONG])
            await self._do("claim_monitor_request", ticket, owner="a", ttl=ttl)
            if self._chance():
                await self._do("renew_claim", ticket, owner=self.dice.choice("ab"), ttl=ttl)

    async def _finish(self) -> None:
        if not self._tickets:
            return
        ticket = self.dice.choice(self._tickets[-4:])
        name, round_no = ticket.action_instance_id, ticket.round
        given = advice(self._id("adv"), round_no, action_instance_id=name)
        calls, kept = (call(self._id("call")),), given if self._chance() else None
        of_turn = self._judged[ticket] if self._chance() else ""
        record = analysed(
            ticket, kept, calls=calls, plan_owed=self._chance(), judged_turn_id=of_turn
        )
        if record.advice is None and self._chance():
            record = replace(record, outcome=AnalysisOutcome.FAILED, retry_after=timedelta(0))
        await self._do("finish_analysis", record)

    async def _propose(self) -> None:
        await random_edits(self._do, self.dice, self._snapshots, self._tickets)

    async def _look(self) -> None:
        await self._do("find_work", 99)
        await self._do("find_lapsing", timedelta(0), 99)
        await self._do("due_monitor_requests", 99)
        await self._do("due_plannings", 99)
        if self.dice.random() < 0.1:
            await self._do("end_idle", self._key(), AT_ONCE)
        await self._read(self._key())

    async def _go_back(self) -> None:
        """Take a turn back, or fork; what the fork holds is read at once."""
        key = self._key()
        if self._chance():
            name = f"m{self.dice.choice([self._next(), self.dice.randrange(40)])}"
            await self._do("retry_turn", random_retry(self.dice, key, name))
            return
        turns = ["", *(each.turn_id for each in self._snapshots[-5:])]
        fork = random_fork(self.dice, key, f"f{self._next()}", turns)
        if await self._do("fork_session", fork):
            await self._read(fork.key)

    async def _summarize(self) -> None:
        await random_summary(self._do, self.dice, self._key(), self._works)

    async def age(self) -> list[tuple[str, object]]:
        """Let retention delete what there is, class by class, and return all that came of it."""
        await aging(self._do, self.dice, KEYS)
        return self.transcript

    async def _erase(self) -> None:
        if self.dice.random() < 0.1:
            await self._do("delete_session", KEYS[1])
        elif self.dice.random() < 0.05:
            await self._do("delete_user_data", "t", "u")

    async def _read(self, key: SessionKey) -> None:
        await read_session(self._do, self.dice, key, self._snapshots[-2:])

    def _snapshot(self) -> TurnSnapshot:
        """Return mostly one that still runs, now and then one that may be fenced off."""
        live = list(self._live.values())
        return self.dice.choice(live * 6 + self._snapshots[-1:])

    def _key(self) -> SessionKey:
        return self.dice.choice(KEYS)
