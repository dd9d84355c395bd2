"""Runs in one step of an agent: the one it waited for, and those that its prompt tells of."""

from __future__ import annotations

from dataclasses import dataclass, field

from executor_service.actions.action_context import RoundContext
from executor_service.decisions.agent_memory import AgentMemory
from executor_service.decisions.run_results import RunResult, land
from heartrule.domain.problem import Degradation


@dataclass(slots=True, kw_only=True)
class AgentRuns:
    """What a step finds of runs."""

    context: RoundContext
    waited_for: str = ""
    """The run that the step waited for; empty: none."""
    result: RunResult | None = None
    """How it ended; None: it goes on, or there is none."""
    is_of_thread: bool = False
    """Whether a sub-agent works in it, so that a placeholder says already that it goes on."""
    degradations: list[Degradation] = field(default_factory=list)

    @classmethod
    async def waited(cls, context: RoundContext) -> AgentRuns:
        """Wait for the run that the step before began, and take its result up.

        The client's words end the wait, never the run.

        Raises:
            Stopped: The turn is interrupted.
        """
        run_id = AgentMemory.of(context.instance.memory).waits_for
        if not run_id or context.reply is not None:
            return cls(context=context)
        found = cls(context=context, waited_for=run_id, result=await context.runs.wait(run_id))
        if found.result is None:
            going = await context.runs.results((run_id,))
            found.is_of_thread = any(each.is_of_thread for each in going)
            found.degradations.append(Degradation.of("decision", "RUN_STILL_GOING", run_id=run_id))
            return found
        left_out = land(found.result, context.variables, context.scene.now)
        found.degradations += (left_out,) if left_out else ()
        return found

    @property
    def is_still_going(self) -> bool:
        """Whether the time is up and the run goes on."""
        return bool(self.waited_for) and self.result is None

    @property
    def shows_result(self) -> bool:
        """Whether the step shows the client what a sub-agent found, or that it found nothing."""
        return self.result is not None and self.result.is_of_thread

    @property
    def taken_up(self) -> tuple[str, ...]:
        """Return the runs whose ends the step takes up."""
        return (self.result.run_id,) if self.result else ()

    async def told(self, memory: AgentMemory) -> tuple[RunResult, ...]:
        """Return the runs to tell of: those whose ends the turn took up, and the agent's own."""
        own = await self.context.runs.results(memory.runs)
        others = (e for e in self.context.runs.taken_up if e.run_id not in memory.runs)
        return (*others, *own)
