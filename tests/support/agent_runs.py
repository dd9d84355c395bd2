"""Sessions whose agent runs a workflow, with a model that tests write."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from heartrule.domain.events import SessionEvent, TurnEnded
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.domain.run_events import Activity, ActivityState
from heartrule.domain.variables import VariableValue
from heartrule.model.ports import ChatRequest, ModelRestarted
from heartrule.v1 import safety_request_pb2, script_pb2, session_pb2
from session_store.records import Page
from session_store.records.kept_runs import KeptRun
from tests.support.agent_talk import answers, decision, respond
from tests.support.conversing import Client, Conversing
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel, Reply
from tests.support.scripts import topic_script

SUM = """\
name: 写小结
description: 把说过的写成一句话
nodes:
  - node_id: write
    type: LLM
    name: 写
    config: {prompt: 写一句小结}
    on_failure: {action: ABORT}
edges: []
"""
AGENT = (
    "{action_type: ai_agent, action_id: talk, goal: 陪他写小结, run_output: 小结, "
    "max_decisions: 6, allowed_decisions: "
    "[respond, request_clarification, execute_workflow, replan_workflow]}"
)
HELLO = answers(respond("你好，想写点什么？", intent="greeting"), intent="greeting")


def execute(mode: str, **fields: Any) -> dict[str, Any]:
    """Return an EXECUTE_WORKFLOW of the script's workflow."""
    return decision("execute_workflow", workflow_id="sum", execution_mode=mode, **fields)


SYNC = answers(execute("sync"), intent="workflow_request")
ASYNC = answers(execute("async"), intent="workflow_request")


class Voices(FakeModel):
    """Says to nodes and agents of runs what is written for them, and to everybody else the rest."""

    def __init__(self, replies: Iterable[Reply | str], nodes: Iterable[Reply | str]) -> None:
        super().__init__(replies)
        self.of_nodes = FakeModel(nodes)

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream the next answer of the one who is asked."""
        is_run = request.purpose in {Purpose.WORKFLOW, Purpose.THREAD}
        stream = self.of_nodes.stream if is_run else super().stream
        async for piece in stream(request, calls=calls, visible=visible):
            yield piece


@dataclass(frozen=True, slots=True)
class RunTalk:
    """A session whose agent has greeted, and a stream of it."""

    running: Running
    model: Voices
    stream: Conversing
    session_id: str

    @property
    def key(self) -> SessionKey:
        return SessionKey(DEFAULT_TENANT, self.session_id)

    async def says(self, name: str, text: str) -> TurnEnded:
        """Say something and read to the end of its turn."""
        return await self.stream.turn(name, text)

    async def ended(self) -> Activity:
        """Read until a run has ended."""

        def ends(event: SessionEvent) -> bool:
            body = event.body
            return isinstance(body, Activity) and body.state is ActivityState.ENDED

        event = await self.stream.until(ends)
        assert isinstance(event.body, Activity)
        return event.body

    async def variable(self, name: str = "小结") -> VariableValue | None:
        """Return a variable as it is stored."""
        found = await self.running.neighbours.store.list_variables(self.key)
        return next((each for each in found if each.name == name), None)

    async def runs(self) -> list[KeptRun]:
        """Return the session's runs in order."""
        return (await self.running.neighbours.store.list_runs(self.key, Page()))[0]

    async def thaws(self) -> None:
        """Take the session off the crisis path."""
        request = safety_request_pb2.CloseSafetyRequest(session_id=self.session_id, operator="ann")
        await self.running.client.stubs.safety.CloseSafety(request)


@asynccontextmanager
async def run_talk(
    *replies: Reply | str,
    nodes: Iterable[Reply | str] = (),
    actions: Iterable[str] = (AGENT,),
    environ: dict[str, str] | None = None,
    neighbours: Neighbours | None = None,
    **workflows: str,
) -> AsyncIterator[RunTalk]:
    """Open a session of a script that brings workflows; none is named: `sum`."""
    model = Voices([HELLO, *replies], nodes)
    around = neighbours or Neighbours(environ=environ or {})
    around.model = model
    async with running_executor(around) as running:
        session_id = await started(running.client, actions, workflows or {"sum": SUM})
        await running.client.initialize(session_id)
        async with running.client.converse(session_id) as stream:
            yield RunTalk(running, model, stream, session_id)


async def started(client: Client, actions: Iterable[str], workflows: Mapping[str, str]) -> str:
    """Start a session of a script that brings workflows, and return its id."""
    texts = {f"workflows/{name}.yaml": text for name, text in workflows.items()}
    files = {"s.yaml": topic_script(*actions), **texts}
    bundle = script_pb2.ScriptBundle(files={name: text.encode() for name, text in files.items()})
    wanted = script_pb2.PublishScriptRequest(bundle=bundle)
    script = (await client.stubs.script.PublishScript(wanted)).script
    begin = session_pb2.StartSessionRequest(script_id=script.script_id)
    return str((await client.stubs.session.StartSession(begin)).session.session_id)
