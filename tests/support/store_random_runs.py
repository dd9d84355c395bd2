"""Random runs of workflows for a play on a store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random
from typing import TypeAlias

from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import NodeRecord, NodeState, RunState
from session_store.records import (
    DecisionChange,
    NewRevision,
    Page,
    SessionRecord,
    StepCommit,
    SubmittedDecision,
)
from session_store.records.kept_runs import RunFilter
from session_store.records.recoveries import NodeRecovery
from session_store.records.runs import (
    EndedNode,
    NewArtifact,
    NewRun,
    RunEffect,
    RunLease,
    RunPause,
    StartedNode,
    TakenRun,
)
from tests.support.store_builders import AT_ONCE, LONG, call
from tests.support.store_decisions import REJECTED, VALID, decided, made, revision
from tests.support.store_runs import BADLY, WELL, failed, new_run, node

Do: TypeAlias = Callable[..., Awaitable[object]]
LARGE = ["large" * 4_000]
PAUSES = (RunState.RUNNING, RunState.WAITING_DECISION, RunState.INTERRUPTED)
ENDS = (NodeState.COMPLETED, NodeState.COMPLETED, NodeState.FAILED, NodeState.RETRYING)


@dataclass
class RandomRuns:
    """The runs of one play, and who has them."""

    do: Do
    dice: Random
    keys: Sequence[SessionKey]
    begun: int = 0
    known: list[tuple[SessionKey, str]] = field(default_factory=list)
    """Runs that began, as far as the play knows; the newest are the last."""
    leases: list[RunLease] = field(default_factory=list)

    def in_step(self, key: SessionKey, step: StepCommit) -> StepCommit:
        """Return the step with a run that it begins, or ends that it takes up; mostly neither."""
        drawn = self.dice.random()
        if drawn < 0.25:
            drafted, run = self._next_run("")
            self.known.append((key, run.run_id))
            return replace(step, workflows=(*step.workflows, drafted), runs=(run,))
        names = tuple({self._one()[1], self._one()[1]})
        return replace(step, runs_taken_up=names) if drawn < 0.4 else step

    async def move(self) -> None:
        """Do something with a run, known or not."""
        moves = (
            *(self._submit, self._take, self._take, self._take),
            *(self._work,) * 6,
            *(self._pause, self._finish, self._decide, self._read, self._sweep),
        )
        await self.dice.choice(moves)()

    def _one(self) -> tuple[SessionKey, str]:
        """Return a run that began lately, mostly; one of another session, or none, else."""
        if not self.known or self.dice.random() < 0.1:
            return self.dice.choice(self.keys), f"run_{self.dice.randrange(9)}"
        return self.dice.choice(self.known[-4:])

    def _next_run(self, decision_id: str) -> tuple[NewRevision, NewRun]:
        self.begun += 1
        drafted = revision(1, f"wfr_{self.begun}", decision_id)
        run = new_run(
            f"run_{self.begun}",
            workflow=drafted.workflow,
            decision_id=decision_id,
            timeout=LONG,
            is_announced=self.dice.random() < 0.7,
            priority=self.dice.randrange(11),
        )
        if self.dice.random() < 0.2:
            kept = node("n0", NodeState.COMPLETED, output=LARGE)
            run = replace(run, replaces=self._one()[1], kept=(kept,))
        return drafted, run

    async def _submit(self) -> None:
        """Begin a run between turns, or the same workflow once more."""
        key = self.dice.choice(self.keys)
        session = await self.do("get_session", key)
        last = session.last_sequence if isinstance(session, SessionRecord) else 0
        drafted, run = self._next_run(f"opr_{self.begun}")
        change = DecisionChange(
            decision=decided(run.decision_id), state=made().state, verdict=VALID
        )
        again = self.dice.random() < 0.3
        twice = replace(run, run_id=f"again_{self.begun}")
        submitted = SubmittedDecision(
            key=key,
            change=change,
            workflows=(drafted,),
            runs=(run, twice) if again else (run,),
            at_sequence=last,
        )
        if await self.do("submit_decision", submitted):
            self.known.append((key, run.run_id))

    async def _take(self) -> None:
        found = await self.do("take_run", self._one()[1], owner=self.dice.choice("ab"))
        if isinstance(found, TakenRun):
            self.leases.append(found.lease)

    def _lease(self) -> RunLease | None:
        return self.dice.choice(self.leases[-3:]) if self.leases else None

    def _record(self, state: NodeState) -> NodeRecord:
        path, attempt = f"n{self.dice.randrange(4)}", self.dice.randrange(1, 4)
        if state is NodeState.COMPLETED:
            output = self.dice.choice([None, {"a": [1]}, LARGE])
            return node(path, state, attempt=attempt, output=output)
        bare = state in {NodeState.RUNNING, NodeState.PENDING, NodeState.SKIPPED}
        return (node if bare else failed)(path, state, attempt=attempt)

    async def _work(self) -> None:
        """Begin a node, or end one, by whoever has the run or had it."""
        lease = self._lease()
        if lease is None:
            return await self._take()
        if self.dice.random() < 0.5:
            begins = StartedNode(
                record=self._record(NodeState.RUNNING),
                inputs=self.dice.choice([None, LARGE]),
                has_effect=self.dice.random() < 0.5,
            )
            await self.do("begin_node", lease, begins)
            return None
        ended = self._ended()
        await self.do("end_node", lease, ended)
        return None

    def _ended(self) -> EndedNode:
        record = self._record(self.dice.choice(ENDS))
        chart = NewArtifact(name=self.dice.choice("xy"), mime_type="a/b", content=b"chart")
        return EndedNode(
            record=record,
            artifacts=(chart,) * self.dice.randrange(2),
            calls=(call(f"run_call_{self.dice.randrange(10**9)}"),) * self.dice.randrange(2),
            skipped=(node("s", NodeState.SKIPPED),) * self.dice.randrange(2),
            wake_after=self.dice.choice([None, AT_ONCE]),
            is_spent=record.failure is not None and self.dice.random() < 0.5,
        )

    async def _pause(self) -> None:
        if lease := self._lease():
            state = self.dice.choice(PAUSES)
            wake = self.dice.choice([None, AT_ONCE, timedelta(minutes=30)])
            await self.do("pause_run", lease, RunPause(state=state, wake_after=wake))

    async def _finish(self) -> None:
        lease = self._lease()
        if lease is not None and self.dice.random() < 0.6:
            await self.do("finish_run", lease, self.dice.choice([WELL, BADLY]))
        else:
            await self.do("cancel_run", *self._one())

    async def _decide(self) -> None:
        """Decide about a node, with an effect or without; now and then about a run that moved."""
        if lease := self._lease():
            name = f"rec_{self.dice.randrange(10**9)}"
            change = made(name, self.dice.choice([VALID, REJECTED]), action_instance_id="")
            effect = RunEffect(
                run_id=lease.run_id,
                token=lease.token - (self.dice.random() < 0.1),
                workflow=self.dice.choice([None, revision(2).workflow]),
                nodes=(self._record(NodeState.PENDING),),
                end=self.dice.choice([None, None, BADLY]),
            )
            wanted = NodeRecovery(
                failed=self.dice.choice([None, self._ended()]),
                decisions=(change,),
                effect=self.dice.choice([None, effect, effect]),
            )
            await self.do("decide_recovery", lease, wanted)

    async def _read(self) -> None:
        key, name = self._one()
        await self.do("get_run", key, name)
        await self.do("read_run_progress", key, name)
        await self.do("get_run_artifact", key, name, "n0", "x")
        await self.do("ended_runs", key)
        wanted = RunFilter(state=self.dice.choice([None, *RunState]))
        await self.do("list_runs", key, Page(size=3), wanted)

    async def _sweep(self) -> None:
        await self.do("admit_runs", self.dice.choice(self.keys), LONG)
        await self.do("find_admissible", LONG, 9)
        await self.do("standing_runs", 9)
        await self.do("takeovers_of", self._one()[1])
        await self.do("due_runs", 99, again_after=self.dice.choice([AT_ONCE, LONG]))
        await self.do("orphaned_runs", 99, silent=LONG, again_after=AT_ONCE)
