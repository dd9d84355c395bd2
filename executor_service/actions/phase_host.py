"""What a step of a turn is to an agent with phases: its thread, its model, its sub-threads.

Nothing is written here: what the agent changed is collected, and committed with the step.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from executor_service.actions.action_context import RoundContext
from executor_service.actions.message_order import unanswered
from executor_service.actions.outgoing.outgoing_text import OutgoingRules
from executor_service.actions.phase_memory import PendingTask, PhaseMemory
from executor_service.actions.reply_streamer import StreamedReply
from executor_service.decisions.run_results import RunResult
from executor_service.sub_agents.thread_request import request_of
from executor_service.threads.ports import ReplyCut, ThreadPrompt
from executor_service.threads.task import HostUtils, Response, Task, TaskMeta, TaskType
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_errors import ThreadFault
from executor_service.threads.thread_repository import AggregateRepository
from executor_service.threads.told_thread import told_thread
from heartrule.domain.runs import RunState
from heartrule.domain.thread_changes import MessageWritten, NewThread, ThreadWrite
from heartrule.domain.threads import (
    SubThread,
    ThreadMessage,
    ThreadRole,
    ThreadSettings,
    ThreadState,
)


class PhaseModel:
    """A `ThreadModel` for a main thread: a reply is streamed to the client as it is written."""

    def __init__(self, context: RoundContext, agent: str, rules: OutgoingRules) -> None:
        """`rules` are what a streamed reply is held against."""
        self._context, self._agent, self._rules = context, agent, rules
        self.streamed: StreamedReply | None = None
        """The last reply that was streamed."""
        self._is_named = False

    async def answer(self, prompt: ThreadPrompt) -> str:
        """Return a whole answer, which the client never sees."""
        return await self._context.streamer.whole_reply(request_of(prompt, self._agent))

    async def stream(self, prompt: ThreadPrompt) -> AsyncIterator[str]:
        """Show an answer as it is written, and yield what of it may be read."""
        request = request_of(prompt, self._agent)
        self.streamed = await self._context.streamer.stream_reply(request, None, self._rules)
        self._is_named = False
        shown = self.streamed.said.text
        yield shown
        if self.streamed.cut:
            raise ReplyCut(shown, self.streamed.cut)

    def make_id(self, prefix: str) -> str:
        """Return an id; the message behind a streamed reply has that of its drafts."""
        if prefix == "msg" and self.streamed is not None and not self._is_named:
            self._is_named = True
            return self.streamed.message_id
        return self._context.make_id(prefix)


@dataclass(slots=True)
class StepWriter:
    """A `ThreadWriter` that keeps what an agent changed, for the step to commit."""

    changes: list[ThreadWrite] = field(default_factory=list)

    async def write(self, changes: tuple[ThreadWrite, ...]) -> None:
        """Keep the changes."""
        self.changes += changes

    @property
    def said(self) -> tuple[ThreadMessage, ...]:
        """Return what was said to the client, in order."""
        written = (each for each in self.changes if isinstance(each, MessageWritten))
        appended = (each.message for each in written if not each.replaces)
        return tuple(each for each in appended if each.role is ThreadRole.BOT)

    @property
    def opened(self) -> SubThread | None:
        """Return the sub-thread that was opened; None: none was."""
        found = [each.thread for each in self.changes if isinstance(each, NewThread)]
        return found[-1] if found else None


@dataclass(slots=True, kw_only=True)
class ThreadInRun:
    """A `SubThreadWork`: the thread is worked on in a run, for whose end the turn waits."""

    result: RunResult | None
    """How the run ended; None: it has not, or has not begun."""
    is_still_going: bool = False
    """Whether the thread was asked for, and has no end yet."""

    async def __call__(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response | None:
        """Return what the run gave; None: the task is done again behind its end."""
        del task, thread, agent
        if self.result is None:
            self.is_still_going = True
            return None
        if self.result.state is not RunState.COMPLETED:
            code = self.result.failures[0].code if self.result.failures else "CANCELLED"
            raise ThreadFault(code, "the run of the thread did not complete")
        return Response(self.result.text, values=self.result.values)


def thread_of(context: RoundContext, memory: PhaseMemory, settings: ThreadSettings) -> Thread:
    """Return the conversation as the agent sees it: what a prompt has of it, and no more.

    The placeholder that waits is its last message, with the thread in it.
    """
    said = [(each.role, each.content) for each in context.history]
    prepared = memory.prepared
    if prepared is None:
        return told_thread(said, settings)
    nested = SubThread(
        thread_id=prepared.thread_id,
        parent_thread_id="",
        anchor_message_id=prepared.message_id,
        depth=1,
        agent=prepared.agent,
        state=ThreadState.RUNNING,
        settings=ThreadSettings(phase=prepared.first_phase),
        run_id=prepared.run_id,
    )
    return told_thread(
        said,
        settings,
        placeholder=prepared.message_id,
        phase=prepared.phase,
        nested=[(nested, ())] if prepared.thread_id else (),
    )


def next_task(
    context: RoundContext, memory: PhaseMemory, repository: AggregateRepository, model: PhaseModel
) -> Task:
    """Return what the agent is asked to do: a task that it added, the client's words, or to open.

    Words that nothing answered are no new message: they stand in the thread.
    """
    utils = HostUtils(thread_repository=repository, make_id=model.make_id)
    if memory.tasks:
        pending: PendingTask = memory.tasks[0]
        return Task(
            name="ContinueProcessing",
            message=pending.message,
            type=TaskType.ACTION,
            skip_user_message=True,
            meta=TaskMeta(original_query=pending.request),
            host_utils=utils,
        )
    if context.reply is not None:
        return Task(name="Reply", message=context.reply, host_utils=utils)
    _, words = unanswered(context.history)
    return Task(name="Reply", message=words, skip_user_message=True, host_utils=utils)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDone:
    """What an agent did with a task."""

    agent: ThreadAgent
    response: Response
    settings: ThreadSettings
    """The main thread's from here on."""
    phase: str
    """In which the task was done."""
    streamed: StreamedReply | None
    """The reply that the client saw while it was written."""
    writer: StepWriter


async def task_done(
    context: RoundContext,
    memory: PhaseMemory,
    name: str,
    *,
    rules: OutgoingRules,
    work: ThreadInRun,
) -> TaskDone:
    """Make the agent, and have it do what is next.

    What was stopped or broke off leaves the settings as they were (RESOLUTIONS T14).

    Raises:
        NotFound, InvalidAgent: There is no such agent, or it holds what it must not hold.
        ThreadFault: It broke a rule; its own code may raise anything else.
    """
    model, writer = PhaseModel(context, name, rules), StepWriter()
    agent = await context.runs.agents.make(context.runs.key, name, model, work)
    before = memory.settings or ThreadSettings(phase=agent.initial_phase)
    thread = thread_of(context, memory, before)
    repository = AggregateRepository(thread, writer, make_id=model.make_id)
    response = await agent.execute_task(next_task(context, memory, repository, model), thread)
    settings = thread.settings_of("")
    is_cut = model.streamed is not None and bool(model.streamed.cut)
    return TaskDone(
        agent=agent,
        response=response,
        settings=before if is_cut else settings,
        phase=settings.phase,
        streamed=model.streamed,
        writer=writer,
    )
