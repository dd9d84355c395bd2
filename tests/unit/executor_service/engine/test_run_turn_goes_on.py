"""A round of several steps: what each commits, what the next one finds, where it ends."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from executor_service.actions.action_context import OutgoingMessage, RoundContext, RoundOutcome
from executor_service.engine.run_turn import TooManyActionsInTurn, run_turn
from executor_service.scripts.model.actions import ActionType
from heartrule.domain.action_result import ActionResult
from heartrule.domain.decisions import Decision, DecisionState
from heartrule.domain.events import Outcome
from heartrule.domain.position import ExecutionStatus
from session_store.records import (
    DecisionChange,
    InstanceState,
    StopKind,
    StopRequest,
    TurnSnapshot,
)
from tests.support.engine_builders import (
    RecordingSink,
    ask,
    engine_deps,
    heard,
    script,
    waiting_at,
)
from tests.support.fake_model import FakeModel

ONE = script(ask())
ANSWERED = waiting_at(ONE, inputs=(heard("小明"),))
MADE = DecisionChange(
    decision=Decision(decision_id="d1", correlation_id="c1", decision_type="continue", payload={}),
    state=DecisionState.DONE,
)
INTERRUPT = StopRequest(turn_id="turn_2", attempt=1, kind=StopKind.INTERRUPT)


@dataclass
class Thinker:
    """Takes so many steps before it speaks, and counts them in its memory."""

    steps: int
    seen: list[RoundContext] = field(default_factory=list)

    async def __call__(self, context: RoundContext) -> RoundOutcome:
        """Take one step."""
        self.seen.append(context)
        count = int(str(context.instance.memory.get("count", 0)))
        goes_on = count < self.steps
        text = "" if goes_on else "想好了"
        said = () if goes_on else (OutgoingMessage(message_id=context.make_id("msg"), text=text),)
        result = ActionResult(success=True, completed=False, ai_message=text, round=1)
        return RoundOutcome(
            result=result,
            messages=said,
            next_round=context.instance.round + (0 if goes_on else 1),
            memory={"count": count + 1},
            goes_on=goes_on,
            decisions=(MADE,) if goes_on else (),
        )


async def run(thinker: Thinker, snapshot: TurnSnapshot = ANSWERED, **deps: int) -> RecordingSink:
    """Run one turn of it."""
    sink = RecordingSink()
    runners = {ActionType.AI_ASK: thinker}
    await run_turn(snapshot, ONE, engine_deps(FakeModel([]), actions=runners, **deps), sink)
    return sink


async def test_a_round_that_goes_on_commits_each_step() -> None:
    """Every step but the last is RUNNING and bears no result: one round gives one."""
    sink = await run(Thinker(2))
    assert [step.status for step in sink.steps] == [
        ExecutionStatus.RUNNING,
        ExecutionStatus.RUNNING,
        ExecutionStatus.WAITING_INPUT,
    ]
    assert [step.result is None for step in sink.steps] == [True, True, False]
    assert [step.decisions for step in sink.steps] == [(MADE,), (MADE,), ()]
    assert sink.texts() == ["想好了"]


async def test_the_next_step_finds_the_memory_and_no_reply() -> None:
    """The client's words are history after the first step."""
    thinker = Thinker(1)
    await run(thinker)
    first, second = thinker.seen
    assert (first.reply, second.reply) == ("小明", None)
    assert second.instance.memory == {"count": 1}
    assert [each.content for each in second.history] == ["小明"]


async def test_a_turn_taken_up_again_goes_on_behind_its_last_step() -> None:
    """What a committed step remembers is not done again."""
    left = waiting_at(ONE, inputs=(heard("小明"),), inputs_consumed=True, steps=2, attempt=2)
    plan = (replace(left.plan[0], memory={"count": 2}),)
    thinker = Thinker(2)
    sink = await run(thinker, replace(left, plan=plan))
    assert (len(thinker.seen), sink.texts()) == (1, ["想好了"])


async def test_a_round_has_no_more_steps_than_a_turn_has_actions() -> None:
    """An agent that never ends is stopped; what was committed stays."""
    with pytest.raises(TooManyActionsInTurn):
        await run(Thinker(9), max_actions=4)


async def test_a_turn_that_is_interrupted_ends_between_two_steps() -> None:
    """The action stays where it is, and nothing further is decided."""

    @dataclass
    class Interrupted(Thinker):
        async def __call__(self, context: RoundContext) -> RoundOutcome:
            sink.stop.request = INTERRUPT
            return await super().__call__(context)

    sink = RecordingSink()
    runners = {ActionType.AI_ASK: Interrupted(5)}
    end = await run_turn(ANSWERED, ONE, engine_deps(FakeModel([]), actions=runners), sink)
    assert (end.outcome, len(sink.steps)) == (Outcome.INTERRUPTED, 1)
    assert sink.steps[0].instances[0].state is InstanceState.RUNNING
