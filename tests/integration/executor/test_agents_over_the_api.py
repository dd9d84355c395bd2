"""What an agent decided is listed, shown in its turn's time line, and drawn upon by an operator."""

from __future__ import annotations

from heartrule.v1 import decision_request_pb2 as pb
from heartrule.v1 import timeline_pb2
from tests.integration.executor.test_agents import DONE, DRAFTED, WRONG, opened, saying
from tests.support.executors import Running, running_executor
from tests.support.submissions import WRITER, submit


async def listed(running: Running, session_id: str, turn_id: str) -> list[tuple[int, int, bool]]:
    """Return step, state and verdict of each decision of a turn."""
    request = pb.ListDecisionsRequest(session_id=session_id, turn_id=turn_id)
    found = await running.client.stubs.decision.ListDecisions(request)
    return [(each.step, each.state, each.verdict.is_valid) for each in found.decisions]


async def test_a_turn_of_an_agent_is_listed_step_by_step() -> None:
    """Rejected, mended, answered; the time line has a span for each in its step."""
    async with running_executor(saying(WRONG, DRAFTED, DONE)) as running:
        session_id = await opened(running)
        told = await running.client.send(session_id, "m1", "帮我写小结")
        turn_id = told.events[-1].turn_id
        found = await listed(running, session_id, turn_id)
        request = timeline_pb2.GetTurnTimelineRequest(session_id=session_id, turn_id=turn_id)
        answer = await running.client.stubs.history.GetTurnTimeline(request)
    done = pb.DECISION_STATE_DONE
    assert found == [(0, pb.DECISION_STATE_REJECTED, False), (1, done, True), (2, done, True)]
    kind = timeline_pb2.TIMELINE_KIND_DECISION
    spans = [each for each in answer.timeline.spans if each.kind == kind]
    assert [(each.parent_span_id, each.facts["verdict"]) for each in spans] == [
        ("attempt-1/step-1", "rejected"),
        ("attempt-1/step-2", "valid"),
        ("attempt-1/step-3", "valid"),
    ]


async def test_an_operator_adds_to_the_agents_draft() -> None:
    """One gate and one draft, whoever decides."""
    async with running_executor(saying(DRAFTED, DONE)) as running:
        session_id = await opened(running)
        await running.client.send(session_id, "m1", "帮我写小结")
        answer = await submit(running, session_id, WRITER)
    assert answer.workflow.revision == 2
    assert answer.decision.state == pb.DECISION_STATE_DONE
