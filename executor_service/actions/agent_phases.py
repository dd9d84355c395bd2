"""ai_agent with `agent`: the phases of that agent are followed, turn by turn (R21, R27).

A step handles one task: the client's words, or a task that the agent added. The settings of the
main thread are the memory of the action's instance.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from executor_service.actions.action_context import OutgoingMessage, RoundContext, RoundOutcome
from executor_service.actions.agent_end import AgentEnd, ended, judge_end
from executor_service.actions.agent_spawning import run_of_opened
from executor_service.actions.agent_words import AgentWords
from executor_service.actions.phase_host import TaskDone, ThreadInRun, task_done
from executor_service.actions.phase_memory import PendingTask, PhaseMemory, PreparedThread
from executor_service.actions.prompting import Brief
from executor_service.actions.reply_streamer import StreamedReply
from executor_service.actions.round_ports import RunChanges
from executor_service.decisions.agent_memory import AgentMemory
from executor_service.decisions.run_results import RunResult, land
from executor_service.scripts.model.agent_config import AgentConfig
from executor_service.threads.task import Response
from executor_service.threads.thread_errors import InvalidAgent, ThreadFault
from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Completeness
from heartrule.domain.errors import HeartRuleError, NotFound
from heartrule.domain.problem import Degradation
from heartrule.domain.threads import SubThread, ThreadMessage

LOG = logging.getLogger(__name__)


class PhasesStep:
    """One step: the agent is made, does a task, and what it did is the outcome."""

    def __init__(self, context: RoundContext, brief: Brief) -> None:
        """Make nothing yet."""
        config = context.action.config
        assert isinstance(config, AgentConfig)
        self._context, self._name = context, config.agent or ""
        self._words = AgentWords(context, brief)
        self._memory = PhaseMemory.of(context.instance.memory)
        self._degradations: list[Degradation] = []
        self._taken_up: tuple[str, ...] = ()

    async def taken(self) -> RoundOutcome:
        """Take the step; an agent that cannot work ends the action, so that the talk goes on.

        Raises:
            ModelUnavailable, ModelRateLimited, ModelStreamCut: The turn fails, retryable.
        """
        result = await self._waited()
        work = ThreadInRun(result=result)
        try:
            done = await task_done(
                self._context, self._memory, self._name, rules=self._words.of_reply(), work=work
            )
        except HeartRuleError as error:
            if not isinstance(error, ThreadFault | InvalidAgent | NotFound):
                raise
            return self._failed(error.reason)
        except Exception as error:  # an agent's own code may raise anything
            LOG.exception("an agent failed", extra={"agent": self._name})
            return self._failed(type(error).__name__)
        return self._outcome(done, work)

    async def _waited(self) -> RunResult | None:
        """Return the end of the thread's run, waited for and taken up; None: there is none."""
        prepared, runs = self._memory.prepared, self._context.runs
        if prepared is None or not prepared.run_id:
            return None
        found = next(iter(await runs.results((prepared.run_id,))), None)
        if found is None or not found.has_ended:
            found = await runs.wait(prepared.run_id)
        if found is None:
            told = Degradation.of("decision", "RUN_STILL_GOING", run_id=prepared.run_id)
            self._degradations.append(told)
            return None
        if prepared.run_id not in {each.run_id for each in runs.taken_up}:
            left_out = land(found, self._context.variables, self._context.scene.now)
            self._degradations += (left_out,) if left_out else ()
            self._taken_up = (found.run_id,)
        return found

    # --- what comes of the task ------------------------------------------------------------------

    def _outcome(self, done: TaskDone, work: ThreadInRun) -> RoundOutcome:
        self._degradations += done.streamed.why_cut() if done.streamed else ()
        messages = tuple(self._message(each, done.streamed) for each in done.writer.said)
        opened = done.writer.opened
        if opened is not None and work.is_still_going:
            above = (self._name, done.phase)
            run, begun = run_of_opened(self._context, self._words, opened, above=above)
            memory = self._remembered(done, opened=opened, run_id=run.run_id)
            of_runs = RunChanges(begun=(run,), threads=(begun,))
            return self._goes_on(memory, messages, of_runs)
        if work.is_still_going:
            return self._ends(AgentEnd(), self._memory, ())
        memory = self._remembered(done)
        if memory.tasks:
            return self._goes_on(memory, messages, RunChanges(taken_up=self._taken_up))
        phase = done.settings.suggested_phase or done.settings.phase
        return self._ends(AgentEnd(is_done=done.agent.is_over(phase)), memory, messages)

    def _remembered(
        self, done: TaskDone, *, opened: SubThread | None = None, run_id: str = ""
    ) -> PhaseMemory:
        """Return what the next step finds: where the thread is, and what is to be done."""
        prepared = self._memory.prepared
        placeholder = next((e for e in reversed(done.writer.said) if e.is_placeholder), None)
        if placeholder is not None:
            prepared = PreparedThread(message_id=placeholder.message_id, phase=placeholder.phase)
        if opened is not None and prepared is not None:
            prepared = replace(
                prepared,
                thread_id=opened.thread_id,
                run_id=run_id,
                agent=opened.agent,
                first_phase=opened.settings.phase,
            )
            return PhaseMemory(settings=done.settings, tasks=self._memory.tasks, prepared=prepared)
        if prepared is not None and prepared.run_id:
            prepared = None
        left = [*self._memory.tasks[1:], *self._added(done.response)]
        if self._memory.tasks and self._context.reply is not None and not left:
            left.append(PendingTask(message=self._context.reply))
        return PhaseMemory(settings=done.settings, tasks=tuple(left), prepared=prepared)

    @staticmethod
    def _added(response: Response) -> list[PendingTask]:
        return [
            PendingTask(message=each.message, request=each.meta.original_query)
            for each in response.next_tasks
        ]

    # --- how the step ends -----------------------------------------------------------------------

    def _message(self, said: ThreadMessage, streamed: StreamedReply | None) -> OutgoingMessage:
        """Return a message as it leaves; what was streamed has passed its checks."""
        if said.is_placeholder:
            kind = Completeness.PLACEHOLDER
            return OutgoingMessage(message_id=said.message_id, text=said.text, completeness=kind)
        if streamed is None or streamed.message_id != said.message_id:
            checked = self._words.message(said.text, options=(), closes=False)
            return replace(checked, message_id=said.message_id)
        kind = streamed.completeness
        return OutgoingMessage(message_id=said.message_id, text=said.text, completeness=kind)

    def _goes_on(
        self, memory: PhaseMemory, messages: tuple[OutgoingMessage, ...], of_runs: RunChanges
    ) -> RoundOutcome:
        """Return a step behind which the turn goes on with a further task."""
        instance = self._context.instance
        return RoundOutcome(
            result=ActionResult(success=True, completed=False, round=instance.round),
            messages=messages,
            next_round=instance.round,
            memory=replace(memory, judges=self._judges).kept(),
            goes_on=True,
            of_runs=of_runs,
            degradations=self._found(),
        )

    def _ends(
        self, end: AgentEnd, memory: PhaseMemory, messages: tuple[OutgoingMessage, ...]
    ) -> RoundOutcome:
        """Return the last step of a round: the action is over, or waits for the client."""
        heard = AgentMemory(has_heard=self._judges or end.is_done, judges=self._judges)
        judgement = judge_end(self._context, heard, end)
        nothing = OutgoingMessage(message_id="", text="")
        outcome = ended(
            self._context, heard, judgement, messages[-1] if messages else nothing, None
        )
        return replace(
            outcome,
            messages=messages,
            memory=replace(memory, judges=False).kept(),
            of_runs=RunChanges(taken_up=self._taken_up),
            degradations=(*self._found(), *outcome.degradations),
        )

    def _failed(self, reason: str) -> RoundOutcome:
        found = Degradation.of("agent", "AGENT_FAILED", agent=self._name, cause=reason)
        self._degradations.append(found)
        line = self._words.message("", options=(), closes=True)
        return self._ends(AgentEnd(is_blocked=True), self._memory, (line,))

    @property
    def _judges(self) -> bool:
        return self._memory.judges or self._context.reply is not None

    def _found(self) -> tuple[Degradation, ...]:
        cuts = self._context.streamer.prompt_cuts()
        return (*cuts, *self._degradations, *self._words.degradations)
