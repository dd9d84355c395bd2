"""Runs of a session that a safety level freezes (D15, D16)."""

from __future__ import annotations

import asyncio
from pathlib import Path

from heartrule.domain.run_events import NodeExecutionFailed, RunChanged
from heartrule.domain.runs import RunState
from heartrule.v1 import run_pb2
from heartrule.v1 import safety_request_pb2 as pb
from tests.support.odd_servers import answered, listening
from tests.support.served_runs import a_node, a_plan, an_operator, around
from tests.support.submissions import submit

FINE = answered(b"{}", headers={"Content-Type": "application/json"})
BUSY = answered(b"", status="503 Service Unavailable")


class Gate:
    """A server that answers when it is told to."""

    def __init__(self, first: bytes) -> None:
        """Answer `first`, then that all is fine."""
        self.asked, self.open = asyncio.Event(), asyncio.Event()
        self._answers = [first]

    async def __call__(self, writer: asyncio.StreamWriter) -> None:
        """Wait, then answer."""
        self.asked.set()
        await self.open.wait()
        writer.write(self._answers.pop() if self._answers else FINE)
        await writer.drain()


async def test_a_frozen_session_holds_its_runs(tmp_path: Path) -> None:
    """A node that fails waits, another run stops between two nodes; both go on when it is over."""
    failing, other = Gate(BUSY), Gate(FINE)
    async with (
        listening(failing) as one,
        listening(other) as two,
        an_operator(around(tmp_path)) as operator,
    ):
        recovery = {"action": "RETRY", "max_attempts": 1, "delay": 0}
        call = a_node("call", "HTTP", url=one.url(), method="GET", keys={"on_failure": recovery})
        ask = a_node("ask", "HTTP", url=two.url(), method="GET")
        last = a_node("last", "PYTHON", code="return {}")
        first = await operator.execute(await operator.plan(a_plan(call)))
        second = await operator.execute(await operator.plan(a_plan(ask, last, edges=("ask>last",))))
        await failing.asked.wait()
        await other.asked.wait()
        await operator.running.client.send(operator.session_id, "m1", "我想自杀")
        failing.open.set()
        await operator.until(NodeExecutionFailed, run_id=first)
        waits = await operator.until(RunChanged, run_id=first, state=RunState.WAITING_DECISION)
        assert waits.code is None
        other.open.set()
        await operator.until(RunChanged, run_id=second, state=RunState.INTERRUPTED)
        states = [each.state for each in await operator.runs()]
        assert states == [run_pb2.RUN_STATE_WAITING_DECISION, run_pb2.RUN_STATE_INTERRUPTED]
        closing = pb.CloseSafetyRequest(session_id=operator.session_id, operator="ann")
        await operator.running.client.stubs.safety.CloseSafety(closing)
        assert await operator.ended(first) == RunState.COMPLETED
        assert await operator.ended(second) == RunState.COMPLETED
    assert (one.connections, two.connections) == (2, 1)


async def test_an_operators_recovery_passes_the_gate_and_takes_effect(tmp_path: Path) -> None:
    """Of a run that waits while no worker is there to ask the coordinator, whose plan is ABORT."""
    failing = Gate(BUSY)
    async with listening(failing) as server:
        async with an_operator(around(tmp_path)) as operator:
            aborts = {"on_failure": {"action": "ABORT"}}
            call = a_node("call", "HTTP", url=server.url(), method="GET", keys=aborts)
            last = a_node("last", "PYTHON", code="return {}")
            workflow = await operator.plan(a_plan(call, last, edges=("call>last",)))
            run_id = await operator.execute(workflow)
            await failing.asked.wait()
            await operator.running.client.send(operator.session_id, "m1", "我想自杀")
            failing.open.set()
            await operator.until(RunChanged, run_id=run_id, state=RunState.WAITING_DECISION)
        session_id = operator.session_id
        recovery = {
            "action_type": "error_recovery",
            "workflow_id": workflow,
            "failed_node_id": "call",
            "failure_reason": "503",
            "execution_context": {"executed_nodes": ["call"]},
        }
        nobody = around(tmp_path, HEARTRULE_RUN_CONCURRENCY="0")
        async with an_operator(nobody, session_id) as operator:
            closing = pb.CloseSafetyRequest(session_id=session_id, operator="ann")
            await operator.running.client.stubs.safety.CloseSafety(closing)
            wrong = {**recovery, "recovery_plan": {"action": "RETRY"}}
            refused = await submit(operator.running, session_id, wrong, decision_id="rec_1")
            found = [each.path for each in refused.decision.verdict.errors]
            assert found == ["recovery_plan.max_attempts"]
            right = {**recovery, "recovery_plan": {"action": "RETRY", "max_attempts": 1}}
            await operator.decide(right, decision_id="rec_2")
        async with an_operator(around(tmp_path), session_id) as operator:
            assert await operator.ended(run_id) == RunState.COMPLETED
    assert server.connections == 2
