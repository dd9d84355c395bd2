"""What a round may read besides its context: pictures, decisions and runs of its session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import TypeAlias

from executor_service.decisions.agent_ground import AgentGround
from executor_service.decisions.judging import AwaitedJudge
from executor_service.decisions.run_results import RunResult
from executor_service.decisions.session_runs import SessionRuns
from executor_service.sub_agents.agent_maker import AgentMaker
from heartrule.domain.conversation import Media
from heartrule.domain.keys import SessionKey
from heartrule.domain.thread_changes import NewThread
from session_store.records.runs import NewRun, RunEffect

#: Returns what a message holds of the picture at a path below `assets/`; else NotFound.
PictureSource: TypeAlias = Callable[[str], Awaitable[Media]]
#: Returns what the agent of the action knows of its session.
AgentReading: TypeAlias = Callable[[], Awaitable[AgentGround]]
#: Returns what comes of a decision; QuotaSpent where too much is being judged.
AgentJudging: TypeAlias = AwaitedJudge


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRuns:
    """The runs of the session of one turn."""

    key: SessionKey
    until: float | None
    """Time of the event loop at which no round waits for a run any more; None: there is none."""
    runs: SessionRuns
    agents: AgentMaker
    """Makes the agents of threads."""
    taken_up: tuple[RunResult, ...] = ()
    """Those whose ends the turn took up, until a model has talked with the client about them."""

    async def wait(self, run_id: str) -> RunResult | None:
        """Return a run once it has ended; None where it goes on and the turn's time is up."""
        return await self.runs.wait(self.key, run_id, self.until)

    async def results(self, run_ids: Collection[str]) -> tuple[RunResult, ...]:
        """Return runs as far as they are."""
        return await self.runs.results(self.key, run_ids) if run_ids else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChanges:
    """What a round changes of runs."""

    begun: tuple[NewRun, ...] = ()
    effects: tuple[RunEffect, ...] = ()
    """Of decisions, on runs that had begun before."""
    threads: tuple[NewThread, ...] = ()
    """Threads that are opened for those begun."""
    taken_up: tuple[str, ...] = ()
    """Runs that the round waited for, and whose ends it takes up."""


NO_CHANGES = RunChanges()
