"""The body of a run in which an agent works on a thread: to its engine the whole of it is one step.

What goes on after a death is read from the rows of its threads, so no number of units or phases
has to be known before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from executor_service.decisions.subagent_task import SubagentTask
from executor_service.failpoints import Failpoint, Failpoints
from executor_service.sub_agents.agent_failures import why_failed
from executor_service.sub_agents.agent_maker import AgentMaker
from executor_service.sub_agents.handed_task import agent_for, answer_of
from executor_service.sub_agents.thread_model import SubThreadModel
from executor_service.sub_agents.thread_writing import RunThreadWriter
from executor_service.threads.task import Response
from executor_service.workflows.engine.driver_ports import (
    DriveEnd,
    Driven,
    MeansOf,
    NodeEnd,
    Publish,
    RunSteps,
)
from executor_service.workflows.engine.run_clock import first_of
from heartrule.domain.errors import HeartRuleError, LeaseLost
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import LONGEST_FAILURE, NodeFailure, RunErrorCode
from heartrule.domain.thread_changes import ThreadEnd
from heartrule.domain.threads import ThreadState
from heartrule.model.ports import ChatModel
from session_store.ports import Store
from session_store.records.runs import RunPause, TakenRun
from session_store.records.threads import ThreadRunEnd

LOG = logging.getLogger(__name__)
LONGEST_RESULT = 65_536
"""Characters of an answer; a longer one fails its thread."""
_STEP = "agent"


TextCheck = Callable[[SessionKey, SubagentTask, str], Awaitable[str]]
"""Returns what of an answer the client may read; empty: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentPorts:
    """All that such a run stands on."""

    store: Store
    agents: AgentMaker
    model: ChatModel
    means_of: MeansOf
    publish: Publish
    failpoints: Failpoints
    make_id: Callable[[str], str]
    readable: TextCheck


class SubAgentBody:
    """Drives runs of sub-agents."""

    def __init__(self, ports: SubAgentPorts) -> None:
        """Stand on `ports`."""
        self._ports = ports

    async def drive(self, taken: TakenRun, *, steps: RunSteps, leaving: asyncio.Event) -> Driven:
        """Have the agent work to its end, or give the run back where its worker leaves."""
        steps.reserve((_STEP,))
        work = asyncio.ensure_future(steps.run(_STEP, partial(self._work, taken)))
        try:
            await first_of(leaving.wait(), beside=(work,))
            if work.done():
                work.result()
                return Driven(end=DriveEnd.ENDED)
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
        written = await self._ports.store.pause_run(taken.lease, RunPause(wake_after=timedelta(0)))
        self._ports.publish(taken.lease.key, written.events)
        return Driven(end=DriveEnd.PAUSED, wake_after=0.0)

    async def _work(self, taken: TakenRun) -> NodeEnd:
        ports = self._ports
        writer = RunThreadWriter(
            ports.store,
            taken.lease,
            thread_id=taken.thread_id,
            publish=ports.publish,
            failpoints=ports.failpoints,
        )
        task = SubagentTask.of(taken.progress.inputs)
        writer.agent = task.agent
        end = await self._end(taken, task, writer)
        ports.failpoints.hit(Failpoint.BEFORE_FINISH)
        written = await ports.store.finish_thread(taken.lease, end)
        ports.failpoints.hit(Failpoint.AFTER_FINISH)
        ports.publish(taken.lease.key, written.events)
        return NodeEnd.ENDED

    async def _end(
        self, taken: TakenRun, task: SubagentTask, writer: RunThreadWriter
    ) -> ThreadRunEnd:
        """Return how the thread ends; a failure of the store breaks the run off instead."""
        try:
            if taken.time_left <= timedelta(0):
                raise TimeoutError
            async with asyncio.timeout(taken.time_left.total_seconds()):
                response = await self._answered(taken, task, writer)
                end = await self._completed(taken, task, response, writer)
        except TimeoutError:
            end = _failed(taken, writer, RunErrorCode.RUN_TIMEOUT, "the agent had no more time")
        except LeaseLost:
            raise
        except Exception as error:  # an agent's own code may raise anything
            if writer.failure is not None:
                raise
            if not isinstance(error, HeartRuleError):
                LOG.exception("an agent failed", extra={"run_id": taken.lease.run_id})
            end = _failed(taken, writer, *why_failed(error))
        return end

    async def _answered(
        self, taken: TakenRun, task: SubagentTask, writer: RunThreadWriter
    ) -> Response:
        ports, key = self._ports, taken.lease.key
        means = await ports.means_of(key)
        model = SubThreadModel(
            model=ports.model, spending=means.spending, calls=writer.calls, agent=task.agent
        )
        stored = await ports.store.read_run_threads(key, taken.lease.run_id)
        agent = await agent_for(ports.agents, key, task, model)
        writer.labels = await ports.agents.labels(key, task.agent)
        return await answer_of(agent, task, stored, writer=writer, make_id=ports.make_id)

    async def _completed(
        self, taken: TakenRun, task: SubagentTask, response: Response, writer: RunThreadWriter
    ) -> ThreadRunEnd:
        if len(response.text) > LONGEST_RESULT:
            return _failed(taken, writer, RunErrorCode.LIMIT, "the agent's answer is too long")
        text = await self._ports.readable(taken.lease.key, task, response.text)
        if not text.strip():
            message = "nothing of the agent's answer may be read"
            return _failed(taken, writer, RunErrorCode.UNREADABLE, message)
        end = ThreadEnd(
            thread_id=taken.thread_id,
            state=ThreadState.COMPLETED,
            result_text=text,
            values=response.values,
        )
        return ThreadRunEnd(end=end, calls=writer.take_calls())


def _failed(
    taken: TakenRun, writer: RunThreadWriter, code: RunErrorCode, message: str
) -> ThreadRunEnd:
    failure = NodeFailure(
        code=code, message=message[:LONGEST_FAILURE], is_retryable=code.is_retryable
    )
    end = ThreadEnd(thread_id=taken.thread_id, state=ThreadState.FAILED, failure_code=code.value)
    return ThreadRunEnd(end=end, failure=failure, calls=writer.take_calls())
