"""A sub-agent's task as its agent is handed it: the threads of its run, in a snapshot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from executor_service.decisions.subagent_task import SubagentTask
from executor_service.sub_agents.agent_maker import AgentMaker
from executor_service.threads.ports import ThreadModel, ThreadWriter
from executor_service.threads.task import HostUtils, Response, Task, TaskMeta, TaskType
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_repository import AggregateRepository
from executor_service.threads.told_thread import told_thread
from executor_service.threads.two_step import SubThreadExecutionHandler
from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.threads import ThreadSettings
from session_store.records.threads import ThreadContents

SNAPSHOT = "snapshot"
"""The key of a task's meta that holds what the agent may know of the talk."""


async def agent_for(
    agents: AgentMaker, key: SessionKey, task: SubagentTask, model: ThreadModel
) -> ThreadAgent:
    """Return the agent of a thread; one below a main thread's is made by that one's handler.

    Raises:
        NotFound: There is no agent of that name, or no such handler any more.
        InvalidAgent: It holds what it must not hold.
    """
    if not task.above:
        return await agents.make(key, task.agent, model)
    above = await agents.make(key, task.above, model)
    handler = above.held_handlers().get(task.phase)
    if not isinstance(handler, SubThreadExecutionHandler):
        raise NotFound("agent", task.agent)
    return await handler.build(above)


async def answer_of(
    agent: ThreadAgent,
    task: SubagentTask,
    stored: Sequence[ThreadContents],
    *,
    writer: ThreadWriter,
    make_id: Callable[[str], str],
) -> Response:
    """Have an agent go on with the outermost thread of a run, and return its answer.

    Args:
        agent: The thread's.
        task: What its run was given.
        stored: The threads of the run, the outermost first.
        writer: Writes what the agent changes.
        make_id: Makes the ids of messages and threads.
    """
    outermost = stored[0].thread
    # The threads of the run, in a main thread that has the snapshot alone.
    thread = told_thread(
        task.messages,
        ThreadSettings(phase=""),
        placeholder=outermost.anchor_message_id,
        nested=[(each.thread, each.messages) for each in stored],
    )
    repository = AggregateRepository(thread, writer, make_id=make_id)
    path = thread.path_of(outermost.thread_id)
    settings = thread.settings_of(outermost.thread_id)
    if not settings.phase:
        thread.set_settings(path, replace(settings, phase=agent.initial_phase))
    handed = Task(
        name="ProcessSubThread",
        type=TaskType.ACTION,
        skip_user_message=True,
        meta=TaskMeta(
            sub_thread_path=str(path),
            thread_id=outermost.thread_id,
            original_task=outermost.request,
            other={SNAPSHOT: task.readable()},
        ),
        host_utils=HostUtils(thread_repository=repository, make_id=make_id),
    )
    return await agent.execute_task(handed, thread)
