"""Sub-agents as the benchmark begins them: by opening turns, or queued in a store at rest."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import cycle

from grpc import aio

from executor_service.decisions.subagent_task import SubagentTask
from heartrule.domain.conversation import Message
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.thread_changes import NewThread
from heartrule.v1 import run_details_pb2, run_pb2, run_request_pb2, script_pb2, session_pb2
from heartrule.wire.executor_stubs import ExecutorStubs
from session_store.ports import Store
from session_store.records.runs import NewRun
from tests.benchmarks import workload
from tests.benchmarks.load import OPTIONS
from tests.support.store_builders import at_round, instance, last_step, opening, said
from tests.support.store_threads import PLAIN, agent_run, placeholder, thread

TIMEOUT_S = 1.0
"""Of sub-agents that are stuck."""
_CONNECTIONS = 8
_STUCK_EVERY = 10
_PRIORITIES = 11
_STEP = 7
"""Prime to the number of priorities: neighbours in age have priorities far apart."""
# Coarse: the figures are those of the runs' rows, and a look costs the executor.
_LOOK_S = 0.5
_ENDED = frozenset(
    {run_pb2.RUN_STATE_COMPLETED, run_pb2.RUN_STATE_FAILED, run_pb2.RUN_STATE_CANCELLED}
)
_SCRIPT = """\
metadata: {name: bench, version: "1.0", author: HeartRule}
session:
  session_id: bench_threads
  session_name: 子智能体
  phases:
    - phase_id: write
      topics:
        - topic_id: write
          topic_goal: 写一篇
          actions:
            - action_type: ai_agent
              action_id: write
              config: {goal: 写一篇, agent: bench_main}
"""
_MAIN = """\
agent_id: bench_main
kind: main
phases:
  - {phase_id: prepare_text, handler: prepare, text: 正在写……, next: write_text}
  - phase_id: write_text
    handler: execute
    agent: bench_writer
    input: {query: 睡眠}
    failure: 没有写成。
    next: ask
  - {phase_id: ask, handler: reply, text: 还想写什么？, next: done}
  - {phase_id: done, terminal: true}
"""
_WRITER = """\
agent_id: bench_writer
input: [{name: query}]
phases:
  - phase_id: outline
    unit: requester
    opening: 请列提纲。
    text: "第一章\\n第二章"
    output: [{get: chapters}]
    next: write
  - {phase_id: write, unit: requester, opening: 请逐章写。, agent: bench_chapter, each: chapters,
     input: {title: "{item}"}, next: check}
  - {phase_id: check, unit: requester, opening: "请写出全文：{query}", next: done}
  - {phase_id: done, terminal: true}
"""
_CHAPTER = """\
agent_id: bench_chapter
input: [{name: title}]
phases:
  - {phase_id: draft, unit: requester, opening: "请写这一章：{title}", next: done}
  - {phase_id: done, terminal: true}
"""
_FILES = {
    "threads.yaml": _SCRIPT,
    "agents/bench_main/agent.yaml": _MAIN,
    "agents/bench_writer/agent.yaml": _WRITER,
    "agents/bench_writer/prompt/check_system_prompt.md": workload.IN_THREADS,
    "agents/bench_chapter/agent.yaml": _CHAPTER,
    "agents/bench_chapter/prompt/draft_system_prompt.md": workload.IN_THREADS,
}


class ThreadNotWell(Exception):
    """A sub-agent that must complete did not."""


@dataclass(frozen=True, slots=True)
class ThreadLoad:
    """Sessions of one executor that have the agents."""

    stubs: ExecutorStubs
    script_id: str
    of_turns: Iterator[ExecutorStubs]
    """Over several connections: one has a limited number of streams."""

    async def session(self) -> SessionKey:
        """Begin a session; its opening turn has not run."""
        request = session_pb2.StartSessionRequest(script_id=self.script_id)
        started = await self.stubs.session.StartSession(request)
        return SessionKey(DEFAULT_TENANT, str(started.session.session_id))

    async def write(self, key: SessionKey) -> None:
        """Run a session's opening turn, which waits for a sub-agent with two threads below it.

        Raises:
            ThreadNotWell: The sub-agent did not complete.
        """
        request = session_pb2.InitializeSessionRequest(session_id=key.session_id)
        async for _ in next(self.of_turns).conversation.InitializeSession(request):
            pass
        states = [each.state for each in await self._runs(key)]
        if states != [run_pb2.RUN_STATE_COMPLETED]:
            raise ThreadNotWell(f"the runs of an opening turn are {states}")

    async def queued(self, keys: Sequence[SessionKey]) -> None:
        """Wait until each of these sessions has a run."""
        for key in keys:
            while True:
                if await self._runs(key):
                    break
                await asyncio.sleep(_LOOK_S)

    async def ended(self, keys: Sequence[SessionKey]) -> None:
        """Wait until all runs of these sessions have ended."""
        for key in keys:
            while True:
                if all(each.state in _ENDED for each in await self._runs(key)):
                    break
                await asyncio.sleep(_LOOK_S)

    async def _runs(self, key: SessionKey) -> Sequence[run_details_pb2.Run]:
        request = run_request_pb2.ListRunsRequest(session_id=key.session_id, page_size=100)
        return list((await self.stubs.run.ListRuns(request)).runs)


@asynccontextmanager
async def thread_load(target: str) -> AsyncIterator[ThreadLoad]:
    """Publish the script with its agents on an executor, for the length of a block."""
    async with AsyncExitStack() as stack:
        channels = [aio.insecure_channel(target, options=OPTIONS) for _ in range(_CONNECTIONS)]
        each = [ExecutorStubs(await stack.enter_async_context(channel)) for channel in channels]
        stubs = each[0]
        files = {path: text.encode() for path, text in _FILES.items()}
        bundle = script_pb2.ScriptBundle(files=files, main_path="threads.yaml")
        request = script_pb2.PublishScriptRequest(bundle=bundle)
        published = await stubs.script.PublishScript(request)
        yield ThreadLoad(stubs, published.script.script_id, cycle(each))


async def queue(store: Store, key: SessionKey, number: int) -> None:
    """Queue so many sub-agents in a session's opening turn; one in ten is stuck in its first unit.

    Their priorities run from 0 to 10, and are no guide to their ages.
    """
    snapshot = await opening(store, key)
    announced = [placeholder(f"正在写第 {each} 篇……") for each in range(number)]
    begun = [_begun(key, each, message) for each, message in enumerate(announced)]
    step = last_step(
        snapshot,
        said("还想写什么？"),
        *announced,
        position=at_round(1),
        instances=(instance(),),
        runs=tuple(run for run, _ in begun),
        threads=tuple(opened for _, opened in begun),
    )
    await store.commit_step(snapshot.lease, step)


def is_stuck(run_id: str) -> bool:
    """Return whether a queued run is one of those."""
    return run_id.endswith("stuck")


def _begun(key: SessionKey, number: int, anchor: Message) -> tuple[NewRun, NewThread]:
    stuck = number % _STUCK_EVERY == _STUCK_EVERY - 1
    name = f"{key.session_id}_{number}{'_stuck' if stuck else ''}"
    request = {"input": {"query": workload.STUCK if stuck else "睡眠"}}
    task = SubagentTask(
        agent="bench_writer", request=request, message_id=anchor.message_id, plain_line=PLAIN
    )
    opened = thread(f"thr_{name}", anchor.message_id, run_id=f"run_{name}")
    settings = replace(opened.settings, phase="outline")
    opened = replace(opened, agent="bench_writer", settings=settings, request=request)
    run = agent_run(
        f"run_{name}",
        opened.thread_id,
        agent="bench_writer",
        inputs=task.kept(),
        priority=number * _STEP % _PRIORITIES,
        timeout=timedelta(seconds=TIMEOUT_S if stuck else 600),
    )
    return run, NewThread(thread=opened, plain_text=PLAIN)
