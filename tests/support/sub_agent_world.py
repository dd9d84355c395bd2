"""Runs of sub-agents on a real store in memory, with agents and answers that tests write."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from executor_service.decisions.subagent_task import SubagentTask
from executor_service.failpoints import Failpoints
from executor_service.sub_agents.sub_agent_body import SubAgentBody, SubAgentPorts
from executor_service.threads.agents import SubThreadAgent
from executor_service.threads.ai_adapter import AIAdapter
from executor_service.threads.handlers import StateHandler
from executor_service.threads.ports import ThreadModel
from executor_service.threads.task import Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import AgentMetadata, ThreadAgent
from executor_service.threads.two_step import SubThreadWork
from executor_service.threads.units import InteractionUnit, Requester
from executor_service.workflows.engine.driver_ports import Driven, DriverPorts, PlainSteps
from executor_service.workflows.engine.run_driver import drive
from heartrule.domain.events import SessionEvent
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.runs import RunKind
from heartrule.model.ports import ChatRequest, ModelRestarted
from session_store.open import open_in_memory
from session_store.records import Page
from session_store.records.kept_runs import KeptRun
from session_store.records.threads import KeptThread
from session_store.sql.store import SqlStore
from tests.support.clock import ManualClock
from tests.support.driven_runs import NoSpending, RunWorld, SeenFailpoints
from tests.support.fake_model import FakeModel, whole
from tests.support.store_builders import accept, begun, step
from tests.support.store_builders import opened as session_opened
from tests.support.store_threads import opening, over, placeholder

TASK = SubagentTask(
    agent="researcher",
    request={"query": "失眠"},
    message_id="",
    plain_line="没查到。",
    goal="睡得好",
    variables={"年龄": 30},
    messages=(("assistant", "你好"), ("user", "帮我查查")),
)


class Asks(StateHandler):
    """Answers what the model answers."""

    def __init__(self, model: ThreadModel) -> None:
        super().__init__()
        self._adapter = AIAdapter(model)

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        messages = thread.resolve(task.path).messages
        answer = await self._adapter.chat(messages, "查资料")
        return Response(answer.choices[0].message.content)


class Begins(Requester):
    """Asks for what it is made with."""

    def __init__(self, text: str, model: ThreadModel, next_phase: str) -> None:
        super().__init__(state_handler=Asks(model), next_phase=next_phase)
        self._text = text

    async def generate_user_message(self, *_: Any) -> str:
        return self._text


Units = Callable[[ThreadModel], Mapping[str, InteractionUnit]]


def two_units(model: ThreadModel) -> Mapping[str, InteractionUnit]:
    """Return the units of an agent that looks something up, and concludes."""
    return {
        "plan": Begins("查一查", model, "conclude"),
        "conclude": Begins("总结一下", model, "completed"),
    }


class ByQuestion(FakeModel):
    """Answers by what is asked last, however often."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        super().__init__()
        self._answers = answers

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        self.replies = [whole(self._answers[request.messages[-1].content])]
        async for piece in super().stream(request, calls=calls, visible=visible):
            yield piece


@dataclass
class WrittenAgents:
    """Makes one agent, whatever its name."""

    units: Units = two_units
    values: Mapping[str, Any] = field(default_factory=dict)

    async def make(
        self, key: SessionKey, name: str, model: ThreadModel, work: SubThreadWork | None = None
    ) -> ThreadAgent:
        units, values = self.units, self.values

        class WrittenAgent(SubThreadAgent):
            initial_phase = "plan"

            async def _initialize_interaction_units(self) -> None:
                self.interaction_units = units(model)

            def result_values(self, task: Task, thread: Thread) -> Mapping[str, Any]:
                return values

        return await WrittenAgent.create(AgentMetadata(name=name), {})

    async def labels(self, key: SessionKey, name: str) -> Mapping[str, str]:
        return {"conclude": "正在整理"}


@dataclass
class SubAgentWorld:
    """A session in which a turn has begun a sub-agent and is over."""

    store: SqlStore
    clock: ManualClock
    runs: RunWorld
    agents: WrittenAgents = field(default_factory=WrittenAgents)
    model: FakeModel = field(default_factory=FakeModel)
    events: list[SessionEvent] = field(default_factory=list)
    failpoints: Failpoints = field(default_factory=SeenFailpoints)
    leaving: asyncio.Event = field(default_factory=asyncio.Event)
    spending: Any = field(default_factory=NoSpending)

    @property
    def key(self) -> SessionKey:
        return self.runs.key

    def ports(self, store: Any = None) -> DriverPorts:
        """Return what a driver stands on; `store` is how its process sees the store."""
        seen = self.store if store is None else store
        plain = self.runs.ports(seen)
        body = SubAgentBody(
            SubAgentPorts(
                store=seen,
                agents=self.agents,
                model=self.model,
                means_of=self._means,
                publish=self._publish,
                failpoints=self.failpoints,
                make_id=new_id,
                readable=self._readable,
            )
        )
        return _with_body(plain, body)

    async def drive(self, *, owner: str = "w1", store: Any = None) -> Driven:
        """Drive the run until it is let go of."""
        return await drive(
            "run_1", self.ports(store), owner=owner, steps=PlainSteps(), leaving=self.leaving
        )

    async def kept(self, run_id: str = "run_1") -> KeptRun:
        """Return the run as it is stored."""
        return (await self.store.get_run(self.key, run_id)).run

    async def thread(self) -> KeptThread:
        """Return the outermost thread as it is stored."""
        return await self.store.get_thread(self.key, "thr_1")

    async def said(self, thread_id: str = "thr_1") -> list[str]:
        """Return what was said in a thread."""
        found, _ = await self.store.list_thread_messages(self.key, thread_id, Page(size=99))
        return [each.message.text for each in found]

    async def _means(self, key: SessionKey) -> Any:
        means = await self.runs._means(key)
        return _Means(access=means.access, spending=self.spending)

    def _publish(self, key: SessionKey, events: Iterable[SessionEvent]) -> None:
        self.events.extend(events)

    async def _readable(self, key: SessionKey, task: SubagentTask, text: str) -> str:
        return "" if "不能说" in text else text


@dataclass
class _Means:
    access: Any
    spending: Any


def _with_body(ports: DriverPorts, body: SubAgentBody) -> DriverPorts:
    return replace(ports, bodies={RunKind.SUB_AGENT: body})


async def a_sub_agent(phase: str = "plan", **changes: Any) -> SubAgentWorld:
    """Return a world whose run waits to be taken; `changes` are of the run."""
    clock = ManualClock()
    store = open_in_memory(clock)
    await store.start()
    key = await session_opened(store)
    await accept(store, key, "m1")
    snapshot, announced = await begun(store, key), placeholder()
    begins = opening(announced, **{"inputs": TASK.kept(), **changes})
    (new,) = begins["threads"]
    settings = replace(new.thread.settings, phase=phase)
    begins["threads"] = (replace(new, thread=replace(new.thread, settings=settings)),)
    first = step(snapshot, announced, inputs_consumed=True, **begins)
    await store.commit_step(snapshot.lease, first)
    await store.commit_step(snapshot.lease, over(snapshot, announced))
    runs = RunWorld(store=store, database_clock=clock, key=key)
    return SubAgentWorld(store=store, clock=clock, runs=runs)
