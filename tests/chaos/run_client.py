"""A client whose session has workflows; an operator begins runs of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from heartrule.domain.json_value import JsonValue
from heartrule.v1 import decision_pb2, decision_request_pb2, run_pb2, run_request_pb2
from heartrule.wire.json_values import fill_struct
from tests.chaos.client import Client

_UNARY_S = 30.0
_EVERY_S = 0.1
_ENDED = frozenset(
    {run_pb2.RUN_STATE_COMPLETED, run_pb2.RUN_STATE_FAILED, run_pb2.RUN_STATE_CANCELLED}
)


@dataclass(slots=True)
class RunningClient(Client):
    """One conversation, and the runs of its session."""

    async def run(self, workflow_id: str, tag: str) -> str:
        """Have a workflow run to its end, and return the run's id."""
        run_id = await self.begin_run(workflow_id, tag)
        while await self.state(run_id) not in _ENDED:
            await asyncio.sleep(_EVERY_S)
        return run_id

    async def begin_run(self, workflow_id: str, tag: str) -> str:
        """Decide that a workflow runs, again until that is answered; return the run's id."""
        decision_id = f"op_{tag}"
        request = decision_request_pb2.SubmitDecisionRequest(
            session_id=self.session_id,
            decision_id=decision_id,
            decision_type=decision_pb2.DECISION_TYPE_EXECUTE_WORKFLOW,
        )
        payload: Mapping[str, JsonValue] = {
            "action_type": "execute_workflow",
            "workflow_id": workflow_id,
            "input_params": {"tag": tag},
        }
        fill_struct(payload, request.payload)
        answer = await self._unary(
            lambda stubs: stubs.decision.SubmitDecision(request, timeout=_UNARY_S)
        )
        verdict = answer.decision.verdict
        assert verdict.is_valid, f"the run must be allowed, and was refused: {verdict.errors}"
        wanted = run_request_pb2.ListRunsRequest(
            session_id=self.session_id, workflow_id=workflow_id
        )
        listed = await self._unary(lambda stubs: stubs.run.ListRuns(wanted, timeout=_UNARY_S))
        (run,) = (each for each in listed.runs if each.decision_id == decision_id)
        return str(run.run_id)

    async def state(self, run_id: str) -> run_pb2.RunState:
        """Return how far a run is."""
        request = run_request_pb2.GetRunRequest(
            session_id=self.session_id, run_id=run_id, page_size=1
        )
        found = await self._unary(lambda stubs: stubs.run.GetRun(request, timeout=_UNARY_S))
        state: run_pb2.RunState = found.run.state
        return state
