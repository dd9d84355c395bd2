"""Runs of workflows that operators begin, in a served executor over a file."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from grpc import StatusCode
from grpc.aio import AioRpcError

from heartrule.domain.run_events import Activity, ActivityState, NodeExecutionFailed
from heartrule.domain.runs import RunState
from heartrule.v1 import run_pb2
from tests.support.odd_servers import Listener, answered, listening
from tests.support.served_runs import Operator, a_node, a_plan, an_operator, around, dry_run

JSON = {"Content-Type": "application/json"}
DOUBLED = a_node(
    "double",
    "PYTHON",
    code="return {'n': 2 * n}",
    keys={"input_mapping": {"n": "${ask.output.data.n}"}},
)


def ask(server: Listener, node_id: str = "ask", **keys: Any) -> dict[str, Any]:
    return a_node(node_id, "HTTP", url=server.url("/n"), method="GET", keys=keys)


def branching(server: Listener) -> dict[str, Any]:
    """Return a plan that asks a server and doubles its answer, or does nothing."""
    return a_plan(
        a_node("many", "CONDITION", expression="${input.least} > 1"),
        ask(server),
        DOUBLED,
        a_node("idle", "PYTHON", code="return {}"),
        edges=("many>ask:true", "many>idle:false", "ask>double"),
        inputs={"least": {"type": "integer"}},
    )


async def test_an_operators_run_goes_to_its_end(tmp_path: Path) -> None:
    """Each node of the branch that is taken runs, and watchers are told in order."""
    async with listening(answered(b'{"n": 21}', headers=JSON)) as server:
        async with an_operator(around(tmp_path)) as operator:
            workflow = await operator.plan(branching(server))
            run_id = await operator.execute(workflow, least=2)
            assert await operator.ended(run_id) == RunState.COMPLETED
            found = await operator.read(run_id)
    outputs = {each.path: each.output for each in found.attempts if each.HasField("output")}
    assert outputs["double"].struct_value.fields["n"].number_value == 42
    assert server.connections == 1
    told = operator.of_run(run_id)
    assert told[0] == RunState.QUEUED
    assert "idle skipped" in told
    done = [f"{each} completed" for each in ("many", "ask", "double")]
    assert [each for each in told if each in done] == done
    assert told[-1] == RunState.COMPLETED
    activities = [each.body.state for each in operator.told if isinstance(each.body, Activity)]
    assert activities == [ActivityState.BEGAN, ActivityState.ENDED]


async def test_runs_in_memory_are_tasks(tmp_path: Path) -> None:
    """Where the store ends with the process, a run needs no engine beside it."""
    neighbours = around(tmp_path)
    neighbours.run_address = ""
    async with an_operator(neighbours) as operator:
        workflow = await operator.plan(a_plan(a_node("idle", "PYTHON", code="return {}")))
        assert await operator.ended(await operator.execute(workflow)) == RunState.COMPLETED
    assert "heartrule-runs.db" not in await asyncio.to_thread(os.listdir, tmp_path)


async def test_a_dry_run_begins_nothing(tmp_path: Path) -> None:
    """It is judged as the decision would be."""
    async with an_operator(around(tmp_path)) as operator:
        workflow = await operator.plan(a_plan(a_node("idle", "PYTHON", code="return {}")))
        verdict = await dry_run(
            operator, {"action_type": "execute_workflow", "workflow_id": workflow}
        )
        assert verdict.is_valid
        assert await operator.runs() == []


async def test_a_failed_node_is_recovered_as_its_strategy_says(tmp_path: Path) -> None:
    """The failure, the coordinator's decision and its effect are told, and the run goes on."""
    busy = answered(b"", status="503 Service Unavailable")
    recovery = {"action": "RETRY", "max_attempts": 1, "delay": 0}
    async with listening(busy, answered(b'{"n": 21}', headers=JSON)) as server:
        async with an_operator(around(tmp_path)) as operator:
            plan = a_plan(ask(server, on_failure=recovery), DOUBLED, edges=("ask>double",))
            run_id = await operator.execute(await operator.plan(plan))
            assert await operator.ended(run_id) == RunState.COMPLETED
    failed = [each.body for each in operator.told if isinstance(each.body, NodeExecutionFailed)]
    assert [each.path for each in failed] == ["ask"]
    assert "ask retrying" in operator.of_run(run_id)
    assert server.connections == 2


async def test_a_failed_run_is_planned_anew(tmp_path: Path) -> None:
    """An operator's new plan begins a run at once; what it preserves does not run again."""
    async with listening(answered(b'{"n": 21}', headers=JSON)) as server:
        async with an_operator(around(tmp_path)) as operator:
            broken = a_node("broken", "PYTHON", code="return 1 / 0")
            plan = a_plan(ask(server), broken, edges=("ask>broken",))
            workflow = await operator.plan(plan)
            assert await operator.ended(await operator.execute(workflow)) == RunState.FAILED
            changes = {
                "remove_nodes": ["broken"],
                "add_nodes": [DOUBLED],
                "update_edges": [{"source": "ask", "target": "double"}],
            }
            await operator.decide(
                {
                    "action_type": "replan_workflow",
                    "workflow_id": workflow,
                    "reason": "its code is broken",
                    "execution_context": {"failed_node_id": "broken"},
                    "suggested_changes": changes,
                    "preserve_nodes": ["ask"],
                }
            )
            _, anew = await operator.runs()
            assert await operator.ended(anew.run_id) == RunState.COMPLETED
    assert server.connections == 1


async def test_a_cancelled_run_stops(tmp_path: Path) -> None:
    """The node under way is given up, and nothing of the run is written any more."""
    asked = asyncio.Event()

    async def never(_writer: asyncio.StreamWriter) -> None:
        asked.set()
        await asyncio.Event().wait()

    async with listening(never) as server, an_operator(around(tmp_path)) as operator:
        plan = a_plan(ask(server), DOUBLED, edges=("ask>double",))
        run_id = await operator.execute(await operator.plan(plan))
        await asked.wait()
        cancelled = await operator.cancel(run_id)
        assert cancelled.state == run_pb2.RUN_STATE_CANCELLED
        assert await operator.ended(run_id) == RunState.CANCELLED
    assert operator.of_run(run_id)[-1] == RunState.CANCELLED


async def test_a_run_goes_on_after_a_restart(tmp_path: Path) -> None:
    """What had ended does not run again; what was under way does, under its own key."""
    asked = asyncio.Event()

    async def never(_writer: asyncio.StreamWriter) -> None:
        asked.set()
        await asyncio.Event().wait()

    first = answered(b'{"n": 21}', headers=JSON)
    async with listening(first, never, first) as server:
        async with an_operator(around(tmp_path)) as operator:
            again = ask(server, "again")
            plan = a_plan(ask(server), again, DOUBLED, edges=("ask>again", "again>double"))
            run_id = await operator.execute(await operator.plan(plan))
            await asked.wait()
        async with an_operator(around(tmp_path), operator.session_id) as later:
            assert await later.ended(run_id) == RunState.COMPLETED
    assert server.connections == 3
    keys = [_key(each) for each in server.requests[1:]]
    assert keys[0] == keys[1]


async def test_a_workflow_that_is_changed_while_it_runs(tmp_path: Path) -> None:
    """The run goes on with its own copy; the new revision is ready, and the next run is of it."""
    asked, free = asyncio.Event(), asyncio.Event()

    async def held(writer: asyncio.StreamWriter) -> None:
        asked.set()
        await free.wait()
        writer.write(answered(b'{"n": 21}', headers=JSON))
        await writer.drain()

    async with listening(held) as server, an_operator(around(tmp_path)) as operator:
        workflow = await operator.plan(a_plan(ask(server), DOUBLED, edges=("ask>double",)))
        first = await operator.execute(workflow)
        await asked.wait()
        tripled = {"config.code": "return {'n': 3 * n}"}
        await operator.decide(
            {"action_type": "modify_node", "node_id": "double", "updates": tripled}
        )
        free.set()
        assert await operator.ended(first) == RunState.COMPLETED
        second = await operator.execute(workflow)
        assert await operator.ended(second) == RunState.COMPLETED
        gave = [await _number_of(operator, each, "double") for each in (first, second)]
        assert gave == [42, 63]
        assert [each.revision for each in await operator.runs()] == [1, 2]


async def test_fifty_one_starts_at_once(tmp_path: Path) -> None:
    """Each begins a run that ends, or has the code of what stood in its way."""
    async with an_operator(around(tmp_path)) as operator:
        idle = a_plan(a_node("idle", "CONDITION", expression="true"))
        workflows = [await operator.plan(idle) for _ in range(51)]
        starts = (
            operator.decide({"action_type": "execute_workflow", "workflow_id": each})
            for each in workflows
        )
        refused = [each for each in await asyncio.gather(*starts, return_exceptions=True)
                   if isinstance(each, BaseException)]  # fmt: skip
        begun = await operator.runs()
        assert [await operator.ended(each.run_id) for each in begun] == (
            [RunState.COMPLETED] * (51 - len(refused))
        )
    codes = {each.code() for each in refused if isinstance(each, AioRpcError)}
    assert codes <= {StatusCode.ABORTED, StatusCode.RESOURCE_EXHAUSTED}
    assert all(isinstance(each, AioRpcError) for each in refused)


async def test_more_runs_than_a_sessions_share_wait(tmp_path: Path) -> None:
    """They begin as others end, and all of them end."""
    async with listening(answered(b'{"n": 21}', headers=JSON)) as server:
        async with an_operator(around(tmp_path, HEARTRULE_RUN_CONCURRENCY="2")) as operator:
            workflows = [await operator.plan(a_plan(ask(server))) for _ in range(3)]
            runs = [await operator.execute(each) for each in workflows]
            assert [await operator.ended(each) for each in runs] == [RunState.COMPLETED] * 3
    assert server.connections == 3


async def _number_of(operator: Operator, run_id: str, path: str) -> float:
    (attempt,) = (e for e in (await operator.read(run_id)).attempts if e.path == path)
    return float(attempt.output.struct_value.fields["n"].number_value)


def _key(request: bytes) -> bytes:
    (line,) = [each for each in request.split(b"\r\n") if each.lower().startswith(b"idempotency")]
    return line
