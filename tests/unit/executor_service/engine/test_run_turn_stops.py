"""Stopping a turn at its safe points."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from executor_service.engine.run_turn import run_turn
from executor_service.turn_stopping import Stopped, StopToken
from heartrule.domain.conversation import Completeness
from heartrule.domain.events import DraftDelta, DraftPosition, Outcome
from heartrule.domain.position import ExecutionStatus
from session_store.records import CommittedStep, InstanceState, StepCommit, StopKind, StopRequest
from tests.support.engine_builders import (
    RecordingSink,
    ask,
    before_the_script,
    engine_deps,
    heard,
    say,
    script,
    told,
    waiting_at,
)
from tests.support.fake_model import FakeModel, Reply, ask_reply

QUESTION = ask_reply("怎么称呼你？")
INTERRUPT = StopRequest(turn_id="turn_2", attempt=1, kind=StopKind.INTERRUPT)
TWO = script(say("hello", require_acknowledgment=False), ask("name", max_rounds=2))


class Asking(RecordingSink):
    """A sink in which the turn is asked to stop at a draft, or in a commit."""

    def __init__(
        self, *, at_draft: StopRequest | None = None, in_commit: bool = False, waits: bool = True
    ) -> None:
        super().__init__()
        self._at_draft, self._in_commit, self._waits = at_draft, in_commit, waits

    def emit(self, draft: DraftDelta) -> None:
        """Ask behind the first draft, as soon as the model is waited for again."""
        super().emit(draft)
        request, self._at_draft = self._at_draft, None
        if request is not None and not self._waits:
            self.stop.ask(request)
        elif request is not None:
            asyncio.get_running_loop().call_soon(self.stop.ask, request)

    async def commit(self, step: StepCommit) -> CommittedStep:
        """Ask while the step is written."""
        if self._in_commit:
            self.stop.ask(INTERRUPT)
        return await super().commit(step)


def stalls(text: str, shown: str) -> Reply:
    """Return a reply that stops behind what is shown."""
    at = text.index(shown) + len(shown)
    return Reply(pieces=(text[:at], text[at:]), gate=asyncio.Event())


def answering(**changes: Any) -> Any:
    """Return a turn in which the client answers the ask."""
    return waiting_at(
        TWO, place=(0, 0, 1), inputs=(heard("小明"),), window=(told("你好。"),), **changes
    )


async def test_interrupted_before_it_begins_a_turn_calls_no_model() -> None:
    """The first safe point lies before the first action."""
    model, sink = FakeModel([QUESTION]), RecordingSink(stop=StopToken(INTERRUPT))
    with pytest.raises(Stopped):
        await run_turn(answering(), TWO, engine_deps(model), sink)
    assert (model.requests, sink.steps) == ([], [])


async def test_interrupted_in_mid_stream_nothing_of_the_step_is_committed() -> None:
    """A draft of which nothing was heard is given up."""
    model = FakeModel([stalls(QUESTION, "怎么")])
    sink = Asking(at_draft=INTERRUPT)
    with pytest.raises(Stopped):
        await run_turn(answering(), TWO, engine_deps(model), sink)
    assert (sink.drafted(), sink.steps) == ("怎么", [])


async def test_what_was_heard_ends_the_turn_as_a_round() -> None:
    """The heard part is the message; the round counts with metrics unread (C4)."""
    place = DraftPosition(message_id="msg_1", offset=3)
    request = StopRequest(turn_id="turn_2", attempt=1, kind=StopKind.INTERRUPT, heard=place)
    sink = Asking(at_draft=request)
    model = FakeModel([stalls(QUESTION, "怎么称呼")])
    end = await run_turn(answering(), TWO, engine_deps(model), sink)
    (step,) = sink.steps
    assert (end.outcome, step.status) == (Outcome.INTERRUPTED, ExecutionStatus.WAITING_INPUT)
    assert (sink.texts(), step.messages[0].completeness) == (["怎么称"], Completeness.INTERRUPTED)
    assert (step.position.current_round, step.inputs_consumed) == (2, True)
    assert (step.monitor_requested, end.degradations) == (False, ())


async def test_in_the_last_round_the_heard_part_closes_the_action() -> None:
    """The script's end stays its end."""
    place = DraftPosition(message_id="msg_1", offset=3)
    request = StopRequest(turn_id="turn_2", attempt=1, kind=StopKind.INTERRUPT, heard=place)
    model = FakeModel([stalls(ask_reply("好的。谢谢你。"), "好的。谢")])
    end = await run_turn(answering(round_=2), TWO, engine_deps(model), Asking(at_draft=request))
    assert end.outcome is Outcome.SESSION_COMPLETED


async def test_interrupted_in_a_commit_the_turn_ends_behind_that_step() -> None:
    """What is committed stays; the next action does not open."""
    model, sink = FakeModel([ask_reply("欢迎你"), QUESTION]), Asking(in_commit=True)
    with pytest.raises(Stopped):
        await run_turn(before_the_script(), TWO, engine_deps(model), sink)
    assert (sink.texts(), len(model.requests)) == (["欢迎你"], 1)


async def test_a_step_that_is_ready_takes_the_end_with_it() -> None:
    """Where nothing is left to cut short, the action that is done is the turn's last."""
    sink, model = Asking(at_draft=INTERRUPT, waits=False), FakeModel([ask_reply("欢迎你")])
    end = await run_turn(before_the_script(), TWO, engine_deps(model), sink)
    (step,) = sink.steps
    assert (end.outcome, step.status) == (Outcome.INTERRUPTED, ExecutionStatus.WAITING_INPUT)
    assert (step.position.action_id, sink.texts()) == ("name", ["欢迎你"])


async def test_a_turn_that_waits_anyhow_was_not_interrupted() -> None:
    """Asked when the question is complete, the turn ends as it would have."""
    sink, model = Asking(at_draft=INTERRUPT, waits=False), FakeModel([QUESTION])
    end = await run_turn(answering(), TWO, engine_deps(model), sink)
    assert (end.outcome, sink.texts()) == (Outcome.WAITING, ["怎么称呼你？"])


async def test_what_is_said_to_an_action_that_did_not_open_is_history() -> None:
    """The action opens behind the client's words, which answer nothing of it."""
    snapshot = waiting_at(TWO, place=(0, 0, 1), round_=0, inputs=(heard("等等"),))
    model, sink = FakeModel([QUESTION]), RecordingSink()
    end = await run_turn(snapshot, TWO, engine_deps(model), sink)
    (step,) = sink.steps
    assert (end.outcome, step.result.exit_decision if step.result else "") == (
        Outcome.WAITING,
        None,
    )
    assert step.inputs_consumed
    assert [each.state for each in step.instances] == [InstanceState.RUNNING]
    assert any("等等" in message.content for message in model.requests[0].messages)
