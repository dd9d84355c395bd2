"""What is kept of a reply in a wrong language, and for whom."""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.action_context import OutgoingMessage, RoundOutcome
from executor_service.actions.language_check import WRONG_LANGUAGE
from executor_service.engine.step_hook import Round
from executor_service.hooks.reply_language import ReplyLanguage, was_wrong
from heartrule.domain.action_result import ActionResult
from heartrule.domain.problem import Degradation
from session_store.records import ActionInstance, InstanceState
from tests.support.engine_builders import (
    ask,
    round_context,
)
from tests.support.fake_model import FakeModel
from tests.support.plan_builders import turn_before_its_first_step

WRONG = Degradation.of("outgoing", WRONG_LANGUAGE, expected="zh", found="en")
SAID = (OutgoingMessage(message_id="msg_1", text="What would help you this week?"),)


def hook() -> ReplyLanguage:
    """Return the hook of a turn before its first round."""
    return ReplyLanguage(turn_before_its_first_step())


def outcome(kind: str = "ai_ask", *, wrong: bool, silent: bool = False) -> RoundOutcome:
    """Return the outcome of a round."""
    return RoundOutcome(
        result=ActionResult(success=True, completed=False, action_type=kind, round=1),
        messages=() if silent else SAID,
        degradations=(WRONG,) if wrong else (),
    )


def kept(ordinal: int, *, wrong: bool, kind: str = "ai_ask") -> ActionInstance:
    """Return an instance that ended, with what it keeps."""
    return ActionInstance(
        action_instance_id=f"act_{ordinal}",
        phase_id="p",
        topic_id="t",
        action_id=f"a{ordinal}",
        action_type=kind,
        ordinal=ordinal,
        state=InstanceState.COMPLETED,
        memory={"wrong_language": True} if wrong else {},
    )


async def told(rule: ReplyLanguage) -> bool:
    """Return whether the next round of a turn is told."""
    context = round_context(ask(), FakeModel([]))
    return (await rule.before_round(Round(context=context))).context.wrong_language


async def test_the_next_round_of_the_turn_is_told_until_a_reply_is_right() -> None:
    """A further topic of the same turn too, and no longer than needed."""
    rule = hook()
    assert not await told(rule)
    assert rule.after_round(outcome(wrong=True)).memory == {"wrong_language": True}
    assert await told(rule)
    rule.after_round(outcome(wrong=False, silent=True))
    rule.after_round(outcome("say", wrong=False))
    assert await told(rule)
    assert rule.after_round(outcome(wrong=False)).memory == {}
    assert not await told(rule)


def test_the_next_turn_is_told_by_the_newest_instance_that_talked() -> None:
    """A literal line between is not the model's."""
    running = replace(kept(3, wrong=False), state=InstanceState.PENDING)
    plan = (kept(0, wrong=False), kept(1, wrong=True), kept(2, wrong=False, kind="say"), running)
    assert was_wrong(plan, running)
    assert not was_wrong(plan, plan[0])
