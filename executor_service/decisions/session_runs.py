"""The runs of a session as its turns decide about them, wait for them and take up their ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Protocol

from executor_service.decisions.effects import OF_RUNS
from executor_service.decisions.ground import Ground
from executor_service.decisions.judging import AwaitedJudge, Judgement
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.policy import DecisionPolicy
from executor_service.decisions.run_decisions import RunDecisions
from executor_service.decisions.run_results import RunResult, run_result, subagent_result
from executor_service.decisions.turn_reading import SessionRead
from executor_service.hub import SessionHub, Subscription
from executor_service.ports import RunStarter
from executor_service.run_following import pass_on
from heartrule.domain.decisions import Decision
from heartrule.domain.errors import NotFound
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.run_events import RunChanged
from heartrule.domain.runs import RunKind, RunProgress
from session_store.ports import Store
from session_store.records.kept_runs import KeptRun, RunDetails


class SessionRuns(Protocol):
    """What turns need of runs."""

    async def judged(
        self, key: SessionKey, decision: Decision, found: SessionRead, lands_in: str
    ) -> Judgement:
        """Return what comes of a decision about runs; `lands_in` is the variable for a result.

        Raises:
            QuotaSpent: Too much is being judged.
        """

    async def ended(self, key: SessionKey) -> tuple[RunResult, ...]:
        """Return the runs whose ends no turn has taken up, in the order in which they ended."""

    async def results(self, key: SessionKey, run_ids: Collection[str]) -> tuple[RunResult, ...]:
        """Return runs as far as they are, in the given order; the last one with its outputs.

        One that is gone is left out: a fork begins without runs that had not ended, and age may
        delete any.
        """

    async def wait(self, key: SessionKey, run_id: str, until: float | None) -> RunResult | None:
        """Return a run once it has ended; None where it goes on at `until`.

        Args:
            key: The session.
            run_id: One of its runs, whose end no turn has taken up.
            until: Time of the event loop; None: however long it takes.
        """

    async def committed(self, key: SessionKey, events: Iterable[SessionEvent]) -> None:
        """Have runs begin or go on that a committed step began or changed."""


class StoredRuns:
    """Runs of one store, as any process goes on with them."""

    def __init__(
        self,
        store: Store,
        hub: SessionHub,
        identify: Callable[[str], str],
        *,
        judging: JudgingBeside,
        starter: RunStarter,
    ) -> None:
        """Watch `hub` for the ends of runs, and tell `starter` of what is committed.

        `identify` returns ids of runs.
        """
        self._store, self._hub, self._starter = store, hub, starter
        self._deciding = RunDecisions(store, identify, judging=judging)

    async def judged(
        self, key: SessionKey, decision: Decision, found: SessionRead, lands_in: str
    ) -> Judgement:
        """Return what comes of a decision, as every author's is judged."""
        return await self._deciding.decided(key, decision, found, lands_in=lands_in)

    async def ended(self, key: SessionKey) -> tuple[RunResult, ...]:
        """Read the ends that wait, with their outputs."""
        return tuple([await self._result(each) for each in await self._store.ended_runs(key)])

    async def results(self, key: SessionKey, run_ids: Collection[str]) -> tuple[RunResult, ...]:
        """Read each run that there is; outputs may be long, so of the last one alone."""
        read = [await self._found(key, each) for each in run_ids]
        found = [each for each in read if each is not None]
        earlier = [await self._earlier(each) for each in found[:-1]]
        return (*earlier, *[await self._result(each.run) for each in found[-1:]])

    async def wait(self, key: SessionKey, run_id: str, until: float | None) -> RunResult | None:
        """Subscribe, look, and wait, so that no end is missed."""
        watcher = self._hub.subscribe(key)
        try:
            while True:
                ended = await self._store.ended_runs(key)
                found = next((each for each in ended if each.run_id == run_id), None)
                if found is not None:
                    return await self._result(found)
                async with asyncio.timeout_at(until):
                    await _told_of(run_id, watcher)
        except TimeoutError:
            return None
        finally:
            watcher.close()

    async def committed(self, key: SessionKey, events: Iterable[SessionEvent]) -> None:
        """Tell what works on runs; what it misses, its sweep finds in the rows."""
        await pass_on(key, events, self._starter)

    async def _found(self, key: SessionKey, run_id: str) -> RunDetails | None:
        try:
            return await self._store.get_run(key, run_id)
        except NotFound as error:
            if error.kind != "run":
                raise
            return None

    async def _earlier(self, found: RunDetails) -> RunResult:
        """Return a run without what it gave."""
        if found.run.kind is RunKind.SUB_AGENT:
            return replace(await self._result(found.run), text="", values={})
        return run_result(found.run, _states(found))

    async def _result(self, kept: KeptRun) -> RunResult:
        progress = await self._store.read_run_progress(kept.key, kept.run_id)
        if kept.kind is RunKind.SUB_AGENT:
            found = await self._store.get_thread(kept.key, kept.thread_id)
            return subagent_result(kept, found.thread, progress.inputs)
        return run_result(kept, progress)


async def _told_of(run_id: str, watcher: Subscription) -> None:
    """Return once a run is told of, or may have been; what its threads say is no news."""
    is_told = False
    while not is_told:
        await watcher.wait()
        is_told = watcher.take_behind()
        while (item := watcher.take()) is not None:
            body = item.body if isinstance(item, SessionEvent) else None
            is_told = is_told or (isinstance(body, RunChanged) and body.run_id == run_id)


def agent_judging(
    judging: AwaitedJudge, runs: SessionRuns, key: SessionKey, *, lands_in: str
) -> AwaitedJudge:
    """Return what judges the decisions of an agent: those about runs by what is stored of them."""

    async def judged(decision: Decision, ground: Ground, policy: DecisionPolicy) -> Judgement:
        if decision.decision_type not in OF_RUNS:
            return await judging(decision, ground, policy)
        found = SessionRead(ground=ground, policy=policy)
        return await runs.judged(key, decision, found, lands_in)

    return judged


def _states(details: RunDetails) -> RunProgress:
    """Return how far a run is by its newest attempts, without what they gave."""
    nodes = {e.record.path: replace(e.record, output=None) for e in details.nodes}
    return RunProgress(workflow=details.workflow, nodes=nodes)
