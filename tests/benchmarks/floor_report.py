"""What a judged turn cannot do without: one call of the monitor, one transaction for its answer."""

from __future__ import annotations

import asyncio

from grpc import aio

from heartrule.v1 import action_result_pb2, monitor_service_pb2
from heartrule.v1.monitor_service_pb2_grpc import MonitorServiceStub
from tests.benchmarks.floor_store import FloorStore
from tests.benchmarks.serving import Turn

_DEADLINE_S = 30.0


class FloorReports:
    """Hands turns that were committed to the monitor; nobody waits for it."""

    def __init__(self, store: FloorStore, target: str) -> None:
        """Call the monitor at `target`; use it inside the loop."""
        self._store = store
        self._stub = MonitorServiceStub(aio.insecure_channel(target))
        self._running: set[asyncio.Task[None]] = set()

    def hand_over(self, turn: Turn, number: int, question: str, answer: str) -> None:
        """Begin the report of a turn whose reply was stored under that number."""
        task = asyncio.create_task(self._report(turn, number, question, answer))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def idle(self) -> None:
        """Return when no report is under way."""
        await asyncio.gather(*self._running)

    async def _report(self, turn: Turn, number: int, question: str, answer: str) -> None:
        request = _request(turn, number, question, answer)
        response = await self._stub.AnalyzeAction(request, timeout=_DEADLINE_S)
        calls = [(call.input, call.output) for call in response.calls]
        told = response.analysis.SerializeToString()
        await self._store.run(
            self._store.judged, turn.session_id, number, told, response.feedback_text, calls
        )


def _request(
    turn: Turn, number: int, question: str, answer: str
) -> monitor_service_pb2.AnalyzeActionRequest:
    """Return a report as long as ours: what was asked, said and answered, and the metrics."""
    request = monitor_service_pb2.AnalyzeActionRequest()
    report = request.report
    report.session_id, report.tenant, report.turn_id = turn.session_id, "default", turn.message_id
    report.action_id, report.action_instance_id = "ask", f"ai_{turn.session_id}"
    report.action_type, report.round, report.max_rounds = "ai_ask", number, 1_000_000_000
    report.metrics.user_engagement = report.metrics.reply_relevance = "高，回答直接而具体"
    report.metrics.information_completeness = report.metrics.emotional_intensity = "中等"
    report.progress_suggestion = action_result_pb2.PROGRESS_SUGGESTION_CONTINUE_NEEDED
    roles = ("ROLE_ASSISTANT", "ROLE_CLIENT", "ROLE_ASSISTANT")
    for role, text in zip(roles, (question, turn.words, answer), strict=True):
        report.dialogue.add(role=role, text=text)
    return request
