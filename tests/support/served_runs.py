"""Runs of workflows that an operator begins in a served executor, and what watchers hear."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from heartrule.domain.events import SessionEvent
from heartrule.domain.run_events import Activity, ActivityState, NodeChanged, RunChanged
from heartrule.v1 import conversation_pb2, decision_request_pb2, run_request_pb2
from heartrule.wire.event_messages import event_from_message
from session_store.open import open_store
from tests.support.conversing import ALL, WAIT_S, Client
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.odd_servers import OPEN_HOST
from tests.support.submissions import begun, submit

POLICY = f"default: {{api_networks: [{OPEN_HOST}/32]}}\n"
"""Opens the loopback address that servers of tests listen at."""


def a_node(node_id: str, type_: str, **config: Any) -> dict[str, Any]:
    """Return a node as a plan writes it; `keys` are those beside its configuration."""
    keys = config.pop("keys", {})
    return {"node_id": node_id, "type": type_, "name": node_id, "config": config, **keys}


def a_plan(*nodes: Mapping[str, Any], edges: tuple[str, ...] = (), **keys: Any) -> dict[str, Any]:
    """Return the payload that makes a workflow; an edge is `a>b` or `a>b:condition`."""
    written = []
    for each in edges:
        ends, _, condition = each.partition(":")
        source, target = ends.split(">")
        written.append({"source": source, "target": target, "condition": condition})
    return {
        "action_type": "create_workflow_plan",
        "name": "n",
        "description": "d",
        "nodes": list(nodes),
        "edges": written,
        **keys,
    }


class Operator:
    """A session with one workflow, and an operator who decides about it and watches."""

    def __init__(self, running: Running, session_id: str) -> None:
        """Decide in this session."""
        self.running, self.session_id = running, session_id
        self.told: list[SessionEvent] = []
        self._decided = 0

    async def decide(self, payload: Mapping[str, Any], **fields: Any) -> Any:
        """Submit a decision and return the answer; it is valid."""
        self._decided += 1
        fields = {"decision_id": f"op_{self._decided}", **fields}
        made = await submit(self.running, self.session_id, payload, **fields)
        errors = [f"{each.path}: {each.message}" for each in made.decision.verdict.errors]
        assert errors == []
        return made

    async def plan(self, payload: Mapping[str, Any]) -> str:
        """Make a workflow and return its id."""
        made = await self.decide(payload)
        return str(made.workflow.workflow_id)

    async def execute(self, workflow_id: str, **inputs: Any) -> str:
        """Begin a run and return its id."""
        payload = {"action_type": "execute_workflow", "workflow_id": workflow_id}
        await self.decide({**payload, "input_params": inputs})
        return str((await self.runs())[-1].run_id)

    async def runs(self) -> list[Any]:
        """Return the session's runs."""
        request = run_request_pb2.ListRunsRequest(session_id=self.session_id)
        return list((await self.running.client.stubs.run.ListRuns(request)).runs)

    async def read(self, run_id: str) -> Any:
        """Return a run with its attempts."""
        request = run_request_pb2.GetRunRequest(session_id=self.session_id, run_id=run_id)
        return await self.running.client.stubs.run.GetRun(request)

    async def cancel(self, run_id: str) -> Any:
        """Cancel a run and return it."""
        request = run_request_pb2.CancelRunRequest(session_id=self.session_id, run_id=run_id)
        return (await self.running.client.stubs.run.CancelRun(request)).run

    async def until(self, kind: type[Any], after: int = 0, **fields: Any) -> Any:
        """Watch the session from a sequence on until it tells of this, and return that."""
        async with asyncio.timeout(WAIT_S), self._watching(after) as events:
            async for event in events:
                self.told.append(event)
                body = event.body
                if isinstance(body, kind) and all(getattr(body, k) == v for k, v in fields.items()):
                    return body
        raise AssertionError("the stream ended")

    async def ended(self, run_id: str) -> str:
        """Return the state that a run ends in; its activity is told last."""
        self.told = []
        await self.until(Activity, activity_id=run_id, state=ActivityState.ENDED)
        return self.of_run(run_id)[-1]

    def of_run(self, run_id: str) -> list[str]:
        """Return what was told of a run and its nodes, in order."""
        bodies = [
            each.body for each in self.told if isinstance(each.body, RunChanged | NodeChanged)
        ]
        return [
            str(each.state) if isinstance(each, RunChanged) else f"{each.path} {each.state}"
            for each in bodies
            if each.run_id == run_id
        ]

    @asynccontextmanager
    async def _watching(self, after: int) -> AsyncIterator[AsyncIterator[SessionEvent]]:
        request = conversation_pb2.WatchSessionRequest(
            session_id=self.session_id, after_sequence=after, audiences=ALL
        )
        call = self.running.client.stubs.conversation.WatchSession(request)
        try:
            yield _events(call)
        finally:
            call.cancel()


def operator_of(client: Client, session_id: str) -> Operator:
    """Return the operator of a session of an executor that is a process of its own."""
    return Operator(cast("Running", SimpleNamespace(client=client)), session_id)


async def _events(call: Any) -> AsyncIterator[SessionEvent]:
    async for response in call:
        event = event_from_message(response.event)
        if event is not None:
            yield event


def around(folder: Path, *, database: str = "", **environ: str) -> Neighbours:
    """Return surroundings with a store on disk, and a policy that opens a loopback address."""
    policy = folder / "policy.yaml"
    policy.write_text(POLICY, encoding="utf-8")
    address = database or f"sqlite:///{folder / 'heartrule.db'}"
    return Neighbours(
        model=FakeModel([ask_reply("怎么称呼你？")] * 9),
        store=open_store(address),
        run_address=address,
        environ={
            "HEARTRULE_DATABASE_URL": address,
            "HEARTRULE_DECISION_POLICY": str(policy),
            **environ,
        },
    )


@asynccontextmanager
async def an_operator(neighbours: Neighbours, session_id: str = "") -> AsyncIterator[Operator]:
    """Start an executor and give an operator of a new session, or of one that is there."""
    async with running_executor(neighbours) as running:
        yield Operator(running, session_id or await begun(running))


async def dry_run(operator: Operator, payload: Mapping[str, Any]) -> Any:
    """Return the verdict on a decision that is not made."""
    answer: decision_request_pb2.SubmitDecisionResponse = await submit(
        operator.running, operator.session_id, payload, decision_id="", dry_run=True
    )
    return answer.decision.verdict
