"""What a turn took, as its client and its supervisor may ask afterwards."""

from __future__ import annotations

import grpc
import pytest

from heartrule.domain.events import AnalysisEnded, TurnEnded
from heartrule.domain.timeline import TimelineKind, TimelineLane, TimelineSpan, TurnTimeline
from heartrule.v1 import timeline_pb2
from heartrule.wire.message_mapping import from_message
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.fake_monitor import FakeMonitor, advises
from tests.support.scripts import ask_script

REPLIES = [ask_reply("怎么称呼你？"), *[ask_reply("慢慢说。")] * 2]


async def timeline(running: Running, session_id: str, turn_id: str) -> TurnTimeline:
    request = timeline_pb2.GetTurnTimelineRequest(session_id=session_id, turn_id=turn_id)
    answer = await running.client.stubs.history.GetTurnTimeline(request)
    return from_message(answer.timeline, TurnTimeline)


def of(told: TurnTimeline, kind: TimelineKind) -> list[TimelineSpan]:
    return [span for span in told.spans if span.kind is kind]


async def test_the_second_mind_runs_beside_and_names_the_turn_that_used_it() -> None:
    """The analysis lies on its own lane after the judged step, and links to what it changed."""
    around = Neighbours(model=FakeModel(REPLIES), monitor=FakeMonitor([advises("请更温和")]))
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "不太想说")
            await stream.until_body(AnalysisEnded)
            await stream.turn("m2", "嗯")
        turns = [e.turn_id for e in stream.told.events if isinstance(e.body, TurnEnded)]
        told = await timeline(running, session_id, turns[1])
    (analysis,) = of(told, TimelineKind.ANALYSIS)
    (step,) = of(told, TimelineKind.STEP)
    assert (analysis.lane, step.lane) == (TimelineLane.MONITOR, TimelineLane.MAIN)
    assert analysis.start_time >= step.start_time
    assert [link.span_id for link in analysis.links if link.relation == "judges"] == [step.span_id]
    used = [link.turn_id for span in of(told, TimelineKind.ADVICE) for link in span.links]
    assert turns[2] in used


async def test_a_turn_holds_its_attempt_its_steps_their_calls_and_messages() -> None:
    """Each span names the one it is part of."""
    async with running_executor(Neighbours(model=FakeModel(REPLIES))) as running:
        session_id = await running.client.start(ask_script(9))
        told = await running.client.initialize(session_id)
        seen = await timeline(running, session_id, told.durable()[-1].turn_id)
    parents = {span.kind: span.parent_span_id for span in seen.spans}
    assert parents == {
        TimelineKind.TURN: "",
        TimelineKind.ATTEMPT: "turn",
        TimelineKind.STEP: "attempt-1",
        TimelineKind.MODEL_CALL: "attempt-1/step-1",
        TimelineKind.MESSAGE: "attempt-1/step-1",
    }
    assert seen.end_time is not None


async def test_the_calls_of_a_turn_have_prompt_and_reply() -> None:
    """What the model was asked and what it answered can be read, turn by turn."""
    async with running_executor(Neighbours(model=FakeModel(REPLIES))) as running:
        session_id = await running.client.start(ask_script(9))
        told = await running.client.initialize(session_id)
        turn_id = told.durable()[-1].turn_id
        request = timeline_pb2.ListModelCallsRequest(session_id=session_id, turn_id=turn_id)
        (made,) = (await running.client.stubs.history.ListModelCalls(request)).calls
    assert (made.turn_id, made.call.output) == (turn_id, REPLIES[0])
    assert made.call.input


async def test_a_turn_nobody_knows_has_no_timeline() -> None:
    """NOT_FOUND, as for any name."""
    async with running_executor() as running:
        session_id = await running.client.start(ask_script(9))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await timeline(running, session_id, "turn_x")
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
