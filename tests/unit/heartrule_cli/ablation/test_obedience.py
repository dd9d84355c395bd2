"""Whether advice was obeyed: asked of a written judge, else told by signals."""

from __future__ import annotations

import pytest

from executor_service.scripts.model.findings import At
from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Message, Part, Role
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    EventBody,
    MessageCommitted,
    SessionEvent,
)
from heartrule.domain.monitoring import Advice, AdviceState, MonitorAnalysis, Severity
from heartrule_cli.ablation.obedience import count_obeyed
from heartrule_cli.rehearsal.outcome import Played
from heartrule_cli.rehearsal.written_conversation import WrittenTurn
from tests.support.fake_model import FakeModel, Reply

SILENT = Reply((), fails=ModelUnavailable("down", reason="MODEL_UNAVAILABLE"))


def advice(state: AdviceState = AdviceState.CONSUMED) -> AdviceChanged:
    """Return a change of an advice for act_1."""
    told = Advice(
        advice_id="adv_1",
        session_id="s",
        action_id="ask",
        action_instance_id="act_1",
        about_round=1,
        analysis=MonitorAnalysis(),
        feedback_text="先说一句理解的话",
        severity=Severity.CONCERN,
        state=state,
    )
    return AdviceChanged(advice=told)


def said(text: str, instance: str = "act_1") -> MessageCommitted:
    """Return a message of an action."""
    return MessageCommitted(
        message=Message(
            message_id=text,
            role=Role.ASSISTANT,
            parts=(Part(text=text),),
            action_instance_id=instance,
        )
    )


def judged(*, obeyed: bool) -> ActionResultRecorded:
    """Return the result of act_1, as signals found it."""
    result = ActionResult(
        success=True,
        completed=False,
        action_instance_id="act_1",
        metadata={"advice_obeyed": obeyed},
    )
    return ActionResultRecorded(action_result=result)


def turn(*bodies: EventBody) -> Played:
    """Return a turn that told this."""
    events = [SessionEvent(session_id="s", body=body) for body in bodies]
    return Played(number=1, turn=WrittenTurn(spot=At(), client="好"), events=events, seen={})


async def test_the_judge_is_asked_about_each_used_advice() -> None:
    """It reads the advice and the message of its action, and nothing else of the turn."""
    judge = FakeModel(['{"obeyed": true}', '{"obeyed": "false"}'])
    one = turn(advice(), said("听起来很难。"), said("下一步", "act_2"), judged(obeyed=False))
    assert await count_obeyed([one, one, turn(advice(AdviceState.EXPIRED))], judge) == 1
    assert len(judge.requests) == 2
    asked = judge.last_prompt()
    assert "> 先说一句理解的话" in asked
    assert "> 听起来很难。" in asked
    assert "下一步" not in asked


@pytest.mark.parametrize("obeyed", [True, False])
@pytest.mark.parametrize("answer", [SILENT, "也许吧", '{"obeyed": "maybe"}'])
async def test_without_an_answer_signals_tell(answer: Reply | str, *, obeyed: bool) -> None:
    """A judge that is down, or says neither, decides nothing; nor does a rehearsal."""
    one = turn(advice(), said("好。"), judged(obeyed=obeyed))
    assert await count_obeyed([one], FakeModel([answer])) == obeyed
    assert await count_obeyed([one], None) == obeyed
