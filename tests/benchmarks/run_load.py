"""Runs of workflows as the benchmark begins them: their plans, an endpoint, and who decides."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any

from aiohttp import web
from grpc import StatusCode, aio

from heartrule.v1 import (
    decision_pb2,
    decision_request_pb2,
    run_details_pb2,
    run_pb2,
    run_request_pb2,
    script_pb2,
    session_pb2,
)
from heartrule.wire.executor_stubs import ExecutorStubs
from heartrule.wire.json_values import fill_struct
from tests.benchmarks import workload
from tests.benchmarks.load import OPTIONS

LANES, LONGEST = 5, 50
"""Of the mixed plan: calls by HTTP, each with nodes behind it; nodes in all, as many as may be."""
ANSWER_S = 0.1
"""What the endpoint takes."""
# Coarse: the figures are those of the run's row, and a look costs the executor.
_LOOK_S = 0.2
_ENDED = frozenset(
    {run_pb2.RUN_STATE_COMPLETED, run_pb2.RUN_STATE_FAILED, run_pb2.RUN_STATE_CANCELLED}
)
Plan = Mapping[str, Any]


class RunNotWell(Exception):
    """A run did not complete, or was not allowed."""


def chain(length: int) -> Plan:
    """Return conditions, one after the other: nothing but what the engine itself takes."""
    nodes = [_condition(f"c{each}") for each in range(length)]
    return _plan("chain", nodes, [f"c{each}" for each in range(length)])


def mixed(url: str) -> Plan:
    """Return fifty nodes: five calls by HTTP, ten of code in the small sandbox, and conditions."""
    lanes = [
        [
            _node(f"call{lane}", "HTTP", url=f"{url}/{lane}", method="GET"),
            *(_node(f"code{lane}{each}", "PYTHON", code=_CODE) for each in range(2)),
            *(_condition(f"c{lane}{each}") for each in range(6)),
        ]
        for lane in range(LANES)
    ]
    tail = [*(_condition(f"t{each}") for each in range(3)), _node("end", "END")]
    nodes = [_node("begin", "START"), *(node for lane in lanes for node in lane), *tail]
    assert len(nodes) == LONGEST
    paths = [["begin", *(node["node_id"] for node in lane), "t0"] for lane in lanes]
    return _plan("mixed", nodes, *paths, [node["node_id"] for node in tail])


# A script of its own: a session begins with the newest version, which those who chat publish.
_SCRIPT = workload.SCRIPT.replace("session_id: bench", "session_id: bench_runs")
_CODE = "return {'sum': sum(range(100))}"


def _condition(node_id: str) -> dict[str, Any]:
    return _node(node_id, "CONDITION", expression="1 + 1 == 2")


def _node(node_id: str, kind: str, **config: object) -> dict[str, Any]:
    return {"node_id": node_id, "type": kind, "name": node_id, "config": config}


def _plan(name: str, nodes: Sequence[Plan], *paths: Sequence[str]) -> Plan:
    edges = [{"source": one, "target": other} for path in paths for one, other in pairwise(path)]
    return {"name": name, "description": name, "nodes": nodes, "edges": edges}


@dataclass(frozen=True, slots=True)
class RunLoad:
    """Sessions of one executor that have the plans."""

    stubs: ExecutorStubs
    script_id: str
    numbers: count[int]

    async def session(self) -> str:
        """Begin a session; nobody talks in it."""
        request = session_pb2.StartSessionRequest(script_id=self.script_id)
        return str((await self.stubs.session.StartSession(request)).session.session_id)

    async def run(self, session_id: str, workflow_id: str) -> float:
        """Have a workflow run to its end; return the seconds from its taking.

        Raises:
            RunNotWell: It was refused, or failed.
        """
        decision_id = f"bench{next(self.numbers)}"
        request = decision_request_pb2.SubmitDecisionRequest(
            session_id=session_id,
            decision_id=decision_id,
            decision_type=decision_pb2.DECISION_TYPE_EXECUTE_WORKFLOW,
        )
        payload = {"action_type": "execute_workflow", "workflow_id": workflow_id}
        fill_struct(payload, request.payload)
        answer = await self._submitted(request)
        if not answer.decision.verdict.is_valid:
            raise RunNotWell(str(answer.decision.verdict))
        run = await self._ended(session_id, decision_id)
        if run.state != run_pb2.RUN_STATE_COMPLETED:
            raise RunNotWell(str(run))
        begun, ended = run.begin_time.ToDatetime(), run.end_time.ToDatetime()
        return (ended - begun).total_seconds()

    async def _submitted(
        self, request: decision_request_pb2.SubmitDecisionRequest
    ) -> decision_request_pb2.SubmitDecisionResponse:
        """Submit a decision, again where too many are being judged."""
        while True:
            try:
                return await self.stubs.decision.SubmitDecision(request)
            except aio.AioRpcError as error:
                if error.code() is not StatusCode.RESOURCE_EXHAUSTED:
                    raise
            await asyncio.sleep(_LOOK_S)

    async def _ended(self, session_id: str, decision_id: str) -> run_details_pb2.Run:
        request = run_request_pb2.ListRunsRequest(session_id=session_id)
        while True:
            listed = (await self.stubs.run.ListRuns(request)).runs
            (run,) = (each for each in listed if each.decision_id == decision_id)
            if run.state in _ENDED:
                return run
            await asyncio.sleep(_LOOK_S)


@asynccontextmanager
async def run_load(target: str, plans: Mapping[str, Plan]) -> AsyncIterator[RunLoad]:
    """Publish a script with the plans on an executor, for the length of a block."""
    async with aio.insecure_channel(target, options=OPTIONS) as channel:
        stubs = ExecutorStubs(channel)
        files = {
            f"workflows/{name}.yaml": json.dumps(plan).encode() for name, plan in plans.items()
        }
        bundle = script_pb2.ScriptBundle(
            files={"runs.yaml": _SCRIPT.encode(), **files}, main_path="runs.yaml"
        )
        request = script_pb2.PublishScriptRequest(bundle=bundle)
        published = await stubs.script.PublishScript(request)
        yield RunLoad(stubs, published.script.script_id, count(1))


@asynccontextmanager
async def endpoint() -> AsyncIterator[str]:
    """Serve what HTTP nodes call, for the length of a block; give its address."""

    async def answer(_request: web.Request) -> web.Response:
        await asyncio.sleep(ANSWER_S)
        return web.json_response({"ok": True})

    served = web.Application()
    served.router.add_route("*", "/{rest:.*}", answer)
    runner = web.AppRunner(served, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
