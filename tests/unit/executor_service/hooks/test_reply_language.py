"""What is kept of a reply in a wrong language, and for whom."""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.action_context import OutgoingMessage, RoundOutcome
from executor_service.actions.language_check import WRONG_LANGUAGE
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round
from executor_service.hooks.reply_language import ReplyLanguage, was_wrong
from executor_service.turn_stopping import StopToken
from executor_service.variables.keywords import NO_KEYWORDS
from heartrule.domain.action_result import ActionResult
from heartrule.domain.problem import Degradation
from session_store.records import ActionInstance, InstanceState
from tests.support.engine_builders import (
    NOW,
    ask,
    before_the_script,
    counting_ids,
    round_context,
    script,
)
from tests.support.fake_model import FakeModel

WRONG = Degradation.of("outgoing", WRONG_LANGUAGE, expected="zh", found="en")
SAID = (OutgoingMessage(message_id="msg_1", text="What would help you this week?"),)


def hook() -> ReplyLanguage:
    """Return the hook of a turn before its first round."""
    turn = RunningTurn(
        before_the_script(),
        script(ask()),
        new_id=counting_ids(),
        clock=lambda: NOW,
        keyword_scope=NO_KEYWORDS.scope_of,
        calls=[],
        stop=StopToken(),
    )
    return ReplyLanguage(turn)


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
